//! The `manila` program as a library: what it takes, what it answers, how it fails.
//!
//! A command is a file in `command/` and one line in `cli.rs`. It returns its answer or a `Refusal`
//! and never prints: `manila-clap` does, once, after the verdict is fixed.

mod checking;
mod cli;
mod command;
mod config;
mod human;
mod input;
mod likeness;
mod logs;
mod manifest;
mod page;
mod passthrough;
mod place;
mod program_page;
mod quantity;
mod refusal;
mod scan;
mod shape;
mod stats;
mod trace;
mod watch;

use cli::Cli;
use manila_clap::{App, Mode, dialects};
use refusal::RENAMED;
use std::process::ExitCode;

/// Runs the program.
pub fn main() -> ExitCode {
    let app = App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).piped(Mode::Rich);
    let app = app.manifest().completions().man();
    let app = RENAMED.iter().fold(app, |app, (code, name)| app.rename(*code, name));
    let app = cli::specs().into_iter().fold(app, |app, (name, spec)| app.command(name, spec));
    app.run(|cli, call| cli.command.run(call))
}
