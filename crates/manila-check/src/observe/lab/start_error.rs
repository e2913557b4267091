//! Owns: what is said where a program, or any program, cannot be started.

use crate::error::{Error, ErrorKind};
use crate::subject::Subject;
use manila::Exit;
use std::io;

/// Why a program cannot be started.
pub(super) fn spawn_error(subject: &Subject, error: &io::Error) -> Error {
    let (exit, failure) = manila_run::explain_spawn_error(subject.program(), error);
    let kind = match exit {
        Exit::NotFound => ErrorKind::NotFound,
        Exit::Unavailable => ErrorKind::System,
        _ => ErrorKind::NotExecutable,
    };
    let error = Error::new(kind, failure.message);
    match failure.suggestion {
        Some(suggestion) => error.suggest(suggestion),
        None => error,
    }
}

/// Why no program can be run here.
pub(super) fn refused(error: &io::Error) -> Error {
    let suggestion = match error.kind() {
        io::ErrorKind::NotFound
        | io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem => {
            "name a directory for temporary files in TMPDIR, one that exists and can be written"
        }
        _ => "the system is out of something: processes, descriptors, memory or room on the disk",
    };
    Error::new(ErrorKind::System, format!("programs cannot be run here: {error}"))
        .suggest(suggestion)
}
