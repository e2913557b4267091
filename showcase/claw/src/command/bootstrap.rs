//! `bootstrap`: a session from nothing: the environment, the routing, one turn, and all of it on disk.

use crate::cli;
use crate::command::route::show_matches;
use crate::command::turn_loop::stopped;
use crate::command::{Answer, inventory, space};
use crate::engine::{Engine, Limits, Taken, Used};
use crate::error::Error;
use crate::probe::Setup;
use crate::router::Match;
use crate::session::{Message, SessionId, Sessions, Turn};
use crate::watch::Watch;
use manila_clap::{Call, Danger, Effect, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// A session that has begun.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "bootstrap", show = show)]
pub(crate) struct Started {
    /// The prompt as given.
    prompt: String,
    /// The environment.
    setup: Setup,
    /// What the prompt was routed to.
    routed_matches: Vec<Match>,
    /// The first turn.
    turn: Turn,
    /// The file that the session was written to.
    persisted_session_path: String,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Started>()
        .fails(&["filesystem"])
        .danger(Danger::Mutating)
        .example("claw bootstrap 'hello'", "starts a session with that prompt")
}

pub(super) fn run(asked: cli::Bootstrap, call: &Call) -> Result<Started, Error> {
    let cli::Bootstrap { prompt, timeout_seconds, sessions } = asked;
    let watch = Watch::new(call, None);
    let setup = Setup::probe(&watch, Path::new("."));
    let watch = watch.within(timeout_seconds.duration());
    let mut engine = Engine::new(inventory(call)?, watch, Limits::default(), Used::default())?;
    let Taken { turn, matches: routed_matches, stopped: stop } = engine.turn(&prompt);
    let sessions = Sessions::at(&sessions.directory);
    let id = SessionId::of_call(call.request_id());
    sessions.create(&id, Message::of_turn(&turn).into())?;
    call.effect(Effect::Created);
    let persisted_session_path = sessions.path(&id).display().to_string();
    let started = Started { prompt, setup, routed_matches, turn, persisted_session_path };
    match stop {
        None => Ok(started),
        Some(stop) => Err(stopped(stop, started.prompt.clone(), Answer::Bootstrap(started))),
    }
}

fn show(started: &Started, screen: &mut Screen) {
    let Setup { python_version, implementation, platform_name, test_command } = &started.setup;
    let known = |text: &str| if text.is_empty() { "none found" } else { text }.to_owned();
    screen.heading("Environment");
    screen.field("platform", platform_name);
    screen.field("python", known(format!("{implementation} {python_version}").trim()));
    screen.field("tests", known(test_command));
    space(screen);
    if !started.routed_matches.is_empty() {
        screen.heading("Routed to");
        show_matches(&started.routed_matches, screen);
        space(screen);
    }
    screen.heading("Turn");
    screen.line(&started.turn.output);
    screen.field("stop reason", started.turn.stop_reason.as_str());
    screen.field("session", &started.persisted_session_path);
}
