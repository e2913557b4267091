//! The program in a folder of its own: empty, with things in its file, or with a file that is broken.

#![allow(dead_code, reason = "not every test plays everywhere")]

use showcase_proof::Scene;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_showcase-td");

/// A file that ids and times are known of.
const BOOK: &str = include_str!("book.json");

/// Nothing is there yet.
pub(crate) fn empty() -> Scene {
    Scene::new("td", BINARY).variable("TD_FILE", "td.json")
}

/// A few things are.
pub(crate) fn stocked() -> Scene {
    empty().file("td.json", BOOK)
}

/// The file has this in it.
pub(crate) fn broken(bytes: impl AsRef<[u8]>) -> Scene {
    empty().file("td.json", bytes)
}
