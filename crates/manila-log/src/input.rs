//! What a scan reads: a name, and bytes that threads can share or that come in order.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// One input and its name for messages.
#[derive(Debug)]
pub struct Input {
    /// Its name, as in messages: a path, or `-`.
    pub name: Arc<str>,
    /// Its bytes.
    pub body: Body,
}

/// Where the bytes of an input come from.
pub enum Body {
    /// A regular file that is as large as it is now; threads read it at their own places.
    File(File),
    /// Bytes that come in order: a pipe, a compressed file.
    Stream(Box<dyn Read + Send>),
    /// Bytes that come in order and with pauses: what has come is judged at once. A reading of
    /// nothing ends it.
    Live(Box<dyn Read + Send>),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Body::File(_) => "File",
            Body::Stream(_) => "Stream",
            Body::Live(_) => "Live",
        })
    }
}

/// That the rest of an input is not waited for, which is neither its end nor an error.
#[derive(Debug)]
struct Abandoned;

impl fmt::Display for Abandoned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rest is not waited for")
    }
}

impl std::error::Error for Abandoned {}

/// What a reader answers from then on.
pub(crate) fn abandoned() -> io::Error {
    io::Error::other(Abandoned)
}

pub(crate) fn is_abandoned(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<Abandoned>()).is_some()
}

/// What went wrong with an input. What was read before it stays counted.
#[derive(Debug)]
pub struct InputError {
    /// The input's name.
    pub name: Arc<str>,
    /// At which byte of the input, if it was read at all.
    pub offset: Option<u64>,
    /// What went wrong.
    pub error: io::Error,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{}: at byte {offset}: {}", self.name, self.error),
            None => write!(f, "{}: {}", self.name, self.error),
        }
    }
}
