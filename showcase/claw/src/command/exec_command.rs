//! `exec-command`: runs a command of the inventory, if it is one that can be run.

use crate::builtin;
use crate::cli;
use crate::command::inventory;
use crate::error::Error;
use crate::site::Site;
use crate::watch::Watch;
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// What became of a command that exists.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "exec-command", show = show)]
pub(crate) struct Executed {
    /// Its name.
    name: String,
    /// The prompt as given.
    prompt: String,
    /// Whether the work was performed.
    handled: bool,
    /// What happened, or why nothing did.
    message: String,
    /// Where it is defined.
    source_hint: String,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Executed>()
        .fails(&["filesystem", "policy", "command_not_found"])
        .danger(Danger::Mutating)
        .example("claw exec-command add-dir 'create src/util/'", "makes the directory")
}

pub(super) fn run(asked: cli::ExecCommand, call: &Call) -> Result<Executed, Error> {
    let cli::ExecCommand { name, prompt } = asked;
    let inventory = inventory(call)?;
    let entry = inventory.command(&name)?;
    let source_hint = entry.source_hint.clone();
    let (handled, message) = match builtin::find(&name) {
        Some(builtin) => {
            let site = Site::here(Watch::new(call, None))?;
            (true, (builtin.run)(&prompt, &site)?.message)
        }
        None => (false, entry.instead()),
    };
    Ok(Executed { name, prompt, handled, message, source_hint })
}

fn show(executed: &Executed, screen: &mut Screen) {
    let verdict = if executed.handled { "" } else { "not handled: " };
    screen.line(format_args!("{}: {verdict}{}", executed.name, executed.message));
}
