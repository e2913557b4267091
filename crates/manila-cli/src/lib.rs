//! The `manila` program as a library: what it takes, what it answers, how it fails.
//!
//! A command is a file in `command/` and one line in `cli.rs`. It returns its answer or a `CliError`
//! and never prints: `manila-clap` does, once, after the verdict is fixed.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/open.md")]
mod open_page {}

mod checking;
mod cli;
mod command;
mod config;
mod contract;
mod error;
mod help;
mod human;
mod humanize;
mod input;
mod known;
mod lint;
mod logs;
mod manifest;
mod page;
mod passthrough;
mod paths;
mod program_page;
mod progress;
mod prose;
mod scan;
mod shape;
mod stats;
mod trace;
mod watch;

use cli::Cli;
use error::RENAMED;
use manila_clap::{App, dialects};
use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program.
pub fn main() -> ExitCode {
    ExitCode::from(main_from(env::args_os().collect()))
}

/// Runs the program with these words, of which the first is its name, in a process that is not its own:
/// an interpreter, for one. It may end the process.
pub fn main_from(words: Vec<OsString>) -> u8 {
    cli::called_with(&words);
    let app = App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).all_flags().unified_errors();
    let app = app.manifest().completions_with(cli::complete).man();
    let app = RENAMED.iter().fold(app, |app, (code, name)| app.rename(*code, name));
    let app = cli::specs().into_iter().fold(app, |app, (name, spec)| app.command(name, spec));
    app.run_from(words, |cli, call| cli.command.run(call))
}
