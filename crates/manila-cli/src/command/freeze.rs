//! `manila freeze`: infer a program's contract from what it does, and write it as a lock.

use crate::checking;
use crate::contract::{LOCK, Observation, Source, recorded};
use crate::error::CliError;
use crate::help::examples;
use clap::Args;
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila freeze -- td", "write manila.lock"),
    ("manila freeze -o - -- git", "print it"),
    ("manila freeze --run runs/ -o runs.lock", "from runs that were recorded before"),
];

pub(crate) const FAILS: &[&str] = &[
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
    "FILE_EXISTS",
    "FILE_UNWRITABLE",
    "OVER_LIMIT",
];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: Source,

    /// Write the lock to this file; - is stdout
    #[arg(short = 'o', long = "out", value_name = "FILE", default_value = LOCK)]
    out: PathBuf,

    /// Overwrite a file that is not a lock
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    observation: Observation,
}

/// A contract that was frozen.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Frozen")]
#[reply(kind = "freeze", show = show)]
pub(crate) struct Answer {
    /// Where the lock was written, if it was.
    path: Option<String>,
    commands: usize,
    /// How many calls the contract rests on.
    calls: usize,
    /// How many runs were made.
    runs: usize,
    facts: usize,
    /// Calls that lead to different outcomes each time.
    flaky: Vec<String>,
    /// The lock, if it was not written to a file.
    lock: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let is_printed = arguments.out.as_os_str() == "-";
    if !is_printed && !arguments.force && is_something_else(&arguments.out) {
        return Err(CliError::FileExists { path: arguments.out.clone() });
    }
    let Arguments { source, observation, .. } = arguments;
    let declaration = observation.declarations.read()?;
    let (lock, runs) = if source.run.is_empty() {
        let observed = observation.observe(&source.command, &declaration, call)?;
        (observed.lock, observed.runs)
    } else {
        (recorded(&source.run, &declaration)?, 0)
    };
    let text = lock.write();
    let flaky = lock.flaky_calls();
    for line in &flaky {
        call.warn(format!("equal calls of `{line}` lead to different outcomes"));
    }
    if !is_printed {
        checking::replace(&arguments.out, &text)?;
    }
    Ok(Answer {
        path: (!is_printed).then(|| arguments.out.display().to_string()),
        commands: lock.command_count(),
        calls: lock.call_count(),
        runs,
        facts: text.lines().count().saturating_sub(2),
        flaky,
        lock: is_printed.then_some(text),
    })
}

/// Whether a file has content that is not a lock, not even a broken one.
fn is_something_else(path: &Path) -> bool {
    let mut first = [0; 11];
    match fs::File::open(path).and_then(|mut file| file.read(&mut first)) {
        Ok(0) | Err(_) => path.is_dir(),
        Ok(length) => {
            let is_lock = first[..length].starts_with(b"manila.lock");
            !is_lock && !first[..length].starts_with(b"<<<<<<<")
        }
    }
}

fn show(answer: &Answer, screen: &mut Screen) {
    if let Some(lock) = &answer.lock {
        return screen.verbatim(lock);
    }
    let path = answer.path.as_deref().unwrap_or_default();
    let (facts, commands, calls) = (answer.facts, answer.commands, answer.calls);
    screen
        .line(format!("wrote {path}: {facts} facts about {commands} commands, from {calls} calls"));
}
