//! Owns: however a handler, a reader, a terminal or a signal misbehaves, the real process answers in
//! one valid envelope, or does what is documented instead.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(target_os = "linux")]

mod core;
mod exceptions;
mod panics;
mod payloads;
mod printing;
mod readers;
mod secrets;
mod signals;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod surroundings;
mod terminals;

use manila::dialects::WRITTEN;
use rustix::process::Signal;
use support::{Ran, Run, drained, speaking, terminal};

/// The same call in every dialect.
fn everywhere(line: &str) -> impl Iterator<Item = Run> {
    WRITTEN.iter().map(move |dialect| speaking(*dialect, line))
}

/// The signals that end a run with an answer.
const ENDING: [(Signal, i32); 3] =
    [(Signal::INT, libc::SIGINT), (Signal::TERM, libc::SIGTERM), (Signal::HUP, libc::SIGHUP)];

/// Runs it with both streams on a terminal, and gives what that shows.
fn on_terminal(run: Run) -> (Vec<u8>, Ran) {
    let (ours, theirs) = terminal();
    let other = theirs.try_clone().expect("a second end");
    let started = run.stdout(theirs).stderr(other).start();
    let reader = drained(ours);
    let ran = started.end();
    (reader.join().expect("read"), ran)
}
