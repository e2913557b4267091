//! What the commands that check or compare programs share: recorded runs, files, progress and styled lines.

use crate::error::CliError;
use crate::input;
use crate::progress;
use clap::builder::styling::{AnsiColor, Style};
use manila::Transcript;
use manila_check::Declaration;
use manila_check::render::{Ink, Line};
use manila_clap::{Cell, Screen};
use manila_run::duration;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Shows how many runs of a check were made.
pub(crate) fn progress(made: usize, planned: usize) {
    progress::show(format_args!("{made} of {planned} runs"));
}

/// Where the declarations are: in the file that was named, or in `manila.toml`.
pub(crate) fn declaration_path(named: Option<&Path>) -> PathBuf {
    named.unwrap_or(Path::new("manila.toml")).to_owned()
}

/// The declarations. A file that was not named need not exist.
pub(crate) fn declared(named: Option<&Path>) -> Result<Declaration, CliError> {
    let path = declaration_path(named);
    if named.is_none() && !path.exists() {
        return Ok(Declaration::default());
    }
    Ok(Declaration::read(&path)?)
}

/// The recorded runs in a directory: itself, or those below it, by name.
pub(crate) fn gather(dir: &Path, runs: &mut Vec<(String, Transcript)>) -> Result<(), CliError> {
    let before = runs.len();
    descend(dir, runs)?;
    if runs.len() == before {
        let message = format!("{} holds no recorded run", dir.display());
        return Err(CliError::BadRecording(message));
    }
    Ok(())
}

fn descend(dir: &Path, runs: &mut Vec<(String, Transcript)>) -> Result<(), CliError> {
    if dir.join("run.json").exists() {
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
