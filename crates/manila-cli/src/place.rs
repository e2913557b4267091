//! Where manila keeps what it remembers between calls.

use crate::refusal::Refusal;
use std::env;
use std::path::PathBuf;

/// The file of permanent redirects, whether it exists or not.
pub(crate) fn redirects() -> Result<PathBuf, Refusal> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = named("XDG_STATE_HOME").or_else(|| Some(named("HOME")?.join(".local/state")));
    state.map(|state| state.join("manila/moves.jsonl")).ok_or(Refusal::NoPlace)
}
