//! `command-graph`: all commands, by where they come from.

use crate::command::{inventory, show_listings, space};
use crate::error::Error;
use crate::inventory::{Entry, Listing, Origin};
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// All commands.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "command-graph", show = show)]
pub(crate) struct Graph {
    /// How many are part of the program.
    builtins_count: usize,
    /// How many come from plugins.
    plugin_like_count: usize,
    /// How many are skills.
    skill_like_count: usize,
    /// How many there are in all.
    total_count: usize,
    /// Those that are part of the program.
    builtins: Vec<Listing>,
    /// Those that come from plugins.
    plugin_like: Vec<Listing>,
    /// Those that are skills.
    skill_like: Vec<Listing>,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Graph>()
        .fails(&["filesystem"])
        .danger(Danger::Safe)
        .example("claw command-graph", "every command by where it comes from")
}

pub(super) fn run(call: &Call) -> Result<Graph, Error> {
    let commands = inventory(call)?.commands;
    let from = |origins: &[Origin]| -> Vec<Listing> {
        let entries = commands.iter().filter(|entry: &&Entry| origins.contains(&entry.origin));
        entries.map(Listing::from).collect()
    };
    let builtins = from(&[Origin::Cli, Origin::Builtin]);
    let (plugin_like, skill_like) = (from(&[Origin::Plugin]), from(&[Origin::Skill]));
    Ok(Graph {
        builtins_count: builtins.len(),
        plugin_like_count: plugin_like.len(),
        skill_like_count: skill_like.len(),
        total_count: commands.len(),
        builtins,
        plugin_like,
        skill_like,
    })
}

fn show(graph: &Graph, screen: &mut Screen) {
    let groups = [
        ("Built in", &graph.builtins),
        ("From plugins", &graph.plugin_like),
        ("Skills", &graph.skill_like),
    ];
    for (title, listings) in groups.into_iter().filter(|(_, listings)| !listings.is_empty()) {
        screen.heading(format_args!("{title}: {}", listings.len()));
        show_listings(listings, screen);
        space(screen);
    }
    screen.heading(format_args!("In all: {}", graph.total_count));
}
