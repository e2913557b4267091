//! A piece of code within a file of another language.

use super::lexer::Syntax;
use std::ops::Range;

/// A piece of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its bytes in the file.
    pub(super) span: Range<usize>,
    /// How it is written.
    pub(super) syntax: Syntax,
    /// What it is for.
    pub(super) meaning: Meaning,
}

/// What a piece of code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It runs.
    Code,
    /// Its value is a key, for what has this name.
    Key(&'static str),
    /// Its text is a key, for what has this name.
    Text(&'static str),
    /// It does not run.
    Comment,
}

impl Piece {
    /// A piece.
    pub(super) fn new(span: Range<usize>, syntax: Syntax, meaning: Meaning) -> Piece {
        Piece { span, syntax, meaning }
    }
}
