//! What the tests of the showcase programs share: a program in a directory of its own, golden files, the
//! recorded runs of the real programs, snippets of the documents, and a stress test with many writers.
//!
//! Whatever a `Sandbox` calls is compared with the contract of the program. Without the feature
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
mod sandbox;
mod snippet;
mod stress;

pub use form::{assert_same_form, assert_twins, recorded};
pub use golden::assert_golden;
pub use sandbox::Sandbox;
pub use snippet::{Snippet, is_installed};
pub use stress::{Outcome, stress};

/// Says why a test did nothing. Not with a macro: what those print is only shown when a test fails.
pub fn skipped(why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}
