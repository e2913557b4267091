//! `exec-tool`: runs a tool of the inventory, if it is one that can be run.

use crate::cli;
use crate::command::inventory;
use crate::error::Error;
use crate::site::{Site, Work};
use crate::tool;
use crate::watch::Watch;
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// What became of a tool that exists.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "exec-tool", show = show)]
pub(crate) struct Executed {
    /// Its name.
    name: String,
    /// The input as given.
    payload: String,
    /// Whether the work was performed.
    handled: bool,
    /// What happened, or why nothing did.
    message: String,
    /// Where it is defined.
    source_hint: String,
    /// What there is to read, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Executed>()
        .fails(&["filesystem", "policy", "tool_not_found"])
        .danger(Danger::Mutating)
        .example("claw exec-tool BashTool 'cargo build'", "builds, for a minute at most")
}

pub(super) fn run(asked: cli::ExecTool, call: &Call) -> Result<Executed, Error> {
    let cli::ExecTool { name, payload, timeout_seconds } = asked;
    let inventory = inventory(call)?;
    let entry = inventory.tool(&name)?;
    let source_hint = entry.source_hint.clone();
    let watch = Watch::new(call, Some(timeout_seconds.duration()));
    let found = tool::find(&name);
    let handled = found.is_some();
    let Work { message, output } = match found {
        Some(tool) => (tool.run)(&payload, &Site::here(watch)?)?,
        None => Work::done(entry.instead()),
    };
    Ok(Executed { name, payload, handled, message, source_hint, output })
}

fn show(executed: &Executed, screen: &mut Screen) {
    let verdict = if executed.handled { "" } else { "not handled: " };
    screen.heading(format_args!("{}: {verdict}{}", executed.name, executed.message));
    match &executed.output {
        Some(output) if !output.is_empty() => screen.line(output.trim_end()),
        // A plain page has no headings, and something must be said.
        _ if !screen.is_rich() => screen.line(&executed.message),
        _ => {}
    }
}
