//! `manila packs`: list, show, check and record what is known about programs.

use crate::error::CliError;
use crate::help::examples;
use crate::human::title;
use crate::lint::{self, LintedFile, Report, Severity};
use crate::page::Page;
use crate::program_page;
use clap::{Args, Subcommand};
use manila::{Status, Transcript, did_you_mean};
use manila_clap::{Call, Effect, Reply, Screen};
use manila_pack::record::{self, About};
use manila_pack::{Finding, Lookup, Origin, Pack, Packs, check_file};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila packs", "list what is known"),
    ("manila packs show git", "show what is known about git"),
    ("manila packs check packs/*/pack.toml", "check packs and the runs beside them"),
    ("manila packs record git --case fetch-429 -- git fetch", "record a run as a test"),
];

pub(crate) const FAILS: &[&str] = &[
    "PACK_NOT_FOUND",
    "BAD_PACK",
    "PACK_HAS_MISTAKES",
    "PROGRAM_NOT_FOUND",
    "PROGRAM_UNUSABLE",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNREADABLE",
    "FILE_EXISTS",
    "FILE_UNWRITABLE",
];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the packs
    List,
    /// Show a pack
    Show {
        /// The pack, or a program that it is for
        name: String,
    },
    /// Lint packs and replay the recorded runs beside them
    Check(lint::Arguments),
    /// Run a command once and record it as a test of a pack, with secrets masked
    Record {
        /// The pack
        name: String,
        /// The directory of the pack, if it is not the user's
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// The name of the run; the words of the call and its status, if nothing is said
        #[arg(long, value_name = "NAME")]
        case: Option<String>,
        /// The version of the program
        #[arg(long, value_name = "VERSION")]
        program_version: Option<String>,
        /// The program and its arguments; no shell sees them
        #[arg(last = true, required = true, value_name = "COMMAND", value_hint = clap::ValueHint::CommandName)]
        command: Vec<String>,
    },
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let packs = Packs::from_environment()?;
    match &arguments.what {
        None | Some(What::List) => list(&packs).map(Answer::List),
        Some(What::Show { name }) => {
            let pack = named(&packs, name)?;
            Ok(Answer::Show(Shown::of(&pack)))
        }
        Some(What::Check(arguments)) => check(arguments, &packs).map(Answer::Check),
        Some(What::Record { name, dir, case, program_version, command }) => {
            // A new pack is recorded before it is built in, and an edited one as it is now.
            let file = dir.as_ref().map(|dir| dir.join("pack.toml")).filter(|file| file.is_file());
            let packs = match file {
                Some(file) => packs.and_file(file),
                None => packs,
            };
            let pack = named(&packs, name)?;
            let about =
                About { version: program_version.clone(), home: std::env::var("HOME").ok() };
            let transcript = record::masked(&start(call, command)?, &about);
            let recorded =
                keep(&pack, dir.as_deref(), case.as_deref(), &transcript, &packs, &about)?;
            call.effect(Effect::Created);
            Ok(Answer::Record(recorded))
        }
    }
}

/// A pack by its name, or by the name of a program.
fn named(packs: &Packs, name: &str) -> Result<Pack, CliError> {
    if let Some(pack) = packs.pack(name)? {
        return Ok(pack);
    }
    if let Some(pack) = packs.load(name)? {
        return Ok(pack);
    }
    let names = packs.names()?;
    let closest = did_you_mean(name, names.iter().map(String::as_str));
    let closest = closest.unwrap_or_else(|| "`manila packs` lists them".to_owned());
    Err(CliError::PackNotFound { name: name.to_owned(), closest })
}

#[derive(Reply)]
pub(crate) enum Answer {
    List(Listed),
    Show(Shown),
    Check(Report),
    Record(Recorded),
}

/// The packs.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Packs")]
#[reply(kind = "packs", show = show_list)]
pub(crate) struct Listed {
    packs: Vec<Entry>,
}

/// A pack.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PackEntry")]
struct Entry {
    name: String,
    title: String,
    programs: Vec<String>,
    versions: Vec<String>,
    origin: String,
    effects: usize,
    errors: usize,
    statuses: usize,
}

fn origin(pack: &Pack) -> String {
    match pack.origin() {
        Origin::Builtin => "built in".to_owned(),
        Origin::File(file) => file.display().to_string(),
        Origin::Extended(file) => format!("built in, extended by {}", file.display()),
    }
}

fn list(packs: &Packs) -> Result<Listed, CliError> {
    let mut entries = Vec::new();
    for name in packs.names()? {
        if let Some(pack) = packs.pack(&name)? {
            let model = pack.whole();
            let texts =
                |texts: &[manila_pack::Text<'_>]| texts.iter().map(ToString::to_string).collect();
            entries.push(Entry {
                name,
                title: model.title.to_string(),
                programs: texts(&model.programs),
                versions: texts(&model.versions),
                origin: origin(&pack),
                effects: model.effect.len(),
                errors: model.error.len(),
                statuses: model.status.len(),
            });
        }
    }
    Ok(Listed { packs: entries })
}

fn show_list(listed: &Listed, screen: &mut Screen) {
    let rows = listed.packs.iter().map(|pack| {
        let number = |count: usize| count.to_string();
        [
            pack.name.clone(),
            number(pack.effects),
            number(pack.errors),
            number(pack.statuses),
            pack.title.clone(),
        ]
    });
    screen.table(["PACK", "EFFECTS", "ERRORS", "STATUSES", "PROGRAM"], rows);
}

/// What a pack says.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Pack")]
#[reply(kind = "pack", show = show_pack)]
pub(crate) struct Shown {
    origin: String,
    /// The pack in the words of its format.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pack: serde_json::Value,
    #[serde(skip)]
    page: Page,
}

impl Shown {
    fn of(pack: &Pack) -> Shown {
        let model = pack.whole();
        let value = serde_json::to_value(&*model).unwrap_or_default();
        Shown { origin: origin(pack), pack: value, page: program_page::of(pack) }
    }
}

fn show_pack(shown: &Shown, screen: &mut Screen) {
    shown.page.show(screen);
    screen.field("origin", &shown.origin);
}

fn check(arguments: &lint::Arguments, packs: &Packs) -> Result<Report, CliError> {
    let mut linted = Vec::new();
    for file in &arguments.files {
        let found = check_file(file, packs);
        let checked = found.map_err(|error| CliError::unreadable(file.clone(), error))?;
        let finding = |Finding { line, run, message, hint }| lint::Finding {
            severity: Severity::Mistake,
            line,
            sample: run.map(|run| format!("run {run}")),
            message,
            hint,
        };
        linted.push(LintedFile {
            file: checked.file.display().to_string(),
            name: checked.name,
            samples: checked.runs,
            findings: checked.findings.into_iter().map(finding).collect(),
        });
    }
    let verdict = Report::new(linted, arguments.format).verdict();
    verdict.map_err(|found| CliError::PackHasMistakes { found })
}

/// A run that was kept as a test.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "RecordedRun")]
#[reply(kind = "packs-record", show = show_recorded)]
pub(crate) struct Recorded {
    directory: String,
    files: Vec<String>,
    /// What the run is read as now, which `expect.json` says.
    class: String,
    action: Option<String>,
    message: Option<String>,
}

fn show_recorded(recorded: &Recorded, screen: &mut Screen) {
    title(screen, &recorded.directory);
    screen.field("class", &recorded.class);
    for (name, value) in [("do", &recorded.action), ("message", &recorded.message)] {
        if let Some(value) = value {
            screen.field(name, value);
        }
    }
    screen.line("Look at the files for secrets before you share them, and correct expect.json if it is wrong.");
}

/// Runs the command once, with nothing on stdin.
fn start(call: &Call, command: &[String]) -> Result<Transcript, CliError> {
    let [program, arguments @ ..] = command else {
        return Err(CliError::Internal("clap requires a command".to_owned()));
    };
    let failed = |error: io::Error| {
        let message = format!("{program}: {error}");
        match error.kind() {
            io::ErrorKind::NotFound => CliError::ProgramNotFound { message, hint: None },
            _ => CliError::ProgramUnusable { message, hint: None },
        }
    };
    let begun = Instant::now();
    let mut process = call.child(program);
    process.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().map_err(failed)?;
    let mut errors = child.stderr.take();
    // Both streams are read at once, so that neither can stop the program.
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        errors.as_mut().map_or(Ok(0), |stream| stream.read_to_end(&mut bytes)).map(|_| bytes)
    });
    let mut stdout = Vec::new();
    if let Some(mut stream) = child.stdout.take() {
        stream.read_to_end(&mut stdout).map_err(failed)?;
    }
    let status = child.wait().map_err(failed)?;
    let stderr = reader.join().map_err(|_| CliError::Internal("a reader panicked".to_owned()))?;
    let duration = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Transcript {
        argv: command.to_vec(),
        stdout,
        stderr: stderr.map_err(failed)?,
        status: ended(status),
        duration_ms: Some(duration),
    })
}

#[cfg(unix)]
fn ended(status: std::process::ExitStatus) -> Status {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal().map(Status::Signaled);
    status.code().map(Status::Exited).or(signal).unwrap_or(Status::Unknown)
}

#[cfg(not(unix))]
fn ended(status: std::process::ExitStatus) -> Status {
    status.code().map_or(Status::Unknown, Status::Exited)
}

fn keep(
    pack: &Pack,
    dir: Option<&Path>,
    case: Option<&str>,
    transcript: &Transcript,
    packs: &dyn Lookup,
    about: &About,
) -> Result<Recorded, CliError> {
    let own = || manila_pack::user_directory().map(|directory| directory.join(pack.name()));
    let dir = dir.map(Path::to_owned).or_else(own).ok_or(CliError::NoPlace)?;
    let case = case.map_or_else(|| case_name(transcript), str::to_owned);
    let directory = dir.join("runs").join(&case);
    let expected = record::expectation(transcript, pack, packs);
    let files =
        record::write(&directory, transcript, &expected, about).map_err(|error| {
            match error.kind() {
                io::ErrorKind::AlreadyExists => CliError::FileExists { path: directory.clone() },
                _ => CliError::unwritable(&directory, error),
            }
        })?;
    Ok(Recorded {
        directory: directory.display().to_string(),
        files: files.iter().map(|file| file.display().to_string()).collect(),
        class: expected.class,
        action: expected.action,
        message: expected.message,
    })
}

/// The words of a call and its status: `fetch-origin-128`.
fn case_name(transcript: &Transcript) -> String {
    let words = transcript.argv.iter().skip(1).filter(|word| !word.starts_with('-')).take(3);
    let mut name = String::new();
    for word in words {
        let plain = word
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
        let plain: String = plain.take(20).collect();
        name.push_str(plain.trim_matches('-'));
        name.push('-');
    }
    let status = match transcript.status {
        Status::Exited(code) => code.to_string(),
        Status::Signaled(signal) => format!("signal-{signal}"),
        Status::Unknown => "unknown".to_owned(),
    };
    name + &status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_after_its_call() {
        let argv = ["git", "-C", "x", "fetch", "https://x/y", "main"].map(str::to_owned).to_vec();
        let transcript = Transcript { argv, status: Status::Exited(128), ..Transcript::default() };
        assert_eq!(case_name(&transcript), "x-fetch-https---x-y-128");
    }
}
