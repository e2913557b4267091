//! Why manila itself can fail: the codes, their exit classes, and what to do about each.

use crate::command::check::Checked;
use manila::json::Raw;
use manila::{Error, ErrorKind};
use manila_check::render::json::complaint;
use manila_clap::{Cancelled, Code, Declared, Failure, Kind, Problem, Reply, Screen, Shape};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Our name for a bug, whoever finds it.
const INTERNAL: &str = "INTERNAL_ERROR";

/// The failures of the boundary that have another name here.
pub(crate) const RENAMED: &[(Code, &str)] =
    &[(Code::Panicked, INTERNAL), (Code::SerializationFailed, INTERNAL)];

/// A failure of the program.
#[derive(Debug, Failure)]
pub(crate) enum Refusal {
    /// There is nothing to read.
    #[failure(exit = NotFound, message = "{message}", suggestion = *hint)]
    EmptyInput { message: String, hint: &'static str },

    /// No document in the input is an envelope.
    #[failure(exit = NotFound, message = "{message}", suggestion = *hint)]
    NoEnvelope { message: String, hint: &'static str },

    /// The input is larger or deeper than the limit.
    #[failure(exit = Precondition, message = "{message}", suggestion = *hint)]
    OverLimit { message: String, hint: &'static str },

    /// A file or folder does not exist.
    #[failure(exit = NotFound, message = at(path, error), suggestion = "check the path")]
    FileNotFound {
        path: PathBuf,
        #[source]
        error: io::Error,
    },

    /// A file or folder may not be read.
    #[failure(exit = PermissionDenied, message = at(path, error), suggestion = "check its permissions")]
    FileForbidden {
        path: PathBuf,
        #[source]
        error: io::Error,
    },

    /// A file or folder cannot be read.
    #[failure(exit = General, message = at(path, error), suggestion = *hint)]
    FileUnreadable {
        path: PathBuf,
        #[source]
        error: io::Error,
        hint: &'static str,
    },

    /// A folder is not a recorded run.
    #[failure(
        exit = Precondition,
        message = "{0}",
        suggestion = "a recorded run is a folder with run.json, stdout and stderr"
    )]
    BadRecording(String),

    /// The target dialect cannot say everything.
    #[failure(
        exit = Precondition,
        message = "{target} cannot say {fields}",
        suggestion = "leave --strict out to accept the losses, or choose a dialect that says more"
    )]
    LossyConversion { target: &'static str, fields: String },

    /// An argument's value is not one that is allowed.
    #[failure(exit = ArgError, phase = Validation, message = "{message}", suggestion = suggestion)]
    InvalidValue { message: String, suggestion: String },

    /// There is no folder for what manila remembers.
    #[failure(
        exit = Precondition,
        message = "neither XDG_STATE_HOME nor HOME says where to remember anything",
        suggestion = "set one of them, or name a file with --redirect-store"
    )]
    NoPlace,

    /// No redirect that is remembered begins so.
    #[failure(
        exit = NotFound,
        message = "nothing that begins with `{words}` is remembered",
        suggestion = "`manila redirects list` has all of them"
    )]
    NotRemembered { words: String },

    /// Records break rules.
    #[failure(
        exit = General,
        message = "{message}",
        suggestion = "`manila explain RULE` says more; --quarantine FILE keeps the bad records",
        data = so_far
    )]
    ViolationsFound { message: String, so_far: SoFar },

    /// Not every input could be read to its end; the rest was.
    #[failure(exit = PartialFailure, message = "{message}", suggestion = "check the input", data = so_far)]
    InputIncomplete { message: String, so_far: SoFar },

    /// Not everything could be written; what was, is whole.
    #[failure(exit = PartialFailure, message = "{message}", suggestion = *hint, data = so_far)]
    OutputIncomplete { message: String, hint: &'static str, so_far: SoFar },

    /// A file that is to be written has something in it.
    #[failure(
        exit = Conflict,
        message = format!("{} has something in it", path.display()),
        suggestion = "name another file, or replace it with --force"
    )]
    WouldOverwrite { path: PathBuf },

    /// A file cannot be written.
    // Not the class of a command that found something wrong, which has results.
    #[failure(exit = Precondition, message = at(path, error), suggestion = "check the folder and its permissions")]
    FileUnwritable {
        path: PathBuf,
        #[source]
        error: io::Error,
    },

    #[failure(transparent)]
    Interrupted(Interrupted),

    /// This build leaves something out.
    #[failure(
        exit = Precondition,
        message = "this manila was built without {what}",
        suggestion = "build it with `cargo install manila-cli --features {feature}`"
    )]
    #[cfg_attr(feature = "parquet", expect(dead_code, reason = "this build leaves nothing out"))]
    NotBuiltIn { what: &'static str, feature: &'static str },

    /// Nothing of that name can be explained.
    #[failure(exit = NotFound, message = "nothing explains {name:?}", suggestion = closest)]
    UnknownName { name: String, closest: String },

    /// Rules are broken, and the check says so. What it found is shown, and in JSON it is `meta.report`.
    #[failure(
        exit = General,
        message = complaint(&checked.report),
        suggestion = "what has to stay for a while is waived in manila.toml, with a reason",
        data = checked
    )]
    DoesNotConform { checked: Checked },

    /// Nobody said which program to check.
    #[failure(
        exit = ArgError,
        phase = Validation,
        message = "there is nothing to check: no command, no recorded run, and no program in {place}",
        suggestion = "manila check -- PROGRAM, or manila check --run DIR"
    )]
    NothingToCheck { place: String },

    /// There is no program of that name.
    #[failure(exit = NotFound, message = "{message}", suggestion = hint)]
    ProgramNotFound { message: String, hint: Option<String> },

    /// The program cannot be started or built.
    #[failure(exit = Precondition, message = "{message}", suggestion = hint)]
    ProgramUnusable { message: String, hint: Option<String> },

    /// manila.toml is not what it should be.
    #[failure(exit = ArgError, phase = Validation, message = "{message}", suggestion = hint)]
    BadDeclaration { message: String, hint: Option<String> },

    /// A file is there already.
    #[failure(
        exit = Conflict,
        message = format!("{} is there already", path.display()),
        suggestion = "pass --force to write over it, or -o - to print"
    )]
    FileExists { path: PathBuf },

    /// There is no pack of that name.
    #[failure(exit = NotFound, message = "there is no pack {name}", suggestion = closest)]
    PackNotFound { name: String, closest: String },

    /// A user's or a project's pack cannot be used.
    #[failure(exit = Precondition, message = "{message}", suggestion = hint)]
    BadPack { message: String, hint: String },

    /// Packs have mistakes, or runs beside them are not read as they should be.
    #[failure(
        exit = General,
        message = "{message}",
        suggestion = "docs/packs.md describes the format",
        data = so_far
    )]
    PackHasMistakes { message: String, so_far: SoFar },

    /// The system refuses what a check needs.
    #[failure(exit = Precondition, message = "{message}", suggestion = hint)]
    SystemRefused { message: String, hint: Option<String> },

    /// A signal ended the run.
    #[failure(transparent)]
    Cancelled(#[from] Cancelled),

    /// manila itself is at fault.
    #[failure(
        exit = General,
        code = "INTERNAL_ERROR",
        message = "{0}",
        suggestion = "this is a bug in manila: please report the command and its input"
    )]
    Internal(String),
}

/// What a command came to before it failed: the answer that it would have given.
pub(crate) struct SoFar(Box<dyn Reply>);

impl SoFar {
    pub(crate) fn of(answer: impl Reply + 'static) -> SoFar {
        SoFar(Box::new(answer))
    }
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

    fn data(&self, shape: Shape) -> serde_json::Result<Raw> {
        self.0.data(shape)
    }

    fn show(&self, screen: &mut Screen) {
        self.0.show(screen);
    }

    /// The command lists them.
    fn kinds(_: &mut Vec<Kind>) {}
}

/// A signal ended it.
#[derive(Debug)]
pub(crate) struct Interrupted {
    pub(crate) cancelled: Cancelled,
    pub(crate) so_far: SoFar,
}

impl Failure for Interrupted {
    fn problem(self) -> Problem {
        self.cancelled.problem().data(self.so_far)
    }

    fn declared(list: &mut Vec<Declared>) {
        Cancelled::declared(list);
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cancelled.fmt(f)
    }
}

impl std::error::Error for Interrupted {}

impl Refusal {
    /// The failure that there is no answer of a program to look at.
    pub(crate) fn empty(message: String) -> Refusal {
        let hint =
            "pass the bytes that the program wrote: a file, - for standard input, or --run DIR";
        Refusal::EmptyInput { message, hint }
    }

    /// The failure that a file of this path could not be written because of.
    pub(crate) fn unwritable(path: &Path, error: io::Error) -> Refusal {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Refusal::FileNotFound { path, error },
            io::ErrorKind::PermissionDenied => Refusal::FileForbidden { path, error },
            _ => Refusal::FileUnwritable { path, error },
        }
    }

    /// The failure that a file of this path could not be read because of.
    pub(crate) fn unreadable(path: PathBuf, error: io::Error) -> Refusal {
        match error.kind() {
            io::ErrorKind::NotFound => Refusal::FileNotFound { path, error },
            io::ErrorKind::PermissionDenied => Refusal::FileForbidden { path, error },
            io::ErrorKind::OutOfMemory => {
                Refusal::OverLimit { message: at(&path, &error), hint: "lower --max-bytes" }
            }
            kind => {
                let is_folder = kind == io::ErrorKind::IsADirectory;
                let hint = "a recorded run is a folder: name it with --run";
                let hint = if is_folder { hint } else { "check the file" };
                Refusal::FileUnreadable { path, error, hint }
            }
        }
    }
}

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

impl From<manila_pack::LoadError> for Refusal {
    fn from(error: manila_pack::LoadError) -> Refusal {
        let hint = match error.kind {
            Some(_) => "check its permissions, or remove it".to_owned(),
            None => format!("manila packs check {}", error.file.display()),
        };
        Refusal::BadPack { message: error.to_string(), hint }
    }
}

impl From<manila_check::Error> for Refusal {
    fn from(error: manila_check::Error) -> Refusal {
        let (message, hint) = (error.to_string(), error.suggestion().map(str::to_owned));
        match error.kind() {
            manila_check::ErrorKind::NotFound => Refusal::ProgramNotFound { message, hint },
            manila_check::ErrorKind::BadDeclaration => Refusal::BadDeclaration { message, hint },
            manila_check::ErrorKind::System => Refusal::SystemRefused { message, hint },
            _ => Refusal::ProgramUnusable { message, hint },
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error.kind() {
            ErrorKind::Empty => Refusal::empty(message),
            ErrorKind::TooDeep => {
                Refusal::OverLimit { message, hint: "raise the limit with --max-depth" }
            }
            ErrorKind::TooLarge => {
                Refusal::OverLimit { message, hint: "raise the limit with --max-bytes" }
            }
            ErrorKind::NotJson => Refusal::NoEnvelope {
                message,
                hint: "what stands there is not JSON: the program that wrote it must be corrected",
            },
            ErrorKind::NoEnvelope => Refusal::NoEnvelope {
                message,
                hint: "name the dialect with --dialect if you know it, and pass the other stream \
                       with --stderr: some programs write failures there",
            },
            ErrorKind::BadRecording => Refusal::BadRecording(message),
            _ => Refusal::Internal(message),
        }
    }
}

/// Every failure that the program can report, each code once.
pub(crate) fn all() -> Vec<Declared> {
    let mut own = Vec::new();
    Refusal::declared(&mut own);
    // Two failures may share a code.
    let mut all: Vec<Declared> = Vec::new();
    for declared in own {
        if !all.iter().any(|known| known.code == declared.code) {
            all.push(declared);
        }
    }
    let boundary = Code::ALL.iter().map(|code| {
        let renamed = RENAMED.iter().find(|(of, _)| of == code);
        let name = renamed.map_or_else(|| code.name(), |(_, name)| name);
        (name, code.exit(), code.meaning())
    });
    let of_calls = manila_run::Code::ALL.iter();
    let of_calls = of_calls.map(|code| (code.name(), code.exit(), code.meaning()));
    for (code, exit, meaning) in boundary.chain(of_calls) {
        if !all.iter().any(|declared| declared.code == code) {
            all.push(Declared { code, exit, meaning, retryable: None, suggestion: None });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_is_a_success_and_each_is_listed_once() {
        let all = all();
        assert!(all.iter().all(|declared| !declared.exit.is_success()));
        for declared in &all {
            let same = all.iter().filter(|other| other.code == declared.code);
            assert_eq!(same.count(), 1, "{}", declared.code);
        }
        assert!(all.iter().any(|declared| declared.code == "UNKNOWN_ARGUMENT"));
    }

    #[test]
    fn what_commands_say_they_fail_with_are_codes_of_ours() {
        let mut own = Vec::new();
        Refusal::declared(&mut own);
        for (command, fails) in crate::cli::FAILS {
            for code in *fails {
                assert!(own.iter().any(|declared| declared.code == *code), "{command}: {code}");
            }
        }
    }
}
