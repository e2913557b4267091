//! Programs that are run once with clap alone and once with this crate.

mod builder;
mod derived;

use clap::Command;
use std::fmt::Debug;
use std::process::ExitCode;

/// One program.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) command: fn() -> Command,
    /// The calls that are tried, each as words.
    pub(crate) usual: &'static [&'static str],
    pub(crate) lines: &'static [&'static str],
    /// How it runs if its type is derived.
    pub(crate) typed: Option<Typed>,
}

/// A derived program, with clap alone and with this crate.
#[derive(Clone, Copy)]
pub(crate) struct Typed {
    pub(crate) plain: fn() -> ExitCode,
    pub(crate) enveloped: fn() -> ExitCode,
}

/// Every program.
pub(crate) fn programs() -> impl Iterator<Item = &'static Program> {
    builder::BUILT.iter().chain(derived::DERIVED)
}

/// What a program answers: what clap made of its arguments.
#[expect(clippy::disallowed_macros, reason = "a program that was not converted prints")]
pub(crate) fn say(arguments: &impl Debug) {
    println!("{arguments:?}");
}
