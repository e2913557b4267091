//! `manila completions`: a completion script for a shell.

use crate::answer::Reply;
use crate::cli::Cli;
use crate::code::Refusal;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  manila completions bash > ~/.local/share/bash-completion/completions/manila")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

#[expect(clippy::unnecessary_wraps, reason = "every command may refuse")]
pub(crate) fn run(arguments: &Arguments) -> Result<Reply, Refusal> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "manila", &mut script);
    Ok(Reply::of_text(String::from_utf8_lossy(&script)))
}
