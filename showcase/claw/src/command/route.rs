//! `route`: the commands and tools that fit a prompt.

use crate::cli;
use crate::command::inventory;
use crate::error::Error;
use crate::router::{self, Match};
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// What fits a prompt, the best first.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "route", show = show)]
pub(crate) struct Routed {
    /// The prompt as given.
    prompt: String,
    /// The most matches that were asked for.
    limit: u16,
    /// How many there are.
    match_count: usize,
    /// The matches.
    matches: Vec<Match>,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Routed>()
        .fails(&["filesystem"])
        .danger(Danger::Safe)
        .example("claw route 'add a test'", "what could add one")
}

pub(super) fn run(asked: cli::Route, call: &Call) -> Result<Routed, Error> {
    let cli::Route { prompt, limit } = asked;
    let matches = router::route(&prompt, &inventory(call)?, limit.into());
    Ok(Routed { prompt, limit, match_count: matches.len(), matches })
}

fn show(routed: &Routed, screen: &mut Screen) {
    if routed.matches.is_empty() {
        screen.line(format_args!("Nothing fits '{}'.", routed.prompt));
        return screen.line("See what there is with: claw command-graph, claw tool-pool");
    }
    show_matches(&routed.matches, screen);
}

/// Shows matches as a table.
pub(super) fn show_matches(matches: &[Match], screen: &mut Screen) {
    let rows = matches.iter().map(|it| {
        let (kind, score) = (it.kind.as_str().to_owned(), format!("{:.2}", it.score));
        [score, kind, it.name.clone(), it.source_hint.clone()]
    });
    screen.table(["SCORE", "KIND", "NAME", "SOURCE"], rows);
}
