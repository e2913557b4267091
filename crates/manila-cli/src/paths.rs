//! Where manila keeps its files: what it remembers between calls, and what is written down for it.

use crate::error::CliError;
use std::env;
use std::path::PathBuf;

/// The file of permanent redirects, whether it exists or not.
pub(crate) fn redirects() -> Result<PathBuf, CliError> {
    let state = base("XDG_STATE_HOME", ".local/state");
    state.map(|state| state.join("manila/moves.jsonl")).ok_or(CliError::NoPlace)
}

/// The directory of the user's dialects, whether it exists or not.
pub(crate) fn dialects() -> Option<PathBuf> {
    base("XDG_CONFIG_HOME", ".config").map(|config| config.join("manila/dialects"))
}

/// A base directory: the one that a variable names, or the usual one below the home directory.
fn base(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    named(variable).or_else(|| Some(named("HOME")?.join(usual)))
}
