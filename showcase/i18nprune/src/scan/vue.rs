//! Where the code is in a Vue component: scripts, `{{ … }}`, and the attributes that are expressions.

use super::lexer::Syntax;
use super::markup::{self, Attribute, Event};
use super::piece::{Meaning, Piece};

/// The pieces of code in a component.
pub(super) fn pieces(source: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    markup::walk(source, |event| match event {
        Event::Code(piece) => pieces.push(piece),
        Event::Attribute(attribute) => pieces.extend(expression(source, attribute)),
    });
    pieces
}

/// The code in an attribute, if it holds any.
fn expression(source: &str, attribute: Attribute) -> Option<Piece> {
    let name = source.get(attribute.name)?;
    let meaning = match name {
        "v-t" => Meaning::Key("v-t"),
        ":keypath" | "v-bind:keypath" => Meaning::Key("keypath"),
        // The component of vue-i18n: `<i18n-t keypath="…">`.
        "keypath" => Meaning::Text("keypath"),
        _ if name.starts_with([':', '@', '#']) || name.starts_with("v-") => Meaning::Code,
        _ => return None,
    };
    Some(Piece::new(attribute.value, Syntax::Script, meaning))
}
