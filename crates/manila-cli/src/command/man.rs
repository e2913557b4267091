//! `manila man`: the manual page.

use super::help::subcommand;
use crate::answer::Reply;
use crate::code::{Code, Refusal};
use clap::Args;

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
    let mut page = subcommand(arguments.command.as_deref())?;
    if let Some(name) = &arguments.command {
        page = page.display_name(format!("manila-{name}"));
    }
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff).map_err(|error| {
        Refusal::new(Code::Internal, format!("the page does not render: {error}"))
    })?;
    Ok(Reply::of_text(String::from_utf8_lossy(&roff)))
}
