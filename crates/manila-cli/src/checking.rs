//! What `manila check` does beside showing its answer: reads declarations and recorded runs, starts the
//! check, writes files.

use crate::command::check::Arguments;
use crate::input;
use crate::refusal::Refusal;
use clap::builder::styling::{AnsiColor, Style};
use manila::Transcript;
use manila_check::render::{Ink, Line};
use manila_check::{
    Asked, Declaration, Network, Options, Report, Subject, Tell, Unconfined, check, check_recorded,
    init, survey,
};
use manila_clap::Call;
use manila_run::{Cancel, reset_sigchld};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is told of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// What each rule says.
    Report,
    /// What that comes to in the CLI Agent Spec.
    Spec,
}

/// Makes the check.
pub(crate) fn report(arguments: &Arguments, call: &Call) -> Result<Report, Refusal> {
    let declaration = arguments.declared()?;
    if !arguments.run.is_empty() {
        let mut runs = Vec::new();
        for folder in &arguments.run {
            gather(folder, &mut runs)?;
        }
        return Ok(check_recorded(runs, &declaration, &asked(arguments)));
    }
    let subject = subject(arguments, &declaration)?;
    let report = check(&subject, &declaration, &options(arguments, call));
    settled(call, report)
}

/// A declaration from what is found out, and from what was declared of the commands before.
pub(crate) fn declaration(arguments: &Arguments, call: &Call) -> Result<String, Refusal> {
    let declaration = arguments.declared()?;
    let waivers = declaration.waivers.len();
    if waivers > 0 {
        let them = if waivers == 1 { "1 waiver is" } else { &format!("{waivers} waivers are") };
        call.warn(format!("{them} not taken over from {}", arguments.place().display()));
    }
    let subject = subject(arguments, &declaration)?;
    let survey = survey(&subject, &declaration, &options(arguments, call));
    let survey = settled(call, survey)?;
    for note in &survey.notes {
        call.warn(note);
    }
    Ok(init(&subject, &survey.surface))
}

/// What a check came to, unless a signal ended it: then half of it would be told as the whole.
fn settled<T>(call: &Call, made: Result<T, manila_check::Error>) -> Result<T, Refusal> {
    if call.shows_progress() {
        let _ = write!(io::stderr(), "\r\u{1b}[K");
    }
    call.check_cancelled()?;
    Ok(made?)
}

fn subject(arguments: &Arguments, declaration: &Declaration) -> Result<Subject, Refusal> {
    let words = arguments.command.iter().map(|word| {
        word.clone().into_string().map_err(|word| Refusal::InvalidValue {
            message: format!("{} is not UTF-8", word.display()),
            suggestion: "a program and its first arguments are named in UTF-8".to_owned(),
        })
    });
    let words: Vec<String> = words.collect::<Result<_, _>>()?;
    if words.is_empty() && declaration.program.is_empty() {
        return Err(Refusal::NothingToCheck { place: arguments.place().display().to_string() });
    }
    Ok(Subject::resolve(&words, declaration, Path::new("."))?)
}

fn options(arguments: &Arguments, call: &Call) -> Options {
    reset_sigchld();
    Options {
        deadline: arguments.deadline,
        limit: arguments.limit,
        jobs: arguments.jobs,
        network: if arguments.keep_network { Network::Kept } else { Network::Cut },
        record: arguments.record.clone(),
        tell: call.shows_progress().then(|| Arc::new(progress) as Tell),
        cancel: Cancel::when(call.cancellation()),
        unconfined: if arguments.unconfined { Unconfined::All } else { Unconfined::Help },
        asked: asked(arguments),
    }
}

/// A line of a terminal that each run takes over.
fn progress(made: usize, planned: usize) {
    let _ = write!(io::stderr(), "\r\u{1b}[K{made} of {planned} runs");
}

fn asked(arguments: &Arguments) -> Asked {
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    Asked { select: arguments.select.clone(), ignore: arguments.ignore.clone(), today: Some(today) }
}

/// The recorded runs in a folder: itself, or those below it, by name.
fn gather(folder: &Path, runs: &mut Vec<(String, Transcript)>) -> Result<(), Refusal> {
    let before = runs.len();
    descend(folder, runs)?;
    if runs.len() == before {
        let message = format!("{} holds no recorded run", folder.display());
        return Err(Refusal::BadRecording(message));
    }
    Ok(())
}

fn descend(folder: &Path, runs: &mut Vec<(String, Transcript)>) -> Result<(), Refusal> {
    if folder.join("run.json").exists() {
        runs.push((folder.display().to_string(), input::recorded(folder)?));
        return Ok(());
    }
    let unreadable = |error| Refusal::unreadable(folder.to_owned(), error);
    let mut below: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        // A link is not followed: it may lead back here.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below.push(entry.path());
        }
    }
    below.sort();
    below.iter().try_for_each(|folder| descend(folder, runs))
}

/// Writes a file whole or not at all.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Refusal> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let mut file = tempfile::Builder::new();
        // Others may read it, as any file that a program writes.
        #[cfg(unix)]
        file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = file.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path).map_err(|error| error.error)
    };
    write().map(drop).map_err(|error| Refusal::FileUnwritable { path: path.to_owned(), error })
}

/// Lines without colour.
pub(crate) fn text(lines: &[Line]) -> String {
    let words = |line: &Line| line.iter().map(|piece| piece.text.as_str()).collect::<String>();
    lines.iter().map(|line| words(line) + "\n").collect()
}

/// What a piece of a line looks like on a terminal.
pub(crate) fn style(ink: Ink) -> Option<Style> {
    match ink {
        Ink::Plain => None,
        Ink::Name => Some(AnsiColor::Cyan.on_default()),
        Ink::Heading => Some(AnsiColor::Yellow.on_default().bold()),
        Ink::Faint => Some(Style::new().dimmed()),
        Ink::Error => Some(AnsiColor::Red.on_default().bold()),
        Ink::Warning => Some(AnsiColor::Yellow.on_default()),
        Ink::Note => Some(AnsiColor::Cyan.on_default().bold()),
        Ink::Good => Some(AnsiColor::Green.on_default()),
    }
}
