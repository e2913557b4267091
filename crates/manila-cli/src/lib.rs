//! The `manila` program as a library: arguments in, one answer and one exit status out.
//!
//! A command is a file in `command/` and one line in `cli::Command`. It returns an `answer::Reply`
//! or a `code::Refusal` and never prints; `boundary` does, once, after the verdict is fixed.

mod answer;
mod boundary;
mod cli;
mod code;
mod command;
mod human;
mod input;
mod likeness;

pub use boundary::main;
