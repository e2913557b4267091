//! `turn-loop`: turns, until the work is done or a limit is reached.

use crate::cli;
use crate::command::{Answer, inventory, space, tell_torn};
use crate::engine::{Engine, Limits, Taken, Used, names};
use crate::error::{Error, Interrupted, OutOfTime, SoFar};
use crate::router::Kind;
use crate::session::{Message, SessionId, Sessions, StopReason, Tail, Turn};
use crate::watch::{Stop, Watch};
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// The turns that were taken.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "turn-loop", show = show)]
pub(crate) struct Course {
    /// The prompt as given.
    prompt: String,
    /// How many turns were allowed.
    max_turns: u16,
    /// How many were taken.
    turns_completed: usize,
    /// How long they could take; null for as long as they like.
    timeout_seconds: Option<f64>,
    /// The prompt of every turn after the first; null if there is none.
    continuation_prompt: Option<String>,
    /// The turns, in order.
    turns: Vec<Routed>,
    /// Why the last one ended.
    final_stop_reason: StopReason,
    /// Whether a cancellation was observed in it.
    final_cancel_observed: bool,
}

/// A turn, and what its prompt was routed to.
#[derive(Debug, Serialize, JsonSchema)]
struct Routed {
    #[serde(flatten)]
    turn: Turn,
    /// The commands that fit.
    matched_commands: Vec<String>,
    /// The tools that fit.
    matched_tools: Vec<String>,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Course>()
        .fails(&["filesystem", "session", "session_not_found"])
        .danger(Danger::Mutating)
        .example(
            "claw turn-loop 'hello' --max-turns 2 --continuation-prompt 'go on'",
            "two turns of a session that is not stored",
        )
}

pub(super) fn run(asked: cli::TurnLoop, call: &Call) -> Result<Course, Error> {
    let limit = asked.timeout_seconds.map(cli::Seconds::duration);
    let watch = Watch::new(call, limit);
    let store = Store::open(&asked, call)?;
    let limits = Limits { turns: Some(asked.max_turns.into()), tokens: asked.max_budget };
    let mut engine = Engine::new(inventory(call)?, watch, limits, store.used)?;
    let (turns, stop) = take_turns(&mut engine, &asked, &store, call)?;
    let last = turns.last().map(|routed| &routed.turn);
    let course = Course {
        prompt: asked.prompt,
        max_turns: asked.max_turns,
        turns_completed: turns.len(),
        timeout_seconds: asked.timeout_seconds.map(cli::Seconds::number),
        continuation_prompt: asked.continuation_prompt,
        final_stop_reason: last.map_or(StopReason::Completed, |turn| turn.stop_reason),
        final_cancel_observed: last.is_some_and(|turn| turn.cancel_observed),
        turns,
    };
    match stop {
        None => Ok(course),
        Some(stop) => Err(stopped(stop, course.prompt.clone(), Answer::TurnLoop(course))),
    }
}

/// Takes turns and stores each, until one is the last; also what stopped it from outside.
fn take_turns(
    engine: &mut Engine<'_>,
    asked: &cli::TurnLoop,
    store: &Store,
    call: &Call,
) -> Result<(Vec<Routed>, Option<Stop>), Error> {
    let mut turns = Vec::new();
    loop {
        let again = asked.continuation_prompt.as_ref().filter(|_| !turns.is_empty());
        let Taken { turn, matches, stopped } = engine.turn(again.unwrap_or(&asked.prompt));
        store.keep(&turn, call)?;
        let is_cut_short = turn.stop_reason != StopReason::Completed;
        turns.push(Routed {
            turn,
            matched_commands: names(&matches, Kind::Command),
            matched_tools: names(&matches, Kind::Tool),
        });
        let is_last = asked.continuation_prompt.is_none() || turns.len() >= asked.max_turns.into();
        if is_last || is_cut_short {
            return Ok((turns, stopped));
        }
    }
}

/// A turn that was stopped from outside is a failure, which still reports what was done.
pub(super) fn stopped(stop: Stop, target: String, so_far: Answer) -> Error {
    let so_far = Some(SoFar::new(so_far));
    match stop {
        Stop::OutOfTime => OutOfTime { operation: "turn", target, so_far }.into(),
        Stop::Cancelled(by) => Interrupted { by, so_far }.into(),
    }
}

/// Where the turns go, if anywhere.
struct Store {
    session: Option<(Sessions, SessionId)>,
    used: Used,
}

impl Store {
    fn open(asked: &cli::TurnLoop, call: &Call) -> Result<Store, Error> {
        let Some(id) = asked.session.clone() else {
            return Ok(Store { session: None, used: Used::default() });
        };
        let sessions = Sessions::at(&asked.sessions.directory);
        let transcript = sessions.load(&id)?;
        tell_torn(&id, &transcript, call);
        Ok(Store { used: Used::from(&transcript), session: Some((sessions, id)) })
    }

    fn keep(&self, turn: &Turn, call: &Call) -> Result<(), Error> {
        let Some((sessions, id)) = &self.session else { return Ok(()) };
        if sessions.append(id, &Message::of_turn(turn))? == Tail::Healed {
            call.warn(format!("a line of session '{id}' that was never finished is gone"));
        }
        Ok(())
    }
}

fn show(course: &Course, screen: &mut Screen) {
    for (number, routed) in (1..).zip(&course.turns) {
        if number > 1 {
            space(screen);
        }
        screen.heading(format_args!("Turn {number} of {} at most", course.max_turns));
        screen.line(&routed.turn.output);
        screen.field("stop reason", routed.turn.stop_reason.as_str());
    }
}
