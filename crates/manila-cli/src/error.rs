//! Why manila itself can fail: the codes, their exit classes, and what to do about each.

mod convert;
mod so_far;

use manila_clap::{Cancelled, Code, Declared, Failure};
pub(crate) use so_far::{Found, SoFar};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The code for a bug of manila itself.
const INTERNAL: &str = "INTERNAL_ERROR";

/// The failures of the boundary that have another name here.
pub(crate) const RENAMED: &[(Code, &str)] =
    &[(Code::Panicked, INTERNAL), (Code::SerializationFailed, INTERNAL)];

/// A failure of the program.
#[derive(Debug, Failure)]
pub(crate) enum CliError {
    /// There is nothing to read.
    #[failure(exit = NotFound, message = "{message}", suggestion = *hint)]
    EmptyInput { message: String, hint: &'static str },

    /// No document in the input is an envelope.
    #[failure(exit = NotFound, message = "{message}", suggestion = *hint)]
    NoEnvelope { message: String, hint: &'static str },

    /// The input is larger or deeper than the limit.
    #[failure(exit = Precondition, message = "{message}", suggestion = *hint)]
    OverLimit { message: String, hint: &'static str },

    /// A file or directory does not exist.
    #[failure(exit = NotFound, message = at(path, error), suggestion = "check the path")]
    FileNotFound {
        path: PathBuf,
        #[source]
        error: io::Error,
    },

    /// A file or directory may not be read.
    #[failure(exit = PermissionDenied, message = at(path, error), suggestion = "check its permissions")]
    FileForbidden {
        path: PathBuf,
        #[source]
        error: io::Error,
    },

    /// A file or directory cannot be read.
    #[failure(exit = General, message = at(path, error), suggestion = *hint)]
    FileUnreadable {
        path: PathBuf,
        #[source]
        error: io::Error,
        hint: &'static str,
    },

    /// A directory is not a recorded run.
    #[failure(
        exit = Precondition,
        message = "{0}",
        suggestion = "a recorded run is a directory with run.json, stdout and stderr"
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

    /// There is no directory for what manila remembers.
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
        status = 100,
        message = found.complaint.clone(),
        suggestion = "`manila explain RULE` says more; --quarantine FILE keeps the bad records",
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    ViolationsFound { found: Found },

    /// Not every input could be read to its end; the rest was.
    #[failure(
        exit = PartialFailure,
        message = found.complaint.clone(),
        suggestion = "check the input",
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    InputIncomplete { found: Found },

    /// Not everything could be written; what was, is whole.
    #[failure(
        exit = PartialFailure,
        message = found.complaint.clone(),
        suggestion = *hint,
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    OutputIncomplete { hint: &'static str, found: Found },

    /// A file that is to be written has something in it.
    #[failure(
        exit = Conflict,
        message = format!("{} has something in it", path.display()),
        suggestion = "name another file, or replace it with --force"
    )]
    WouldOverwrite { path: PathBuf },

    /// A file cannot be written.
    // Not the class of a command that found something wrong, which has results.
    #[failure(exit = Precondition, message = at(path, error), suggestion = unwritten(error))]
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

    /// Rules failed. The error has the counts and the ids of the rules; `--format json` writes the report.
    #[failure(
        exit = General,
        status = 100,
        message = found.complaint.clone(),
        suggestion = "`manila explain RULE` says more; manila.toml waives a rule, with a reason",
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    DoesNotConform { found: Found },

    /// No rule could be decided, so nothing says that the program conforms.
    #[failure(
        exit = Precondition,
        message = "no rule could be decided",
        suggestion = "`manila check --init` writes a manila.toml to declare what can be called",
        details = found.counts,
        data = found
    )]
    NothingDecided { found: Found },

    /// The program has no such command.
    #[failure(exit = ArgError, phase = Validation, message = "{message}", suggestion = hint)]
    UnknownCommand { message: String, hint: Option<String> },

    /// No program was named.
    #[failure(
        exit = ArgError,
        phase = Validation,
        message = "there is nothing to check: no command, no recorded run, and no program in {place}",
        suggestion = "manila check -- PROGRAM, or manila check --run DIR"
    )]
    NothingToCheck { place: String },

    /// No program to observe was named.
    #[failure(
        exit = ArgError,
        phase = Validation,
        message = "there is nothing to observe: no command, no recorded run, and no program in {place}",
        suggestion = "name the program after `--`"
    )]
    NothingToObserve { place: String },

    /// Not every call of a program could be made, so nothing is known for certain.
    #[failure(exit = Precondition, message = "{message}", suggestion = hint)]
    ObservationIncomplete { message: String, hint: Option<String> },

    /// A lock cannot be read.
    #[failure(exit = Precondition, message = "{message}", suggestion = hint)]
    BadLock { message: String, hint: String },

    /// The program does not do what its lock says.
    #[failure(
        exit = General,
        status = 100,
        message = found.complaint.clone(),
        suggestion = "`manila explain RULE` says more; --bless accepts what changed",
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    ContractDiffers { found: Found },

    /// Something breaks callers.
    #[failure(
        exit = General,
        status = 100,
        message = found.complaint.clone(),
        suggestion = "`manila explain RULE` says more; `[[accept]]` in manila.toml accepts a change, with a reason",
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    BreakingChanges { found: Found },

    /// Less was compared than the old contract rests on.
    #[failure(
        exit = Precondition,
        message = format!("less was compared than the old contract rests on ({})", found.tally),
        details = found.counts,
        suggestion = "declare the missing calls as `[[case]]` in manila.toml, or find out why they cannot be made",
        data = found
    )]
    ComparisonIncomplete { found: Found },

    /// Two contracts cannot be compared.
    #[failure(exit = Precondition, message = "could not compare: {message}", suggestion = hint)]
    CouldNotCompare { message: String, hint: Option<String> },

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
        status = 100,
        message = found.complaint.clone(),
        suggestion = "docs/packs.md describes the format; --format json writes the report",
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    PackHasMistakes { found: Found },

    /// A user's or a project's dialect cannot be used.
    #[failure(exit = Precondition, message = "{message}", suggestion = hint)]
    BadDialect { message: String, hint: String },

    /// Files of dialects have mistakes, or their examples are not read as they should be.
    #[failure(
        exit = General,
        status = 100,
        message = found.complaint.clone(),
        suggestion = "docs/dialects.md describes the format; --format json writes the report",
        detail = found.tally.clone(),
        details = found.counts,
        data = found
    )]
    DialectHasMistakes { found: Found },

    /// No dialect can be proposed from these runs.
    #[failure(exit = Precondition, message = "{message}", suggestion = *hint)]
    NothingInferred { message: String, hint: &'static str },

    /// A manifest or a schema is not one that code can be generated from.
    #[failure(exit = Precondition, message = "{message}", suggestion = suggestion)]
    CannotGenerate { message: String, suggestion: String },

    /// A program does not describe itself.
    #[failure(
        exit = NotFound,
        message = "{message}",
        suggestion = "write its manifest to a file and pass it with --manifest, or name a --dialect"
    )]
    NoManifest { message: String },

    /// A file that would be replaced was not generated.
    #[failure(
        exit = Conflict,
        message = "{message}",
        suggestion = "name another directory with -o, or remove the file"
    )]
    NotGenerated { message: String },

    /// Files are not what would be generated.
    #[failure(
        exit = General,
        status = 100,
        message = "{message}",
        suggestion = "run the same command without --check",
        data = so_far
    )]
    GeneratedFilesDiffer { message: String, so_far: SoFar },

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

/// A signal ended it.
#[derive(Debug)]
pub(crate) struct Interrupted {
    pub(crate) cancelled: Cancelled,
    pub(crate) found: Found,
}

impl Failure for Interrupted {
    fn into_error(self) -> manila_clap::Error {
        let Found { tally, .. } = &self.found;
        self.cancelled.into_error().detail(tally.clone()).data(self.found)
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

impl CliError {
    /// The failure that there is no answer of a program to look at.
    pub(crate) fn empty(message: String) -> CliError {
        let hint = "pass the bytes that the program wrote: a file, - for stdin, or --run DIR";
        CliError::EmptyInput { message, hint }
    }

    /// The failure that a file of this path could not be written because of.
    pub(crate) fn unwritable(path: &Path, error: io::Error) -> CliError {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => CliError::FileNotFound { path, error },
            io::ErrorKind::PermissionDenied => CliError::FileForbidden { path, error },
            _ => CliError::FileUnwritable { path, error },
        }
    }

    /// The failure that a file of this path could not be read because of.
    pub(crate) fn unreadable(path: PathBuf, error: io::Error) -> CliError {
        match error.kind() {
            io::ErrorKind::NotFound => CliError::FileNotFound { path, error },
            io::ErrorKind::PermissionDenied => CliError::FileForbidden { path, error },
            io::ErrorKind::OutOfMemory => {
                CliError::OverLimit { message: at(&path, &error), hint: "lower --max-bytes" }
            }
            kind => {
                let is_dir = kind == io::ErrorKind::IsADirectory;
                let hint = "a recorded run is a directory: name it with --run";
                let hint = if is_dir { hint } else { "check the file" };
                CliError::FileUnreadable { path, error, hint }
            }
        }
    }
}

/// What to do about a file that could not be written.
fn unwritten(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "free some space, or choose a directory with more"
        }
        _ => "check the directory and its permissions",
    }
}

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Every failure that the program can report, each code once.
pub(crate) fn all() -> Vec<Declared> {
    let mut own = Vec::new();
    CliError::declared(&mut own);
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
            all.push(Declared::new(code, exit, meaning));
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
        CliError::declared(&mut own);
        for (command, fails) in crate::cli::FAILS {
            for code in *fails {
                assert!(own.iter().any(|declared| declared.code == *code), "{command}: {code}");
            }
        }
    }
}
