//! The one error of this crate: its kind and its message. A broken program under test is not an
//! error; only what prevents a check is one.

use std::fmt;

/// What went wrong, to match on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no such program.
    NotFound,
    /// It is there and cannot be started.
    NotExecutable,
    /// `manila.toml` is not what it should be.
    BadDeclaration,
    /// The program has no such command.
    BadCommand,
    /// The program could not be built.
    Build,
    /// The system refuses what a check needs: directories, processes, descriptors.
    System,
}

/// Something that this crate could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    suggestion: Option<String>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), suggestion: None }
    }

    pub(crate) fn suggest(mut self, suggestion: impl Into<String>) -> Error {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// With the file that it is about.
    pub(crate) fn of(mut self, path: &std::path::Path) -> Error {
        self.message = format!("{}: {}", path.display(), self.message);
        self
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What to do about it, if that is known.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
