//! `manila diff`: compare two contracts, and classify every change by reader.

use crate::contract::{Compared, Observation, Report, answer, read_lock};
use crate::error::CliError;
use crate::help::examples;
use clap::{Args, ValueEnum};
use manila_clap::Call;
use manila_contract::{Comparison, Lock, Observed, Outcome, Purpose, Versions, confirm};
use manila_pack::Packs;
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila diff old.lock manila.lock", "compare two locks"),
    ("manila diff --bin ./old --bin ./new", "compare two programs, and run what breaks on both"),
    ("manila diff manila.lock --bin \"./notes --profile ci\"", "compare a lock with a program"),
    (
        "manila diff --reader strict --format markdown old.lock new.lock",
        "for closed schemas, as a comment",
    ),
];

pub(crate) const FAILS: &[&str] = &[
    "BREAKING_CHANGES",
    "COMPARISON_INCOMPLETE",
    "COULD_NOT_COMPARE",
    "BAD_DECLARATION",
    "INVALID_VALUE",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNWRITABLE",
];

const EXITS: &str = "Exit status: 0 nothing breaking, 100 at least one breaking change (BREAKING_CHANGES), 4 could not compare, or \
                     less was compared than the old contract rests on, 1 manila itself failed, 3 invalid arguments or an \
                     invalid manila.toml.";

#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{EXITS}", examples(EXAMPLES)))]
pub(crate) struct Arguments {
    /// Locks to compare, the old one first; one, if --bin names the new program
    #[arg(value_name = "LOCK", num_args = 0..=2)]
    locks: Vec<PathBuf>,

    /// Program to compare, with arguments that begin each call; give it twice for two programs
    #[arg(long, value_name = "COMMAND")]
    bin: Vec<String>,

    /// Who reads the answers
    #[arg(long, value_name = "READER", default_value = "tolerant")]
    reader: Reader,

    #[command(flatten)]
    report: Report,

    #[command(flatten)]
    observation: Observation,
}

/// Who reads the answers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Reader {
    /// Closed schemas and exhaustive matches: what is unknown is an error
    Strict,
    /// Programs that ignore what they do not know
    Tolerant,
    /// Scripts: paths of jq, exit codes, grep
    Script,
}

answer!("diff");

/// One side of a comparison.
enum Side {
    Lock(Box<Lock>),
    Program(Box<Observed>),
}

impl Side {
    fn lock(&self) -> &Lock {
        match self {
            Side::Lock(lock) => lock,
            Side::Program(observed) => &observed.lock,
        }
    }

    fn version(&self) -> Option<String> {
        match self {
            Side::Lock(_) => None,
            Side::Program(observed) => observed.version.clone(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    if arguments.locks.len() + arguments.bin.len() != 2 {
        return Err(CliError::InvalidValue {
            message: format!(
                "two things are compared, and {} were given",
                arguments.locks.len() + arguments.bin.len()
            ),
            suggestion:
                "manila diff OLD.lock NEW.lock, or --bin OLD --bin NEW, or OLD.lock --bin NEW"
                    .to_owned(),
        });
    }
    let declaration = arguments.observation.declarations.read()?;
    let mut names = Vec::new();
    let mut sides = Vec::new();
    for path in &arguments.locks {
        names.push(path.display().to_string());
        sides.push(Side::Lock(Box::new(read_lock(path).map_err(uncompared)?)));
    }
    for line in &arguments.bin {
        let words = shlex::split(line).filter(|words| !words.is_empty()).ok_or_else(|| {
            CliError::InvalidValue {
                message: format!(
                    "{line:?} is not a command: it is empty, or a quote is not closed"
                ),
                suggestion: "--bin \"./program --argument\"".to_owned(),
            }
        })?;
        let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        let observed =
            arguments.observation.observe(&words, &declaration, call).map_err(uncompared)?;
        names.push(line.clone());
        sides.push(Side::Program(Box::new(observed)));
    }
    let (Some(new), Some(old), Some(new_name), Some(old_name)) =
        (sides.pop(), sides.pop(), names.pop(), names.pop())
    else {
        return Err(CliError::Internal("two sides were counted and are not there".to_owned()));
    };
    let reader = match arguments.reader {
        Reader::Strict => manila_contract::Reader::Strict,
        Reader::Tolerant => manila_contract::Reader::Tolerant,
        Reader::Script => manila_contract::Reader::Script,
    };
    let versions = Versions { old: old.version(), new: new.version() };
    let locks = [old.lock(), new.lock()];
    let mut comparison =
        Comparison::new(Purpose::Diff, [old_name, new_name], locks, &versions, reader);
    if let (Side::Program(old), Side::Program(new)) = (&old, &new) {
        confirm(&mut comparison, old, new, &Packs::from_environment()?);
        crate::progress::clear(call);
        call.check_cancelled()?;
    }
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    comparison.accept(&declaration.accepted, today);
    let outcome = comparison.outcome();
    let compared = Compared::new(comparison, "diff", &arguments.report, Vec::new())?;
    match outcome {
        Outcome::Clean => Ok(Answer(compared)),
        Outcome::Changed => Err(CliError::BreakingChanges { found: compared.into_found() }),
        Outcome::Incomplete => Err(CliError::ComparisonIncomplete { found: compared.into_found() }),
    }
}

/// Whatever keeps a side from being known keeps the two from being compared: that never reads as clean,
/// nor as any other failure.
fn uncompared(error: CliError) -> CliError {
    let message = error.to_string();
    let hint = match error {
        CliError::Cancelled(_) => return error,
        CliError::BadLock { hint, .. } => Some(hint),
        CliError::ProgramNotFound { hint, .. }
        | CliError::ProgramUnusable { hint, .. }
        | CliError::SystemRefused { hint, .. }
        | CliError::ObservationIncomplete { hint, .. } => hint,
        CliError::FileNotFound { .. } => {
            Some("`manila freeze -- PROGRAM` writes a lock".to_owned())
        }
        _ => None,
    };
    CliError::CouldNotCompare { message, hint }
}
