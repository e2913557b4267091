//! `bootstrap-graph`: what `bootstrap` does, in its order.

use manila_clap::{Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

const STAGES: [&str; 5] = [
    "probe the environment",
    "load the inventory of commands and tools",
    "route the prompt",
    "take one turn with the local engine",
    "persist the session",
];

/// The stages of `bootstrap`.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "bootstrap-graph", show = show)]
pub(crate) struct Graph {
    /// The stages, in order.
    stages: [&'static str; STAGES.len()],
    /// A remark on the list.
    note: &'static str,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Graph>()
        .fails(&[])
        .danger(Danger::Safe)
        .example("claw bootstrap-graph", "what bootstrap does, step by step")
}

pub(super) fn run() -> Graph {
    Graph { stages: STAGES, note: "bootstrap-graph is markdown-only in this version" }
}

fn show(graph: &Graph, screen: &mut Screen) {
    screen.heading("# Bootstrap Graph");
    for stage in graph.stages {
        screen.line(format_args!("- {stage}"));
    }
}
