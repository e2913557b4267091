//! Which dialects a call knows beside the built-in ones: those of the user and of the project, and the
//! files that its arguments name.

use crate::config;
use crate::error::CliError;
use crate::paths;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use manila::dialect_file::{self, FileError};
use manila::{AddError, Added, DIALECTS, Dialect, add_dialects};
use manila_run::{ConfigError, dialect_files_in};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A file that is longer was not written by a person.
const LONGEST: u64 = 1 << 20;

/// A dialect and its file.
#[derive(Clone, Copy, Debug)]
struct Loaded {
    file: &'static Path,
    dialect: &'static dyn Dialect,
}

/// A file that is not a dialect.
#[derive(Clone, Debug)]
pub(crate) struct BadDialect {
    message: String,
    hint: String,
}

impl From<BadDialect> for CliError {
    fn from(BadDialect { message, hint }: BadDialect) -> CliError {
        CliError::BadDialect { message, hint }
    }
}

/// The files that arguments named.
static NAMED: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());

/// The text of a file that a person wrote.
pub(crate) fn read(file: &Path) -> io::Result<String> {
    let length = fs::metadata(file)?.len();
    if length > LONGEST {
        let message = format!("it has {length} bytes, which is more than {LONGEST}");
        return Err(io::Error::other(message));
    }
    String::from_utf8(fs::read(file)?).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|byte| *byte == b'\n').count();
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not UTF-8"))
    })
}

fn load(file: &Path) -> Result<Loaded, BadDialect> {
    let text = read(file).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::InvalidData => "write the file in UTF-8",
            _ => "name a file that describes a dialect: docs/dialects.md",
        };
        BadDialect { message: format!("{}: {error}", file.display()), hint: hint.to_owned() }
    })?;
    let dialect = dialect_file::load(&text).map_err(|error| {
        let FileError { line, column, message, hint } = error;
        let check = format!("manila dialects check {}", file.display());
        BadDialect {
            message: format!("{}:{line}:{column}: {message}", file.display()),
            hint: hint.unwrap_or(check),
        }
    })?;
    Ok(Loaded { file: Box::leak(file.to_owned().into_boxed_path()), dialect })
}

/// The dialects of the user's directory, and those that the configuration names.
fn configured() -> Result<&'static [Loaded], BadDialect> {
    static CONFIGURED: OnceLock<Result<Vec<Loaded>, BadDialect>> = OnceLock::new();
    let loaded = CONFIGURED.get_or_init(|| {
        let mut files = paths::dialects().map_or_else(Vec::new, |directory| files_in(&directory));
        files.extend(config::dialects().map_err(bad_config)?);
        files.sort();
        files.dedup();
        files.iter().map(|file| load(file)).collect()
    });
    loaded.as_ref().map(Vec::as_slice).map_err(Clone::clone)
}

fn bad_config(error: ConfigError) -> BadDialect {
    let hint = "write `[dialects]` with `files = [\"acme.toml\"]`".to_owned();
    BadDialect { message: error.to_string(), hint }
}

/// Names the dialects of a configuration file beside those that are configured anyway.
pub(crate) fn name_from(config: &Path) -> Result<(), CliError> {
    for file in dialect_files_in(config).map_err(bad_config)? {
        let is_known = |loaded: &Loaded| loaded.file == file;
        if !configured()?.iter().any(is_known) {
            NAMED.lock().unwrap_or_else(PoisonError::into_inner).push(load(&file)?);
        }
    }
    Ok(())
}

/// The dialect files of a directory, by name; none if there is no such directory.
fn files_in(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_dialect = |file: &PathBuf| file.extension().is_some_and(|end| end == "toml");
    files.filter(is_dialect).collect()
}

/// Makes the dialects of this call known. The preferred one settles what a document is where the marks
/// of several dialects are found.
pub(crate) fn install(preferred: Option<&'static dyn Dialect>) -> Result<(), CliError> {
    let named = NAMED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let is_named =
        |loaded: &&Loaded| named.iter().any(|named| named.dialect.id() == loaded.dialect.id());
    let mut all: Vec<Loaded> =
        configured()?.iter().filter(|loaded| !is_named(loaded)).copied().collect();
    all.extend(&named);
    let dialects = all.iter().map(|loaded| loaded.dialect).collect();
    match add_dialects(Added { dialects, preferred }) {
        // A command is run once for each process.
        Ok(()) | Err(AddError::Again) => Ok(()),
        Err(AddError::Taken(id)) => {
            let is_it = |loaded: &&Loaded| loaded.dialect.id() == id;
            let file = all.iter().rfind(is_it).map(|loaded| loaded.file.display().to_string());
            let file = file.unwrap_or_default();
            Err(CliError::BadDialect {
                message: format!("{file}: there is another dialect {id}"),
                hint: format!(
                    "give it another id, such as {}-own/1",
                    id.split('/').next().unwrap_or(id)
                ),
            })
        }
    }
}

/// Where the dialects come from that are not built in.
pub(crate) fn origin(dialect: &dyn Dialect) -> Option<String> {
    let named = NAMED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let all = configured().ok().into_iter().flatten().copied().chain(named);
    let mut own = all.filter(|loaded| loaded.dialect.id() == dialect.id());
    own.next_back().map(|loaded| loaded.file.display().to_string())
}

/// A dialect by its id or by its name, built in or configured.
fn find(id: &str) -> Option<&'static dyn Dialect> {
    let configured = || configured().ok().into_iter().flatten().map(|loaded| loaded.dialect);
    let name = |dialect: &&'static dyn Dialect| {
        dialect.id().split_once('/').is_some_and(|(name, _)| name == id)
    };
    manila::dialect(id)
        .or_else(|| configured().find(|dialect| dialect.id() == id))
        .or_else(|| configured().find(name))
}

/// The id of a dialect, or its name where only one revision is known.
fn value(dialect: &'static dyn Dialect) -> PossibleValue {
    let id = dialect.id();
    let name = id.split('/').next().filter(|name| manila::dialect(name).is_some());
    PossibleValue::new(id).aliases(name)
}

/// Accepts the id of a dialect or the file of one, and some words beside them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownDialect {
    words: &'static [&'static str],
}

/// What was named.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Named {
    Dialect(&'static dyn Dialect),
    Word,
}

impl KnownDialect {
    fn values(self) -> impl Iterator<Item = PossibleValue> {
        let words = self.words.iter().map(|word| PossibleValue::new(*word));
        DIALECTS.iter().map(|dialect| value(*dialect)).chain(words)
    }
}

impl TypedValueParser for KnownDialect {
    type Value = Named;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Named, clap::Error> {
        let text = value.to_str().unwrap_or_default();
        if self.words.contains(&text) {
            return Ok(Named::Word);
        }
        if let Some(dialect) = find(text) {
            return Ok(Named::Dialect(dialect));
        }
        let file = Path::new(value);
        let is_file = file.extension().is_some_and(|end| end == "toml") || file.is_file();
        if !is_file {
            let known = PossibleValuesParser::new(self.values());
            return known.parse_ref(command, argument, value).map(|_| Named::Word);
        }
        let known = NAMED.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(loaded) = known.iter().find(|loaded| loaded.file == file) {
            return Ok(Named::Dialect(loaded.dialect));
        }
        let loaded = load(file).map_err(|BadDialect { message, hint }| {
            let mut error = clap::Error::new(ErrorKind::ValueValidation).with_cmd(command);
            if let Some(argument) = argument {
                let name = ContextValue::String(argument.to_string());
                error.insert(ContextKind::InvalidArg, name);
            }
            let value = ContextValue::String(format!("{message}; {hint}"));
            error.insert(ContextKind::InvalidValue, value);
            error
        })?;
        NAMED.lock().unwrap_or_else(PoisonError::into_inner).push(loaded);
        Ok(Named::Dialect(loaded.dialect))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values()))
    }
}

/// Accepts the id of a dialect, or the file of one.
pub(crate) fn known_dialect() -> impl TypedValueParser<Value = &'static dyn Dialect> {
    KnownDialect { words: &[] }.try_map(|named| match named {
        Named::Dialect(dialect) => Ok(dialect),
        Named::Word => Err("there is no such dialect"),
    })
}

/// Accepts the same, or one of these words.
pub(crate) fn known_dialect_or(words: &'static [&'static str]) -> KnownDialect {
    KnownDialect { words }
}

/// A dialect that the caller names, or none for a program that has no envelope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DialectChoice(pub(crate) Option<&'static dyn Dialect>);

/// Accepts the id of a dialect, the file of one, or `none`.
pub(crate) fn dialect_or_none() -> impl TypedValueParser<Value = DialectChoice> {
    known_dialect_or(&["none"]).map(|named| match named {
        Named::Dialect(dialect) => DialectChoice(Some(dialect)),
        Named::Word => DialectChoice(None),
    })
}
