//! `manila help`: the help of the program or of a command.

use crate::answer::Reply;
use crate::cli::{COMMANDS, Cli};
use crate::code::{Code, Refusal};
use crate::likeness::did_you_mean;
use clap::{Args, CommandFactory};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The command, or nothing for the whole program
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Reply, Refusal> {
    let mut page = subcommand(arguments.command.as_deref())?;
    Ok(Reply::of_text(page.render_long_help().to_string()))
}

/// The program, or the command of that name.
pub(crate) fn subcommand(name: Option<&str>) -> Result<clap::Command, Refusal> {
    let mut root = Cli::command();
    root.build();
    let Some(name) = name else { return Ok(root) };
    root.find_subcommand(name).cloned().ok_or_else(|| {
        let refusal = Refusal::new(Code::InvalidValue, format!("there is no command {name:?}"));
        let otherwise = || format!("one of: {}", COMMANDS.join(", "));
        refusal.suggest(did_you_mean(name, COMMANDS.iter().copied()).unwrap_or_else(otherwise))
    })
}
