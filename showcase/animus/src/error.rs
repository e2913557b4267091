//! Everything that can go wrong, gathered from those who know.

use crate::daemon::{DaemonError, ServeError};
use crate::project::RootError;
use crate::subject::SubjectError;
use manila_clap::Failure;
use showcase_store::Operation;

/// Why a command failed.
#[derive(Debug, Failure)]
pub(crate) enum Error {
    /// Unclassified or unexpected error
    #[failure(exit = General, code = "internal", message = "{0}", suggestion = remedy(_0))]
    Store(#[from] showcase_store::Error),

    #[failure(transparent)]
    Subject(#[from] SubjectError),

    #[failure(transparent)]
    Root(#[from] RootError),

    #[failure(transparent)]
    Daemon(#[from] DaemonError),
}

impl From<ServeError> for Error {
    fn from(error: ServeError) -> Error {
        match error {
            ServeError::Store(error) => error.into(),
            ServeError::Daemon(error) => error.into(),
        }
    }
}

fn remedy(error: &showcase_store::Error) -> &'static str {
    match error.operation() {
        Operation::Parse => "correct the file at that place, or move it away to begin anew",
        Operation::Open | Operation::Read => "see that it is a readable file of a usual size",
        _ => "see that the disk has room, and that you may write there",
    }
}
