//! When work must stop: its time is over, or a signal asked for it.

use crate::error::{Error, Interrupted, OutOfTime};
use manila_clap::{Call, Cancelled};
use std::ffi::OsStr;
use std::process::Command;
use std::time::{Duration, Instant};

/// The boundary ends the process at its own limit. Whatever was started must be gone before.
const MARGIN: Duration = Duration::from_millis(100);

/// Watches over a piece of work.
pub(crate) struct Watch<'c> {
    call: &'c Call,
    deadline: Option<Instant>,
}

/// Why work must stop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    OutOfTime,
    Cancelled(Cancelled),
}

impl<'c> Watch<'c> {
    /// Watches from now on; without a limit only that of the whole call counts.
    pub(crate) fn new(call: &'c Call, limit: Option<Duration>) -> Watch<'c> {
        let whole = call.remaining().map(|remaining| remaining.saturating_sub(MARGIN));
        let limit = limit.into_iter().chain(whole).min();
        // A time that no clock can show never comes.
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        Watch { call, deadline }
    }

    /// The same watch with a limit of its own, if that comes first.
    pub(crate) fn within(&self, limit: Duration) -> Watch<'c> {
        let own = Instant::now().checked_add(limit);
        Watch { call: self.call, deadline: self.deadline.into_iter().chain(own).min() }
    }

    /// Whether to continue.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.call.check_cancelled().map_err(Stop::Cancelled)?;
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::OutOfTime),
            _ => Ok(()),
        }
    }

    /// A child process that behaves.
    pub(crate) fn child(&self, program: impl AsRef<OsStr>) -> Command {
        self.call.child(program)
    }
}

impl Stop {
    /// The error for the caller of the work.
    pub(crate) fn while_doing(self, operation: &'static str, target: &str) -> Error {
        match self {
            Stop::OutOfTime => {
                OutOfTime { operation, target: target.to_owned(), so_far: None }.into()
            }
            Stop::Cancelled(by) => Interrupted { by, so_far: None }.into(),
        }
    }
}
