//! Lines of text whose pieces say what they are, so that a renderer can colour them.

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Nothing special.
    Plain,
    /// The name of something.
    Name,
    /// A heading.
    Heading,
    /// What only helps to find one's way.
    Faint,
    /// A grave finding.
    Error,
    /// A finding.
    Warning,
    /// A remark.
    Note,
    /// What is as it should be.
    Good,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub ink: Ink,
    /// Its words.
    pub text: String,
}

/// A line.
pub type Line = Vec<Piece>;

/// A piece.
pub fn piece(ink: Ink, text: impl Into<String>) -> Piece {
    Piece { ink, text: text.into() }
}

/// A line of plain words.
pub(crate) fn plain(text: impl Into<String>) -> Line {
    vec![piece(Ink::Plain, text)]
}

/// The words alone.
pub fn text_of(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        text.extend(line.iter().map(|piece| piece.text.as_str()));
        text.push('\n');
    }
    text
}
