//! `daemon start`: a daemon in the background, which can be called when this answers.

use crate::daemon::{DaemonError, client, starter};
use crate::error::Error;
use crate::project::Project;
use manila_clap::{Call, Danger, Effect, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "daemon_start", show = show)]
pub(crate) struct Started {
    message: &'static str,
    pid: u32,
}

fn show(started: &Started, screen: &mut Screen) {
    screen.line(format_args!("{} with pid {}", started.message, started.pid));
}

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Started>()
        .fails(&["internal", "invalid_input", "not_found", "conflict", "unavailable"])
        .danger(Danger::Mutating)
        .example("animus daemon start", "the daemon of the project around here")
}

pub(crate) fn run(project: &Project, call: &Call) -> Result<Started, Error> {
    let place = project.daemon();
    if client::report(&place)?.is_some() {
        return Err(DaemonError::AlreadyRunning.into());
    }
    let program = std::env::current_exe().map_err(|error| DaemonError::failed_to_start(&error))?;
    let mut command = call.child(program);
    // Not in the working directory of the caller, which may have to be unmounted.
    command
        .args(["daemon", "serve", "--project-root"])
        .arg(project.root())
        .current_dir(project.root());
    let pid = starter::start(&place, command)?;
    call.effect(Effect::Created);
    Ok(Started { message: "daemon started", pid })
}
