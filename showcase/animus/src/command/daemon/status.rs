//! `daemon status`: whether the daemon runs, and what it sees.

use crate::command::Answer;
use crate::daemon::client;
use crate::daemon::protocol::Report;
use crate::error::Error;
use crate::project::Project;
use manila_clap::{Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// That there is no daemon, in one word.
#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "daemon_not_running", show = show)]
pub(crate) struct NotRunning(Stopped);

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Stopped {
    Stopped,
}

fn show(_: &NotRunning, screen: &mut Screen) {
    if screen.is_rich() {
        screen.line("The daemon is not running. `animus daemon start` starts it.");
    } else {
        screen.field("status", "stopped");
    }
}

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Report>()
        .reply::<NotRunning>()
        .fails(&["internal", "invalid_input", "not_found", "unavailable"])
        .danger(Danger::Safe)
        .example("animus daemon status", "its pid, its uptime and how many subjects there are")
}

pub(crate) fn run(project: &Project) -> Result<Answer, Error> {
    Ok(match client::report(&project.daemon())? {
        Some(report) => Answer::Report(report),
        None => Answer::NotRunning(NotRunning(Stopped::Stopped)),
    })
}
