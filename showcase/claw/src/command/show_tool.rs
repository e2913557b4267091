//! `show-tool`: one tool of the inventory.

use crate::command::inventory;
use crate::error::Error;
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// A tool that exists.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "show-tool", show = show)]
pub(crate) struct Shown {
    /// Its name.
    name: String,
    /// That it exists.
    found: bool,
    /// Where it is defined.
    source_hint: String,
    /// What it is for, which the document lists for commands alone; people want it too.
    #[serde(skip)]
    responsibility: String,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Shown>()
        .fails(&["filesystem", "tool_not_found"])
        .danger(Danger::Safe)
        .example("claw show-tool BashTool", "where it is defined")
}

pub(super) fn run(name: String, call: &Call) -> Result<Shown, Error> {
    let inventory = inventory(call)?;
    let entry = inventory.tool(&name)?.clone();
    let (source_hint, responsibility) = (entry.source_hint, entry.responsibility);
    Ok(Shown { name, found: true, source_hint, responsibility })
}

fn show(shown: &Shown, screen: &mut Screen) {
    screen.field("tool", &shown.name);
    screen.field("does", &shown.responsibility);
    screen.field("source", &shown.source_hint);
}
