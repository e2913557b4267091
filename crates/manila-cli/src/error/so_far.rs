//! What a command came to before it failed.

use manila::json::{Raw, SerializeError};
use manila_clap::{Kind, Reply, Screen, Shape};
use std::fmt;

/// The answer that a command would have given.
pub(crate) struct SoFar(Box<dyn Reply>);

impl SoFar {
    pub(crate) fn of(answer: impl Reply + 'static) -> SoFar {
        SoFar(Box::new(answer))
    }
}

/// What a command found that callers or maintainers must look at, and how its error counts it.
#[derive(Debug)]
pub(crate) struct Found {
    /// What is wrong, on one line.
    pub(crate) complaint: String,
    /// How much was looked at and found, on one line.
    pub(crate) tally: String,
    /// The same as data, for dialects whose errors have a place for it.
    pub(crate) counts: Option<Raw>,
    /// The answer.
    pub(crate) answer: SoFar,
}

impl Reply for Found {
    fn kind(&self) -> &'static str {
        self.answer.kind()
    }

    fn data(&self, shape: Shape) -> Result<Raw, SerializeError> {
        self.answer.data(shape)
    }

    fn show(&self, screen: &mut Screen) {
        self.answer.show(screen);
    }

    /// The command lists them.
    fn kinds(_: &mut Vec<Kind>) {}
}

impl fmt::Debug for SoFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SoFar").field(&self.0.kind()).finish()
    }
}

impl Reply for SoFar {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    fn data(&self, shape: Shape) -> Result<Raw, SerializeError> {
        self.0.data(shape)
    }

    fn show(&self, screen: &mut Screen) {
        self.0.show(screen);
    }

    /// The command lists them.
    fn kinds(_: &mut Vec<Kind>) {}
}
