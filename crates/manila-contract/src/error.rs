//! The error of this crate: its kind, the line, the message and the suggestion.

use std::fmt;

/// What went wrong, to match on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A lock cannot be read: it is truncated, edited, or has conflict markers.
    BadLock,
    /// A lock was written by a newer manila.
    NewerLock,
    /// Not every call could be made, so the contract would be incomplete.
    Incomplete,
    /// The program could not be observed.
    Check(manila_check::ErrorKind),
}

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    line: Option<usize>,
    message: String,
    suggestion: Option<String>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, line: None, message: message.into(), suggestion: None }
    }

    pub(crate) fn bad_lock(line: usize, message: impl Into<String>) -> Error {
        Error { line: Some(line), ..Error::new(ErrorKind::BadLock, message) }
    }

    pub(crate) fn suggest(mut self, suggestion: impl Into<String>) -> Error {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The line of the lock that it is about, from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// What to do about it, if known.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

impl From<manila_check::Error> for Error {
    fn from(error: manila_check::Error) -> Error {
        let mut own = Error::new(ErrorKind::Check(error.kind()), error.to_string());
        own.suggestion = error.suggestion().map(str::to_owned);
        own
    }
}
