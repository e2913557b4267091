//! Finds translation keys in source trees, compares them with locale files, and answers in
//! `i18nprune/1`.

mod cli;
mod code;
mod command;
mod compare;
mod config;
mod contract;
mod finding;
mod locale;
mod project;
mod report;
mod scan;
mod suggestion;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    contract::app().run(cli::run)
}
