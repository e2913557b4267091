//! Keeps tasks, projects, sections, labels and comments in one file.

mod book;
mod cli;
mod command;
mod contract;
mod desk;
mod due;
mod find;
mod priority;
mod trouble;
mod view;
mod words;

use cli::Cli;
use desk::Desk;
use manila_clap::{App, Listed, dialects};
use std::process::ExitCode;

fn main() -> ExitCode {
    app().run(|cli, _| command::run(cli, &Desk::of_user()?))
}

fn app() -> App<Cli, Listed> {
    let app = App::new(dialects::TD_1).mode_variable("TD_FORMAT");
    contract::declare(app).schema().manifest()
}

#[cfg(test)]
mod tests;
