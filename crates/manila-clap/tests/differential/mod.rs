//! Programs that are run once with clap alone and once with this crate.

/// Programs that are made with the builder, and the arguments to try beside the usual ones. In the arguments `%FF`
/// is that byte and `''` an empty word.
macro_rules! programs {
    ($all:ident; $($name:literal: $command:expr, [$($line:literal),* $(,)?];)*) => {
        /// Every program of this file.
        pub(crate) const $all: &[super::Program] = &[$(super::Program {
            name: $name,
            command: || $command,
            usual: super::USUAL,
            lines: &[$($line),*],
            typed: None,
        }),*];
    };
}

/// The same for types that are made with the derive.
macro_rules! derived {
    ($all:ident; $($name:literal: $type:ty, [$($line:literal),* $(,)?];)*) => {
        /// Every program of this file.
        pub(crate) const $all: &[super::Program] = &[$(super::Program {
            name: $name,
            command: <$type as clap::CommandFactory>::command,
            usual: super::USUAL,
            lines: &[$($line),*],
            typed: Some(super::typed::<$type>()),
        }),*];
    };
}

mod builder;
mod derived;
mod derived_shapes;
mod shapes;

use clap::{Command, Parser};
use manila_clap::{App, Flag, Printed, dialects};
use std::convert::Infallible;
use std::fmt::Debug;
use std::process::ExitCode;

/// The usual arguments to try: help, version, mistakes and a bare call.
const USUAL: &[&str] = &["", "-h", "--help", "--version", "-V", "--what", "extra", "help"];

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
    let built = builder::BUILT.iter().chain(shapes::SHAPES);
    built.chain(derived::DERIVED).chain(derived_shapes::DERIVED)
}

/// What a program answers: what clap made of its arguments.
#[expect(clippy::disallowed_macros, reason = "a program that was not converted prints")]
pub(crate) fn say(arguments: &impl Debug) {
    println!("{arguments:?}");
}

/// A program whose type is run by itself.
const fn typed<C: Parser + Debug + 'static>() -> Typed {
    Typed { plain: plain::<C>, enveloped: enveloped::<C> }
}

fn plain<C: Parser + Debug>() -> ExitCode {
    say(&C::parse());
    ExitCode::SUCCESS
}

fn enveloped<C: Parser + Debug + 'static>() -> ExitCode {
    // With its one flag out of the help, so that help too is compared.
    App::<C>::new(dialects::RESPONSE_ENVELOPE_1_0).hide_flag(Flag::Json).run(|cli, _| {
        say(&cli);
        Ok::<_, Infallible>(Printed)
    })
}
