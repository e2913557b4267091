//! The manifest of a program, and whether it contradicts itself.

use crate::error::Error;
use manila::dialects::WRITTEN;
use manila::manifest::Manifest as Stated;
use manila::{Dialect, Exit};
use serde_json::Value;

/// A manifest: what a program answers to `--manifest`.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// What it was read from, for the header of files.
    pub(crate) source: &'static str,
    /// The program's name.
    pub(crate) tool: String,
    /// Its version, if it has one.
    pub(crate) version: Option<String>,
    pub(crate) dialect: Option<&'static dyn Dialect>,
    /// By dotted path.
    pub(crate) commands: Vec<(String, Entry)>,
}

/// One command.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub about: String,
    pub kinds: Vec<String>,
    pub schema: Option<Value>,
    pub exits: Vec<ExitEntry>,
}

/// One number that a command may end with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExitEntry {
    pub status: i32,
    pub exit: Exit,
    pub codes: Vec<String>,
}

impl Manifest {
    /// Reads a manifest: bare, or in an envelope of any dialect.
    pub fn read(text: &[u8]) -> Result<Manifest, Error> {
        let stated = Stated::from_json(text).map_err(|error| Error::manifest(error.to_string()))?;
        Manifest::new(&stated)
    }

    /// The same, if a lock said it.
    #[must_use]
    pub fn from_lock(self) -> Manifest {
        Manifest { source: "a lock", ..self }
    }

    /// The dialect that the manifest names.
    pub fn dialect(&self) -> Option<&'static dyn Dialect> {
        self.dialect
    }

    /// Takes over a manifest unless it contradicts itself.
    pub fn new(stated: &Stated) -> Result<Manifest, Error> {
        let dialect = match stated.dialect.as_str() {
            "" => None,
            id => {
                let known = WRITTEN.iter().copied().find(|dialect| dialect.id() == id);
                let unknown = || {
                    Error::manifest(format!(
                        "the manifest names the dialect {id:?}, which is not known"
                    ))
                };
                Some(known.ok_or_else(unknown)?)
            }
        };
        let mut commands = Vec::new();
        for (path, command) in &stated.commands {
            let place = |what: &dyn std::fmt::Display| {
                Error::manifest(format!("command {path:?} in the manifest: {what}"))
            };
            for child in &command.subcommands {
                let full = if path.is_empty() { child.clone() } else { format!("{path}.{child}") };
                if !stated.commands.contains_key(&full) {
                    return Err(place(&format!(
                        "it lists a subcommand {child:?} that is not there"
                    )));
                }
            }
            if !command.json && command.output_schema.is_some() {
                return Err(place(&"it has an output_schema although it never answers in JSON"));
            }
            let exits = exits(command, dialect).map_err(|what| place(&what))?;
            if command.runnable && command.json {
                commands.push((
                    path.clone(),
                    Entry {
                        about: command.description.clone(),
                        kinds: command.output_kinds.clone(),
                        schema: command.output_schema.clone().filter(|schema| !schema.is_null()),
                        exits,
                    },
                ));
            }
        }
        if commands.is_empty() {
            return Err(Error::manifest("no command in the manifest answers in JSON"));
        }
        let (tool, version) = match stated.tool.name.as_str() {
            "" => ("the program".to_owned(), None),
            name => (name.to_owned(), stated.tool.version.clone()),
        };
        Ok(Manifest { source: "the manifest", tool, version, dialect, commands })
    }
}

/// The numbers of a command, checked against each other and against the dialect.
fn exits(
    command: &manila::manifest::Entry,
    dialect: Option<&'static dyn Dialect>,
) -> Result<Vec<ExitEntry>, String> {
    let mut all: Vec<ExitEntry> = Vec::new();
    for (&status, stated) in &command.exit_codes {
        let by_signal = status > 128;
        let exit = match Exit::from_name(&stated.name) {
            Some(exit) => exit,
            // A run that a signal ended is named after its code.
            None if by_signal => Exit::General,
            None => {
                return Err(format!("exit code {status} has the unknown class {:?}", stated.name));
            }
        };
        if exit.is_success() != (status == 0) {
            return Err(format!("exit code {status} cannot be {}", exit.name()));
        }
        if status == 0 && !stated.codes.is_empty() {
            return Err(format!("exit code 0 has the error code {:?}", stated.codes[0]));
        }
        let row = dialect.and_then(|dialect| dialect.table().exits.row(status));
        if let Some(row) = row.filter(|row| row.exit != exit) {
            let (says, means) = (exit.name(), row.exit.name());
            return Err(format!("exit code {status} is {says}, but {means} in its dialect"));
        }
        all.push(ExitEntry { status, exit, codes: stated.codes.clone() });
    }
    all.sort_by_key(|entry| entry.status);
    for (at, entry) in all.iter().enumerate() {
        for other in &all[at + 1..] {
            let shared = entry.codes.iter().find(|code| other.codes.contains(*code));
            // Only a run that a signal ended may have several numbers.
            if let Some(code) = shared.filter(|_| entry.status <= 128 || other.status <= 128) {
                let (one, two) = (entry.status, other.status);
                return Err(format!("the error code {code:?} has two exit codes, {one} and {two}"));
            }
        }
    }
    Ok(all)
}
