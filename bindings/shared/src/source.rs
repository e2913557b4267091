//! What a program left behind, from the bytes and the options of a caller in another language.

use crate::error::Error;
use manila::json::Limits;
use manila::{Dialect, Options, Status, Transcript};
use serde::Deserialize;

/// What else is known about the bytes.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Source {
    argv: Vec<String>,
    /// Negative for death by that signal.
    exit_code: Option<i32>,
    dialect: Option<String>,
    max_bytes: Option<usize>,
    max_depth: Option<usize>,
}

impl Source {
    /// The transcript of a run that wrote these bytes.
    pub(crate) fn transcript(&self, stdout: &[u8], stderr: &[u8]) -> Transcript {
        Transcript {
            argv: self.argv.clone(),
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
            status: Status::from_recorded(self.exit_code),
            duration_ms: None,
        }
    }

    /// How it is read.
    pub(crate) fn options(&self) -> Result<Options, Error> {
        let usual = Limits::default();
        let limits = Limits {
            bytes: self.max_bytes.unwrap_or(usual.bytes),
            depth: self.max_depth.unwrap_or(usual.depth),
        };
        let dialect = self.dialect.as_deref().map(dialect).transpose()?;
        Ok(Options { limits, dialect, ..Options::default() })
    }
}

/// The dialect of this id.
pub(crate) fn dialect(id: &str) -> Result<&'static dyn Dialect, Error> {
    manila::dialect(id).ok_or_else(|| {
        let ids: Vec<&str> = manila::every_dialect().map(|dialect| dialect.id()).collect();
        Error::option(format!("{id:?} is not a dialect: they are {}", ids.join(", ")))
    })
}

/// Reads the options of a function.
pub(crate) fn read<T: for<'de> Deserialize<'de>>(options: &str) -> Result<T, Error> {
    serde_json::from_str(options).map_err(|error| Error::option(error.to_string()))
}
