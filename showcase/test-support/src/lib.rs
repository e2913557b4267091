//! What tests share: golden files for every crate, and for the showcase programs a program in a directory of its
//! own, the recorded runs of the real programs, snippets of the documents, and a stress test with many writers.
//!
//! Whatever a `Sandbox` calls is compared with the contract of the program. Without the feature
//! `testing` there are only golden files, laws and default signals, which need almost nothing.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "everything in here is a test, which may stop at the first surprise"
)]

#[cfg(feature = "testing")]
mod form;
mod golden;
mod laws;
#[cfg(feature = "testing")]
mod sandbox;
mod signals;
#[cfg(feature = "testing")]
mod snippet;
#[cfg(feature = "testing")]
mod stress;

#[cfg(feature = "testing")]
pub use form::{assert_same_form, assert_twins, recorded};
pub use golden::assert_golden;
pub use laws::{Random, assert_law, rounds};
#[cfg(feature = "testing")]
pub use sandbox::Sandbox;
pub use signals::default_signals;
#[cfg(feature = "testing")]
pub use snippet::{Snippet, is_installed};
#[cfg(feature = "testing")]
pub use stress::{Outcome, stress};

/// Says why a test did nothing. Not with a macro: what those print is only shown when a test fails.
pub fn skipped(why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}
