//! The daemon: a process of its own that watches the subjects of one project.
//!
//! It holds a lock for as long as it lives, so there is one, and answers on a socket beside it.

pub(crate) mod client;
mod log;
mod place;
pub(crate) mod protocol;
pub(crate) mod server;
pub(crate) mod starter;
mod wait;
mod watch;

pub(crate) use place::Place;

use manila_clap::Failure;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

/// Why the daemon is not as it should be.
#[derive(Debug, Failure)]
pub(crate) enum DaemonError {
    /// Unclassified or unexpected error
    #[failure(
        exit = General,
        code = "internal",
        message = "daemon failed to start",
        suggestion = "remove the cause, and start it again",
        detail = startup_log_tail.as_str(),
        details = BTreeMap::from([("startup_log_tail", startup_log_tail)])
    )]
    FailedToStart { startup_log_tail: String },

    /// State conflict
    #[failure(
        exit = Conflict,
        code = "conflict",
        message = "daemon already running",
        suggestion = "`animus daemon status` shows it, `animus daemon stop` ends it"
    )]
    AlreadyRunning,

    /// Service unreachable
    #[failure(
        exit = Unavailable,
        code = "unavailable",
        message = "daemon does not answer: {reason}",
        suggestion = format!(
            "try again; if it stays silent, end the process whose number is in {}",
            pid_file.display()
        )
    )]
    Silent { reason: String, pid_file: PathBuf },
}

impl DaemonError {
    /// It did not even come so far as to have a log.
    pub(crate) fn failed_to_start(reason: &impl Display) -> DaemonError {
        DaemonError::FailedToStart { startup_log_tail: reason.to_string() }
    }
}

/// Why a process cannot be the daemon.
#[derive(Debug)]
pub(crate) enum ServeError {
    Store(showcase_store::Error),
    Daemon(DaemonError),
}

impl From<showcase_store::Error> for ServeError {
    fn from(error: showcase_store::Error) -> ServeError {
        ServeError::Store(error)
    }
}
