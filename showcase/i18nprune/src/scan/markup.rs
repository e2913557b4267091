//! HTML as components use it: scripts, styles and comments, tags with their attributes, `{{ … }}`.

use super::lexer::Syntax;
use super::piece::{Meaning, Piece};
use std::ops::Range;

/// Something in the markup.
#[derive(Debug)]
pub(super) enum Event {
    /// Code: a script, a comment, or what is between `{{` and `}}`.
    Code(Piece),
    /// An attribute that has a value.
    Attribute(Attribute),
}

/// An attribute, as the bytes of its name and of its value without the quotes.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// Reports everything in the markup, from the beginning to the end.
pub(super) fn walk(source: &str, mut tell: impl FnMut(Event)) {
    let mut at = 0;
    while let Some(found) = source.get(at..).and_then(|rest| rest.find(['<', '{'])) {
        let open = at + found;
        at = if source[open..].starts_with("{{") {
            let close = find(source, open, "}}").unwrap_or(source.len());
            let piece = Piece::new(open + 2..close, Syntax::Script, Meaning::Code);
            tell(Event::Code(piece));
            close
        } else if let Some((piece, end)) = opaque(source, open) {
            if let Some(piece) = piece {
                tell(Event::Code(piece));
            }
            end
        } else if source.as_bytes().get(open + 1).is_some_and(u8::is_ascii_alphabetic) {
            attributes(source, open, &mut tell)
        } else {
            open + 1
        };
    }
}

/// What is at a place and has no markup inside, and where it ends: a script, a comment, or a style,
/// which holds no code.
pub(super) fn opaque(source: &str, open: usize) -> Option<(Option<Piece>, usize)> {
    let rest = source.get(open..)?;
    if rest.starts_with("<!--") {
        let start = open + "<!--".len();
        let end = find(source, start, "-->").unwrap_or(source.len());
        let piece = Piece::new(start..end, Syntax::Comment, Meaning::Comment);
        return Some((Some(piece), end));
    }
    let name = ["script", "style"].into_iter().find(|name| is_named(rest, name))?;
    let tag = &rest[..tag_length(rest)];
    let start = open + tag.len();
    // As a browser does it: the first closing tag ends it, in a string or not.
    let end = find(source, start, &format!("</{name}")).unwrap_or(source.len());
    if name == "style" {
        return Some((None, end));
    }
    let has_tags = ["tsx", "jsx"].iter().any(|lang| tag.contains(lang));
    let syntax = if has_tags { Syntax::Jsx } else { Syntax::Script };
    Some((Some(Piece::new(start..end, syntax, Meaning::Code)), end))
}

fn find(source: &str, from: usize, what: &str) -> Option<usize> {
    source.get(from..)?.find(what).map(|at| from + at)
}

/// Whether a tag of this name begins here.
fn is_named(rest: &str, name: &str) -> bool {
    let after = rest.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
    after.is_some_and(|after| after.starts_with(|next: char| next == '>' || next.is_whitespace()))
}

/// The length of a tag up to and with its `>`.
fn tag_length(rest: &str) -> usize {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    rest.len()
}

/// Reports the attributes of the tag that opens here; where it ends.
fn attributes(source: &str, open: usize, tell: &mut impl FnMut(Event)) -> usize {
    let end = open + tag_length(&source[open..]);
    let bytes = &source.as_bytes()[..end];
    let is_end = |at: usize| bytes.get(at).is_none_or(|byte| matches!(byte, b'>' | b'/'));
    let is_space = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
    let mut at = open + 1;
    while !is_space(at) && !is_end(at) {
        at += 1;
    }
    while at < end {
        let start = at;
        while at < end && !is_space(at) && !matches!(bytes[at], b'=' | b'>' | b'/') {
            at += 1;
        }
        let name = start..at;
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'='), Some(quote @ (b'"' | b'\''))) => {
                let from = at + 2;
                let rest = bytes.get(from..).unwrap_or_default();
                let length = rest.iter().position(|byte| byte == quote).unwrap_or(rest.len());
                tell(Event::Attribute(Attribute { name, value: from..from + length }));
                at = from + length + 1;
            }
            _ => at += 1,
        }
    }
    end
}
