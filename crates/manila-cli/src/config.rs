//! The configuration of a call: the user's file, and over it the project's.

use crate::error::CliError;
use manila_run::{Config, ConfigError, dialect_files};
use std::env;
use std::path::PathBuf;

/// The files of dialects that are named for a call that is made here.
pub(crate) fn dialects() -> Result<Vec<PathBuf>, ConfigError> {
    let directory = env::current_dir().unwrap_or_default();
    dialect_files(Config::user_file().as_deref(), &directory)
}

/// What is written down about programs, for a call that is made here.
pub(crate) fn load() -> Result<Config, CliError> {
    let directory = env::current_dir().unwrap_or_default();
    Config::load(Config::user_file().as_deref(), &directory).map_err(|error| {
        CliError::InvalidValue {
            message: error.to_string(),
            suggestion: "docs/run.md lists what [program.NAME] may say".to_owned(),
        }
    })
}
