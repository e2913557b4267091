//! Where the code is in a Svelte component: scripts, and `{ … }` wherever the markup has it.

use super::lexer::{Syntax, closing_brace};
use super::markup;
use super::piece::{Meaning, Piece};

/// The pieces of code in a component.
pub(super) fn pieces(source: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(open) = source.get(at..).and_then(|rest| rest.find(['{', '<'])) {
        let open = at + open;
        at = match markup::opaque(source, open) {
            Some((piece, end)) => {
                pieces.extend(piece);
                end
            }
            None if source[open..].starts_with('{') => {
                // `{#if …}`, `{:else if …}`, `{@html …}`, `{/if}`
                let sign = source[open + 1..].starts_with(['#', ':', '@', '/']);
                let start = open + 1 + usize::from(sign);
                let close = closing_brace(source, start);
                pieces.push(Piece::new(start..close, Syntax::Script, Meaning::Code));
                close
            }
            None => open + 1,
        };
    }
    pieces
}
