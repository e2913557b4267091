//! A program with one command per way to misbehave. The tests of the same name compare its answers
//! with the contract.
//!
//! Commands that wait to be ended say `ready` on stderr once they wait.
#![allow(
    unsafe_code,
    clippy::panic,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::unnecessary_wraps,
    reason = "misbehaving takes C, panics, printing and leaving early, and every way ends in an answer"
)]

#[cfg(unix)]
mod answer;
#[cfg(unix)]
mod cli;
#[cfg(unix)]
mod halt;
#[cfg(unix)]
mod program;

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    program::run()
}

#[cfg(not(unix))]
fn main() {}
