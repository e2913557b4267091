//! What the tests of the showcase programs share: a program in a folder of its own, golden files, the
//! recorded runs of the real programs, snippets of the documents, and a storm of writers.
//!
//! Whatever a `Scene` calls is held against the contract of the program. Without the feature
//! `testing` the crate is empty.

#![cfg(feature = "testing")]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "everything in here is a test, which may stop at the first surprise"
)]

mod form;
mod golden;
mod scene;
mod snippet;
mod storm;

pub use form::{assert_same_form, assert_twins, recorded};
pub use golden::assert_golden;
pub use scene::Scene;
pub use snippet::{Snippet, is_installed};
pub use storm::{Fate, storm};

/// Says why a test did nothing. Not with a macro: what those print is only shown when a test fails.
pub fn skipped(why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}
