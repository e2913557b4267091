//! `manila verify`: compare a program with its lock.

use crate::checking;
use crate::contract::{Compared, LOCK, Observation, Report, Source, answer, read_lock, recorded};
use crate::error::CliError;
use crate::help::examples;
use clap::Args;
use manila_check::internal::joined;
use manila_clap::Call;
use manila_contract::{Comparison, Lock, Outcome, Purpose, Reader, Versions, snapshots};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila verify -- td", "compare a program with manila.lock"),
    ("manila verify --bless -- td", "accept what changed"),
    ("manila verify --fixtures tests/fixtures/json -- td", "and its answers with snapshots"),
];

pub(crate) const FAILS: &[&str] = &[
    "CONTRACT_DIFFERS",
    "COMPARISON_INCOMPLETE",
    "BAD_LOCK",
    "NOTHING_TO_OBSERVE",
    "OBSERVATION_INCOMPLETE",
    "PROGRAM_NOT_FOUND",
    "PROGRAM_UNUSABLE",
    "BAD_DECLARATION",
    "SYSTEM_REFUSED",
    "INVALID_VALUE",
    "BAD_RECORDING",
    "BAD_PACK",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNREADABLE",
    "FILE_UNWRITABLE",
    "OVER_LIMIT",
];

const EXITS: &str = "Exit status: 0 the program does what the lock says, 100 it does not (CONTRACT_DIFFERS), 4 it could not be \
                     compared in full, 1 manila itself failed, 3 invalid arguments or an invalid manila.toml, 5 no such program \
                     or file.";

#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{EXITS}", examples(EXAMPLES)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: Source,

    /// The lock
    #[arg(long, value_name = "FILE", default_value = LOCK)]
    lock: PathBuf,

    /// Keep a snapshot of one answer per command and envelope version in this directory
    #[arg(long, value_name = "DIR", conflicts_with = "run")]
    fixtures: Option<PathBuf>,

    /// Accept what changed: rewrite the lock and the snapshots
    #[arg(long)]
    bless: bool,

    #[command(flatten)]
    report: Report,

    #[command(flatten)]
    observation: Observation,
}

answer!("verify");

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let known = read_lock(&arguments.lock)?;
    let Arguments { source, observation, .. } = arguments;
    let declaration = observation.declarations.read()?;
    let (lock, name, taken) = if source.run.is_empty() {
        let observed = observation.observe(&source.command, &declaration, call)?;
        let name = if source.command.is_empty() {
            joined(declaration.program.iter().map(String::as_str))
        } else {
            let words: Vec<_> = source.command.iter().map(|it| it.to_string_lossy()).collect();
            joined(words.iter().map(AsRef::as_ref))
        };
        let taken =
            if arguments.fixtures.is_some() { snapshots(&observed) } else { BTreeMap::new() };
        (observed.lock, name, taken)
    } else {
        (recorded(&source.run, &declaration)?, "recorded runs".to_owned(), BTreeMap::new())
    };
    let names = [arguments.lock.display().to_string(), name];
    let mut comparison = Comparison::new(
        Purpose::Verify,
        names,
        [&known, &lock],
        &Versions::default(),
        Reader::Tolerant,
    );
    if let Some(directory) = &arguments.fixtures {
        comparison.snapshots = changed(directory, &taken)?;
    }
    let blessed = if arguments.bless && comparison.outcome() != Outcome::Clean {
        arguments.bless(&lock, &taken, &comparison.snapshots)?
    } else {
        Vec::new()
    };
    let outcome = comparison.outcome();
    let compared = Compared::new(comparison, "verify", &arguments.report, blessed)?;
    match outcome {
        _ if arguments.bless => Ok(Answer(compared)),
        Outcome::Clean => Ok(Answer(compared)),
        Outcome::Changed => Err(CliError::ContractDiffers { found: compared.into_found() }),
        Outcome::Incomplete => Err(CliError::ComparisonIncomplete { found: compared.into_found() }),
    }
}

impl Arguments {
    /// Rewrites the lock and the snapshots that changed, after everything was observed: all of them or none.
    fn bless(
        &self,
        lock: &Lock,
        taken: &BTreeMap<String, String>,
        changed: &[String],
    ) -> Result<Vec<String>, CliError> {
        let mut files = vec![(self.lock.clone(), lock.write())];
        if let Some(directory) = &self.fixtures {
            fs::create_dir_all(directory)
                .map_err(|error| CliError::unwritable(directory, error))?;
            let taken = taken.iter().filter(|(name, _)| changed.contains(name));
            files.extend(taken.map(|(name, text)| (directory.join(name), text.clone())));
        }
        checking::replace_all(&files)?;
        Ok(files.into_iter().map(|(path, _)| path.display().to_string()).collect())
    }
}

/// The snapshots that differ or do not exist.
fn changed(directory: &Path, taken: &BTreeMap<String, String>) -> Result<Vec<String>, CliError> {
    let mut changed = Vec::new();
    for (name, text) in taken {
        let path = directory.join(name);
        match fs::read(&path) {
            Ok(known) if known == text.as_bytes() => {}
            Ok(_) => changed.push(name.clone()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => changed.push(name.clone()),
            Err(error) => return Err(CliError::unreadable(path, error)),
        }
    }
    Ok(changed)
}
