//! What can go wrong with a file: what was being done, to which file, and why it failed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A file could not be used.
#[derive(Debug)]
pub struct Error {
    operation: Operation,
    path: PathBuf,
    source: io::Error,
}

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Making a directory.
    Create,
    /// Opening it.
    Open,
    /// Waiting for the lock.
    Lock,
    /// Reading it.
    Read,
    /// Making sense of what is in it.
    Parse,
    /// Writing it.
    Write,
    /// Removing it.
    Remove,
}

impl Operation {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Open => "open",
            Operation::Lock => "lock",
            Operation::Read => "read",
            Operation::Parse => "parse",
            Operation::Write => "write",
            Operation::Remove => "remove",
        }
    }
}

impl Error {
    /// This operation failed on this file.
    pub fn new(operation: Operation, path: &Path, source: io::Error) -> Error {
        Error { operation, path: path.to_owned(), source }
    }

    /// What was being done.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The reason alone, as the system words it.
    pub fn reason(&self) -> &io::Error {
        &self.source
    }

    /// What sort of reason it was.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { operation, path, source } = self;
        write!(f, "cannot {} {}: {source}", operation.as_str(), path.display())
    }
}

impl std::error::Error for Error {}
