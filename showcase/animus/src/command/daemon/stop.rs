//! `daemon stop`: ends the daemon and waits for its end. If there is none, that is what was wanted.

use crate::daemon::client::{self, End};
use crate::error::Error;
use crate::project::Project;
use clap::Args;
use manila_clap::{Call, Danger, Effect, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct Arguments {
    /// How long to wait for its end
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=3600))]
    shutdown_timeout_secs: u32,
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "daemon_stop", show = show)]
pub(crate) struct Stopped {
    /// Whether it ended as it was asked to, and not before it could answer.
    graceful: bool,
    message: &'static str,
    shutdown_timeout_secs: u32,
}

fn show(stopped: &Stopped, screen: &mut Screen) {
    screen.line(stopped.message);
}

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Stopped>()
        .fails(&["internal", "invalid_input", "not_found", "unavailable"])
        .danger(Danger::Mutating)
        .example("animus daemon stop", "no daemon runs afterwards")
}

pub(crate) fn run(arguments: &Arguments, project: &Project, call: &Call) -> Result<Stopped, Error> {
    let Arguments { shutdown_timeout_secs } = *arguments;
    let end = client::stop(&project.daemon(), Duration::from_secs(shutdown_timeout_secs.into()))?;
    call.effect(if end.is_some() { Effect::Deleted } else { Effect::Noop });
    let message = if end.is_some() { "daemon stopped" } else { "daemon is not running" };
    Ok(Stopped { graceful: end != Some(End::Abrupt), message, shutdown_timeout_secs })
}
