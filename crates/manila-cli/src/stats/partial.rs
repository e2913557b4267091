//! Partial results of `manila stats`: written by one process each, and joined by another.

use super::{Answer as Reported, Format, Schema};
use crate::error::CliError;
use crate::humanize::things;
use manila_clap::{Reply, Screen};
use manila_log::stats::{Partial, PartialError};
use schemars::JsonSchema;
use serde::Serialize;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How every partial result begins.
const BEGINNING: &[u8] = br#"{"schema":"manila-stats-partial/"#;

#[derive(Reply)]
pub(crate) enum Answer {
    Report(Reported),
    Partial(Written),
}

/// A partial result that was written.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "StatsPartial")]
#[reply(kind = "stats-partial", show = show)]
pub(crate) struct Written {
    /// Where it was written; - is stdout.
    file: String,
    inputs: u64,
    bytes: u64,
    records: u64,
    /// The partial result itself, if it was not written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<serde_json::Value>,
    #[serde(skip)]
    text: String,
}

fn show(written: &Written, screen: &mut Screen) {
    if written.partial.is_some() {
        screen.verbatim(&written.text);
    } else {
        let records = things(written.records, "record", "records");
        let inputs = things(written.inputs, "input", "inputs");
        screen.line(format!("{}: {records} from {inputs}", written.file));
    }
}

/// Writes a part of which everything was read: to a file, whole or not at all, or to stdout.
pub(crate) fn write(
    path: &Path,
    part: Partial,
    inputs: u64,
    bytes: u64,
) -> Result<Answer, CliError> {
    let mut part = part.checked().map_err(|why| refused(&why))?;
    (part.inputs, part.bytes) = (inputs, bytes);
    let mut text =
        serde_json::to_string(&part).map_err(|why| CliError::Internal(why.to_string()))?;
    text.push('\n');
    let is_stdout = path.as_os_str() == "-";
    if !is_stdout {
        keep(path, text.as_bytes())?;
    }
    let partial = is_stdout.then(|| serde_json::from_str(&text).unwrap_or_default());
    Ok(Answer::Partial(Written {
        file: path.display().to_string(),
        inputs,
        bytes,
        records: part.records(),
        partial,
        text,
    }))
}

fn keep(path: &Path, text: &[u8]) -> Result<(), CliError> {
    // Another partial result may be replaced; any other file was not written by manila.
    match fs::File::open(path) {
        Ok(file) => {
            let mut beginning = Vec::new();
            let length = BEGINNING.len() as u64;
            file.take(length)
                .read_to_end(&mut beginning)
                .map_err(|why| CliError::unwritable(path, why))?;
            if !beginning.is_empty() && beginning != BEGINNING {
                return Err(CliError::WouldOverwrite { path: path.to_owned() });
            }
        }
        Err(why) if why.kind() == io::ErrorKind::NotFound => {}
        Err(why) => return Err(CliError::unwritable(path, why)),
    }
    let failed = |why| CliError::unwritable(path, why);
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut file =
        tempfile::NamedTempFile::new_in(directory.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(text).map_err(failed)?;
    file.persist(path).map_err(|why| CliError::unwritable(path, why.error))?;
    Ok(())
}

/// Joins parts in the order in which they are named.
pub(crate) fn merge(files: &[PathBuf], top: usize, format: Format) -> Result<Answer, CliError> {
    let begun = Instant::now();
    let parts = files.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let (inputs, bytes) =
        parts.iter().fold((0, 0), |sum, part| (sum.0 + part.inputs, sum.1 + part.bytes));
    let report = Partial::report(parts, top).map_err(|why| refused(&why))?;
    Ok(Answer::Report(Reported {
        schema: Schema::default(),
        inputs,
        bytes,
        report: Box::new(report),
        parquet: None,
        unread: Vec::new(),
        unfinished: 0,
        format,
        elapsed: begun.elapsed(),
    }))
}

fn read(path: &Path) -> Result<Partial, CliError> {
    let text = if path.as_os_str() == "-" {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|why| CliError::unreadable(path.to_owned(), why))?;
    serde_json::from_str(&text).map_err(|why| CliError::InvalidValue {
        message: format!("{} is not a partial result: {why}", path.display()),
        suggestion: "`manila stats --partial FILE LOG` writes one".to_owned(),
    })
}

fn refused(why: &PartialError) -> CliError {
    let suggestion = match why {
        PartialError::TooManyValues => "make smaller parts, or group by fewer names with --by",
        PartialError::NoTime => "make the parts with --show times,tables,storms",
        _ => {
            "make all parts with the same options; a --since that is an age differs from run to run"
        }
    };
    CliError::InvalidValue { message: why.to_string(), suggestion: suggestion.to_owned() }
}
