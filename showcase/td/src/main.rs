//! Keeps tasks, projects, sections, labels and comments in one file.

mod cli;
mod command;
mod context;
mod contract;
mod due;
mod error;
mod find;
mod priority;
mod store;
mod view;
mod words;

use cli::Cli;
use context::Context;
use manila_clap::{App, Listed, Mode, dialects};
use std::process::ExitCode;

fn main() -> ExitCode {
    app().run(|cli, _| cli::run(cli, &Context::from_env()?))
}

fn app() -> App<Cli, Listed> {
    let app = App::new(dialects::TD_1).all_flags().unified_errors().piped(Mode::Json);
    let app = app.mode_variable("TD_FORMAT");
    contract::declare(app).schema().manifest()
}

#[cfg(test)]
mod tests;
