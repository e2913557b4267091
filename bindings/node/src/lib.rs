//! The native part of the package `manila` for Node: what waits has a thread of its own, what computes is a
//! task of the thread pool, and nothing blocks the event loop.

mod background;
mod compute;
mod outcome;

use manila_bindings::Error;
use napi::Status;
use napi_derive::napi;
use std::io::Write;

/// An error of ours, as JSON that `lib/error.cjs` makes a `ManilaError` of.
pub(crate) fn to_napi(error: &Error) -> napi::Error {
    let fields = [Some(error.kind()), Some(error.message()), error.hint()];
    let json = manila_bindings::to_json(&fields).unwrap_or_default();
    napi::Error::new(Status::GenericFailure, json)
}

/// Runs the program `manila`. It may end the process.
#[napi]
pub fn main(words: Vec<String>) -> u32 {
    let status = manila_cli::main_from(words.into_iter().map(Into::into).collect());
    // The Rust runtime flushes at the end of `main`, which does not run here.
    let _ = std::io::stdout().flush();
    status.into()
}
