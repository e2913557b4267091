//! Where manila keeps its files: what it remembers between calls, and what is written down for it.

use crate::refusal::Refusal;
use std::env;
use std::path::PathBuf;

/// The file of permanent redirects, whether it exists or not.
pub(crate) fn redirects() -> Result<PathBuf, Refusal> {
    let state = base("XDG_STATE_HOME", ".local/state");
    state.map(|state| state.join("manila/moves.jsonl")).ok_or(Refusal::NoPlace)
}

/// The user's configuration, whether it exists or not.
pub(crate) fn config() -> Option<PathBuf> {
    base("XDG_CONFIG_HOME", ".config").map(|config| config.join("manila/config.toml"))
}

/// A base directory: the one that a variable names, or the usual one below the home directory.
fn base(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    named(variable).or_else(|| Some(named("HOME")?.join(usual)))
}
