//! The error type, with the kinds of the document that describes the program.

use manila_clap::{Cancelled, Code, Declared, Exit, Failure, Reply};
use std::fmt;
use std::io;
use std::path::Path;

/// The kinds of what the boundary itself reports. `cli_parse` is what the flat envelope calls a
/// mistake in the arguments; the wrapped one writes `usage` for it.
pub(crate) const BOUNDARY: &[(Code, &str)] = &[
    (Code::UnknownArgument, "cli_parse"),
    (Code::UnknownCommand, "cli_parse"),
    (Code::MissingArgument, "cli_parse"),
    (Code::InvalidValue, "cli_parse"),
    (Code::ConflictingArguments, "cli_parse"),
    (Code::ConfirmationRequired, "cli_parse"),
    (Code::CommandRenamed, "cli_parse"),
    (Code::CommandRestructured, "cli_parse"),
    (Code::CommandDeprecated, "cli_parse"),
    (Code::TypoCorrected, "cli_parse"),
    (Code::InputRequired, "interactive_only"),
    (Code::Timeout, "runtime"),
    (Code::Cancelled, "cancelled"),
    (Code::Panicked, "unknown"),
    (Code::Exited, "unknown"),
    (Code::SerializationFailed, "unknown"),
    (Code::ContractBroken, "unknown"),
    (Code::OutputFailed, "delivery"),
];

/// What went wrong.
#[derive(Debug, Failure)]
pub(crate) enum Error {
    /// A file or a directory could not be used.
    #[failure(
        code = "filesystem", exit = General, retryable, message = "{message}",
        operation = "{operation}", target = "{target}", suggestion = hint.as_str()
    )]
    Filesystem { operation: &'static str, target: String, message: String, hint: String },

    /// A session could not be understood.
    #[failure(
        code = "session", exit = General, retryable = false, message = "{message}",
        operation = "load_session", target = "{id}", suggestion = hint.as_str()
    )]
    Session { id: String, message: String, hint: String },

    /// What was asked for makes no sense.
    #[failure(
        code = "cli_parse", exit = ArgError, message = "{message}",
        operation = "parse", target = "{target}", suggestion = hint.as_str()
    )]
    Usage { target: String, message: String, hint: String },

    /// It is not allowed here.
    #[failure(
        code = "policy", exit = PermissionDenied, retryable = false, message = "{message}",
        operation = "{operation}", target = "{target}", suggestion = hint.as_str()
    )]
    Policy { operation: &'static str, target: String, message: String, hint: String },

    /// There is no session of that id.
    #[failure(
        code = "session_not_found", exit = NotFound, retryable = false, missing = id.as_str(),
        message = "session '{id}' not found in {directory}",
        suggestion = "use 'list-sessions' to see available sessions"
    )]
    SessionNotFound { id: String, directory: String },

    /// There is no command of that name in the inventory.
    #[failure(
        code = "command_not_found", exit = NotFound, retryable = false, missing = name.as_str(),
        message = "command '{name}' not found in the inventory",
        suggestion = "use 'command-graph' to see available commands"
    )]
    CommandNotFound { name: String },

    /// There is no tool of that name in the inventory.
    #[failure(
        code = "tool_not_found", exit = NotFound, retryable = false, missing = name.as_str(),
        message = "tool '{name}' not found in the inventory",
        suggestion = "use 'tool-pool' to see available tools"
    )]
    ToolNotFound { name: String },

    #[failure(transparent)]
    OutOfTime(#[from] OutOfTime),

    #[failure(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Error {
    /// The system refused an operation on a path.
    pub(crate) fn system(operation: &'static str, path: &Path, error: &io::Error) -> Error {
        Error::Filesystem {
            operation,
            target: path.display().to_string(),
            message: reason(error),
            hint: hint(error.kind(), path),
        }
    }
}

impl From<showcase_store::Error> for Error {
    fn from(error: showcase_store::Error) -> Error {
        Error::Filesystem {
            operation: error.operation().as_str(),
            target: error.path().display().to_string(),
            message: reason(error.reason()),
            hint: hint(error.kind(), error.path()),
        }
    }
}

/// What the system says, without the number that it adds.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}

/// What to do about it. It names the path, because what the system says does not.
fn hint(kind: io::ErrorKind, path: &Path) -> String {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    match (kind, parent) {
        (io::ErrorKind::NotFound, Some(parent)) if !parent.exists() => {
            format!("intermediate directory does not exist; try mkdir -p {}", parent.display())
        }
        (io::ErrorKind::NotFound, _) => format!("check the name {}", path.display()),
        (io::ErrorKind::PermissionDenied, _) => {
            format!("check who owns {} and may change it", path.display())
        }
        (io::ErrorKind::StorageFull, _) => format!("make room on the disk of {}", path.display()),
        (io::ErrorKind::AlreadyExists, _) => {
            format!("choose another name than {}", path.display())
        }
        (io::ErrorKind::NotADirectory, _) => {
            format!("something in {} is a file and no directory", path.display())
        }
        _ => format!("look at {}", path.display()),
    }
}

/// The answer as far as it was known when the work ended; it is the data of the error.
pub(crate) struct SoFar(Box<dyn FnOnce(manila_clap::Error) -> manila_clap::Error>);

impl SoFar {
    pub(crate) fn new(answer: impl Reply + 'static) -> SoFar {
        SoFar(Box::new(|error| error.data(answer)))
    }
}

impl fmt::Debug for SoFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SoFar")
    }
}

/// The time was over before the work was done.
#[derive(Debug)]
pub(crate) struct OutOfTime {
    pub(crate) operation: &'static str,
    pub(crate) target: String,
    /// What was done until then.
    pub(crate) so_far: Option<SoFar>,
}

impl fmt::Display for OutOfTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the time limit was reached in '{}'", self.target)
    }
}

impl std::error::Error for OutOfTime {}

impl Failure for OutOfTime {
    fn into_error(self) -> manila_clap::Error {
        let error = manila_clap::Error::new("runtime", Exit::Timeout, self.to_string())
            .operation(self.operation)
            .target(&self.target)
            .retryable(true)
            .suggestion("allow more time with --timeout-seconds");
        match self.so_far {
            Some(so_far) => (so_far.0)(error),
            None => error,
        }
    }

    fn declared(list: &mut Vec<Declared>) {
        list.push(Declared {
            retryable: Some(true),
            suggestion: Some("allow more time with --timeout-seconds"),
            ..Declared::new("runtime", Exit::Timeout, "The time was over before the work was done.")
        });
    }
}

/// A signal ended the work.
#[derive(Debug)]
pub(crate) struct Interrupted {
    pub(crate) by: Cancelled,
    /// What was done until then.
    pub(crate) so_far: Option<SoFar>,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.by.fmt(f)
    }
}

impl std::error::Error for Interrupted {}

impl Failure for Interrupted {
    fn into_error(self) -> manila_clap::Error {
        let error = self.by.into_error().operation("wait").suggestion("call again to start over");
        match self.so_far {
            Some(so_far) => (so_far.0)(error),
            None => error,
        }
    }

    fn declared(list: &mut Vec<Declared>) {
        Cancelled::declared(list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_boundary_has_a_kind() {
        let is_named = |code: &Code| BOUNDARY.iter().any(|(named, _)| named == code);
        assert!(Code::ALL.iter().all(is_named));
    }

    #[test]
    fn the_reason_of_the_system_has_no_number() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "No such file or directory");
        assert_eq!(reason(&io::Error::other("odd")), "odd");
    }

    #[test]
    fn a_missing_parent_is_reported_from_a_missing_file() {
        let missing = hint(io::ErrorKind::NotFound, Path::new("no-such-directory/out.md"));
        assert_eq!(
            missing,
            "intermediate directory does not exist; try mkdir -p no-such-directory"
        );
        assert_eq!(hint(io::ErrorKind::NotFound, Path::new("out.md")), "check the name out.md");
    }
}
