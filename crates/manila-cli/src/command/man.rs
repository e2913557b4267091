//! `manila man`: the manual page.

use crate::answer::Reply;
use crate::cli::Cli;
use crate::code::{Code, Refusal};
use clap::{Args, CommandFactory};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  manila man | man -l -
  manila man open | man -l -")]
pub(crate) struct Arguments {
    /// The command, or nothing for the whole program
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Reply, Refusal> {
    let mut root = Cli::command();
    root.build();
    let page = match &arguments.command {
        None => root,
        Some(name) => root
            .get_subcommands()
            .find(|command| command.get_name() == name)
            .cloned()
            .ok_or_else(|| {
                Refusal::new(Code::InvalidValue, format!("there is no command {name:?}"))
                    .suggest("`manila --help` lists the commands")
            })?
            .display_name(format!("manila-{name}")),
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff).map_err(|error| {
        Refusal::new(Code::Internal, format!("the page does not render: {error}"))
    })?;
    Reply::of_text(String::from_utf8_lossy(&roff).into_owned())
}
