//! Why the server cannot start, or stopped.

use std::fmt;

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument, or what `manila.toml` says in its place, cannot be used.
    InvalidArgument,
    /// The directory does not exist.
    NoDirectory,
    /// A pack or a declaration cannot be read.
    BadDeclaration,
    /// The system refuses what the server needs.
    System,
}

/// Why the server cannot start, or stopped.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    suggestion: String,
}

impl Error {
    pub(crate) fn new(
        kind: ErrorKind,
        message: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Error {
        Error { kind, message: message.into(), suggestion: suggestion.into() }
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What to do about it.
    pub fn suggestion(&self) -> &str {
        &self.suggestion
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
