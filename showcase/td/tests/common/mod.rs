//! The program in a directory of its own: empty, with things in its file, or with a file that is broken.

#![allow(dead_code, reason = "not every test plays everywhere")]

use showcase_test_support::Sandbox;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_showcase-td");

/// A file that ids and times are known of.
const STORE: &str = include_str!("store.json");

/// Nothing is there yet.
pub(crate) fn empty() -> Sandbox {
    Sandbox::new("td", BINARY).variable("TD_FILE", "td.json")
}

/// A few things are.
pub(crate) fn stocked() -> Sandbox {
    empty().file("td.json", STORE)
}

/// The file has this in it.
pub(crate) fn broken(bytes: impl AsRef<[u8]>) -> Sandbox {
    empty().file("td.json", bytes)
}
