//! Why bytes are not one JSON document, and at which byte.

use std::fmt;

/// What a reading stumbled over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FlawKind {
    /// There is no value: nothing but whitespace.
    Empty,
    /// A byte that is not allowed here.
    UnexpectedByte(u8),
    /// The input stops inside a value.
    UnexpectedEnd,
    /// More bytes follow the document.
    TrailingBytes,
    /// Not UTF-8.
    InvalidUtf8,
    /// A string has an unescaped control character.
    RawControlCharacter(u8),
    /// A backslash is not followed by a valid escape.
    BadEscape,
    /// A number is not spelled as JSON spells numbers.
    BadNumber,
    /// `NaN` or `Infinity`, which JSON does not have.
    NotANumber,
    /// Arrays and objects are nested deeper than the limit.
    TooDeep,
    /// The document is larger than the limit.
    TooLarge,
}

/// A [`FlawKind`] and the byte offset where it was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flaw {
    /// What is wrong.
    pub kind: FlawKind,
    /// Where, as an offset into the bytes that were read.
    pub offset: usize,
}

impl fmt::Display for FlawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlawKind::Empty => f.write_str("there is no value"),
            FlawKind::UnexpectedByte(byte) if byte.is_ascii_graphic() => {
                write!(f, "unexpected `{}`", char::from(*byte))
            }
            FlawKind::UnexpectedByte(byte) => write!(f, "unexpected byte 0x{byte:02x}"),
            FlawKind::UnexpectedEnd => f.write_str("the document stops before its end"),
            FlawKind::TrailingBytes => f.write_str("more bytes follow the document"),
            FlawKind::InvalidUtf8 => f.write_str("not UTF-8"),
            FlawKind::RawControlCharacter(byte) => {
                write!(f, "control character 0x{byte:02x} is not escaped in a string")
            }
            FlawKind::BadEscape => f.write_str("this backslash begins no escape"),
            FlawKind::BadNumber => f.write_str("this is not how JSON spells a number"),
            FlawKind::NotANumber => f.write_str("NaN and Infinity are not JSON"),
            FlawKind::TooDeep => f.write_str("nested deeper than the limit"),
            FlawKind::TooLarge => f.write_str("larger than the limit"),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.kind)
    }
}

impl std::error::Error for Flaw {}
