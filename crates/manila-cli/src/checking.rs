//! What the commands that check or compare programs share: arguments, recorded runs, files, progress and styled
//! lines.

use crate::error::CliError;
use crate::input;
use crate::progress;
use clap::Args;
use clap::builder::styling::{AnsiColor, Style};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use manila::Transcript;
use manila::record::RUN_FILE;
use manila_check::render::{Format, Ink, Line};
use manila_check::{Declaration, Network, Options, Progress, Subject, Unconfined};
use manila_clap::{Call, Cell, Screen};
use manila_pack::Packs;
use manila_run::{Cancel, duration, reset_sigchld};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Where the declarations are.
#[derive(Debug, Args)]
pub(crate) struct Declarations {
    /// Read declarations and waivers from this file [default: manila.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl Declarations {
    /// The file, which need not exist if it was not named.
    pub(crate) fn path(&self) -> PathBuf {
        self.config.clone().unwrap_or_else(|| PathBuf::from("manila.toml"))
    }

    /// The declarations.
    pub(crate) fn read(&self) -> Result<Declaration, CliError> {
        let path = self.path();
        if self.config.is_none() && !path.exists() {
            return Ok(Declaration::default());
        }
        Ok(Declaration::read(&path)?)
    }
}

/// How each run of a program is limited and confined.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Stop each run after this time
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "5s", help_heading = "Limits")]
    limit: Duration,

    /// Number of parallel runs [default: number of cores]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    jobs: Option<NonZeroUsize>,

    /// Give the program access to the network
    #[arg(long, help_heading = "Limits")]
    keep_network: bool,

    /// Make every call even if the system cannot confine the program; otherwise only --help and --version
    #[arg(long, help_heading = "Limits")]
    unconfined: bool,
}

impl Limits {
    /// The options of a check that lasts until `deadline` at most.
    pub(crate) fn options(&self, deadline: Duration, call: &Call) -> Result<Options, CliError> {
        reset_sigchld();
        Ok(Options {
            deadline,
            limit: self.limit,
            jobs: self.jobs,
            network: if self.keep_network { Network::Host } else { Network::Cut },
            progress: call.shows_progress().then(|| Arc::new(show_runs) as Progress),
            cancel: Cancel::when(call.cancellation()),
            unconfined: if self.unconfined { Unconfined::All } else { Unconfined::Help },
            packs: Packs::from_environment()?,
            ..Options::default()
        })
    }
}

/// Shows how many runs of a check were made.
fn show_runs(made: usize, planned: usize) {
    progress::show(format_args!("{made} of {planned} runs"));
}

/// The program of these words, or else the declared one. If there is neither, `none` makes the error.
pub(crate) fn subject(
    words: &[OsString],
    declaration: &Declaration,
    none: impl FnOnce() -> CliError,
) -> Result<Subject, CliError> {
    let words = words.iter().map(|word| {
        word.clone().into_string().map_err(|word| CliError::InvalidValue {
            message: format!("{} is not UTF-8", word.display()),
            suggestion: "a program and its first arguments are named in UTF-8".to_owned(),
        })
    });
    let words: Vec<String> = words.collect::<Result<_, _>>()?;
    if words.is_empty() && declaration.program.is_empty() {
        return Err(none());
    }
    Ok(Subject::resolve(&words, declaration, Path::new("."))?)
}

/// The result of the calls of a program, unless a signal ended them: then a part would be reported as the whole.
pub(crate) fn settled<T, E: Into<CliError>>(
    call: &Call,
    made: Result<T, E>,
) -> Result<T, CliError> {
    progress::clear(call);
    call.check_cancelled()?;
    made.map_err(Into::into)
}

/// The names of formats.
pub(crate) fn known_format<R: 'static>(
    formats: &'static [Format<R>],
) -> impl TypedValueParser<Value = &'static Format<R>> {
    PossibleValuesParser::new(formats.iter().map(|format| format.name)).try_map(|name| {
        formats.iter().find(|format| format.name == name).ok_or("there is no such format")
    })
}

/// All recorded runs in these directories.
pub(crate) fn recorded(directories: &[PathBuf]) -> Result<Vec<(String, Transcript)>, CliError> {
    let mut runs = Vec::new();
    directories.iter().try_for_each(|directory| gather(directory, &mut runs))?;
    Ok(runs)
}

/// The recorded runs in a directory: itself, or those below it, by name.
fn gather(dir: &Path, runs: &mut Vec<(String, Transcript)>) -> Result<(), CliError> {
    let before = runs.len();
    descend(dir, runs)?;
    if runs.len() == before {
        let message = format!("{} holds no recorded run", dir.display());
        return Err(CliError::BadRecording(message));
    }
    Ok(())
}

fn descend(dir: &Path, runs: &mut Vec<(String, Transcript)>) -> Result<(), CliError> {
    if dir.join(RUN_FILE).exists() {
        runs.push((dir.display().to_string(), input::recorded(dir)?));
        return Ok(());
    }
    let unreadable = |error| CliError::unreadable(dir.to_owned(), error);
    let mut below: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        // A link is not followed: it may lead back here.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below.push(entry.path());
        }
    }
    below.sort();
    below.iter().try_for_each(|dir| descend(dir, runs))
}

/// Writes a file whole or not at all.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), CliError> {
    replace_all(&[(path.to_owned(), text.to_owned())])
}

/// Writes several files. None is replaced before the texts of all are on the disk.
pub(crate) fn replace_all(files: &[(PathBuf, String)]) -> Result<(), CliError> {
    let unwritable = |path: &Path, error| CliError::FileUnwritable { path: path.to_owned(), error };
    let mut staged = Vec::new();
    for (path, text) in files {
        let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
        let stage = || {
            let mut file = tempfile::Builder::new();
            // Others may read it, as any file that a program writes.
            #[cfg(unix)]
            file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = file.tempfile_in(parent.unwrap_or(Path::new(".")))?;
            file.write_all(text.as_bytes())?;
            if path.is_dir() { Err(std::io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
        };
        staged.push((path, stage().map_err(|error| unwritable(path, error))?));
    }
    for (path, file) in staged {
        file.persist(path).map_err(|error| unwritable(path, error.error))?;
    }
    Ok(())
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

/// A time as people write it.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    duration::parse(text).ok_or_else(|| format!("not {}", duration::EXPECTED))
}

/// Puts styled lines on a screen.
pub(crate) fn paint(screen: &mut Screen, lines: &[Line]) {
    for line in lines {
        screen.pieces(cells(line));
    }
}

/// The same, where the end of a line that is too wide goes on below itself.
pub(crate) fn paint_hanging(screen: &mut Screen, lines: &[Line]) {
    for line in lines {
        screen.hanging(cells(line));
    }
}

fn cells(line: &Line) -> impl Iterator<Item = Cell> {
    line.iter().map(|piece| {
        let cell = Cell::from(piece.text.as_str());
        match style(piece.ink) {
            Some(style) => cell.styled(style),
            None => cell,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_files_are_replaced_together_or_not_at_all() {
        let directory = tempfile::tempdir().expect("a directory");
        let [first, second] = ["first", "second"].map(|name| directory.path().join(name));
        fs::write(&first, "old").expect("writes");
        fs::create_dir(&second).expect("a directory");
        let files = [first.clone(), second.clone()].map(|path| (path, "new".to_owned()));
        assert!(replace_all(&files).is_err());
        assert_eq!(fs::read_to_string(&first).expect("it is there"), "old");
        fs::remove_dir(&second).expect("empty");
        assert!(replace_all(&files).is_ok());
        assert_eq!(fs::read_to_string(&first).expect("it is there"), "new");
        assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 2);
    }
}
