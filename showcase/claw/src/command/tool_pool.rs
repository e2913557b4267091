//! `tool-pool`: the tools that a session has.

use crate::cli;
use crate::command::{inventory, show_listings};
use crate::error::Error;
use crate::inventory::{Entry, Listing, Origin};
use crate::tool::{self, Pool};
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// The tools.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "tool-pool", show = show)]
pub(crate) struct Offer {
    /// Whether only the simple ones are listed.
    simple_mode: bool,
    /// Whether those that others serve are listed.
    include_mcp: bool,
    /// How many there are.
    tool_count: usize,
    /// The tools.
    tools: Vec<Listing>,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Offer>()
        .fails(&["filesystem"])
        .danger(Danger::Safe)
        .example("claw tool-pool --simple-mode", "the tools that everybody needs")
}

pub(super) fn run(asked: &cli::ToolPool, call: &Call) -> Result<Offer, Error> {
    let (simple_mode, include_mcp) = (asked.simple_mode, !asked.no_mcp);
    let is_simple = |entry: &Entry| {
        entry.origin == Origin::Builtin
            && tool::find(&entry.name).is_some_and(|tool| tool.pool == Pool::Simple)
    };
    let is_wanted = |entry: &&Entry| {
        (include_mcp || entry.origin != Origin::Plugin) && (!simple_mode || is_simple(entry))
    };
    let inventory = inventory(call)?;
    let tools: Vec<Listing> = inventory.tools.iter().filter(is_wanted).map(Listing::from).collect();
    Ok(Offer { simple_mode, include_mcp, tool_count: tools.len(), tools })
}

fn show(pool: &Offer, screen: &mut Screen) {
    screen.heading(format_args!("Tools: {}", pool.tool_count));
    show_listings(&pool.tools, screen);
}
