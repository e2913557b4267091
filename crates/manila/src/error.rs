//! The one error of this crate: what kind, at which place, in which words.

use crate::json::{Flaw, FlawKind};
use crate::mark::StatedFailure;
use crate::transcript::Stream;
use std::fmt;

/// What went wrong, to match on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The transcript has no byte on either stream.
    Empty,
    /// No document in the transcript is an envelope.
    NoEnvelope,
    /// What was meant as a document is not JSON, or is cut.
    NotJson,
    /// A document is nested deeper than the limit.
    TooDeep,
    /// A document is larger than the limit.
    TooLarge,
    /// A failure was to be built without an error, or a success with one.
    ContradictoryOutcome,
    /// An envelope was to be built with neither data nor error.
    NothingToSay,
    /// A recorded run's `run.json` is not what it should be.
    BadRecording,
    /// A manifest is not what it should be.
    BadManifest,
}

/// Something that this crate could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    place: Option<(Stream, usize)>,
    stated: Option<Box<StatedFailure>>,
    truncated: bool,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), place: None, stated: None, truncated: false }
    }

    pub(crate) fn at(mut self, stream: Stream, offset: usize) -> Self {
        self.place = Some((stream, offset));
        self
    }

    /// The same about a transcript in which a document of no known dialect states a failure.
    pub(crate) fn with_stated(mut self, stated: Option<StatedFailure>) -> Self {
        if let Some(StatedFailure { stream, span, error, .. }) = &stated {
            self.kind = ErrorKind::NoEnvelope;
            self.message =
                format!("{stream} states a failure, but in no known dialect: {}", error.message);
            self.place = Some((*stream, span.start));
        }
        self.stated = stated.map(Box::new);
        self
    }

    /// The same about a transcript whose stdout ends before its end.
    pub(crate) fn with_truncated(self, truncated: bool) -> Self {
        Error { truncated, ..self }
    }

    /// A stream that holds no envelope because of `flaw`.
    pub(crate) fn unreadable(stream: Stream, flaw: Flaw) -> Self {
        let kind = match flaw.kind {
            FlawKind::TooDeep => ErrorKind::TooDeep,
            FlawKind::TooLarge => ErrorKind::TooLarge,
            _ => ErrorKind::NotJson,
        };
        let message = format!("{stream} holds no envelope: {}", flaw.kind);
        Error::new(kind, message).at(stream, flaw.offset)
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The failure that a document states although it is an envelope of no known dialect.
    pub fn stated_failure(&self) -> Option<&StatedFailure> {
        self.stated.as_deref()
    }

    /// Whether the last document on stdout is truncated, or stdout is a stream of lines of the named dialect
    /// without the one that decides.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The stream and the byte offset, where the error has a place.
    pub fn place(&self) -> Option<(Stream, usize)> {
        self.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.place {
            Some((stream, offset)) => write!(f, " (byte {offset} of {stream})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
