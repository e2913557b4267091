//! `list-sessions`: every stored session.

use crate::cli::SessionsArgs;
use crate::command::tell_torn;
use crate::error::Error;
use crate::session::{self, SessionId, to_the_second};
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// The stored sessions.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "list-sessions", show = show, legacy = legacy)]
pub(crate) struct Overview {
    /// Where they are stored.
    directory: String,
    /// How many there are.
    sessions_count: usize,
    /// The sessions.
    sessions: Vec<Row>,
}

/// One stored session.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    /// Its id.
    session_id: String,
    /// When it was created.
    created_at: String,
    /// When it last changed.
    last_modified: String,
    /// How many prompts it has.
    prompt_count: usize,
    /// Whether something other than the end of the work ended its last turn.
    stopped: bool,
    #[serde(skip)]
    only_before: OnlyBefore,
}

/// What the older envelope says of a session, and this one does not.
#[derive(Debug)]
struct OnlyBefore {
    path: String,
    updated_at_ms: i64,
    message_count: usize,
}

#[derive(Serialize)]
struct OldSessions<'s> {
    sessions: Vec<OldSession<'s>>,
}

#[derive(Serialize)]
struct OldSession<'s> {
    id: &'s str,
    path: &'s str,
    created: &'s str,
    turns: usize,
    updated_at_ms: i64,
    message_count: usize,
}

fn legacy(overview: &Overview) -> OldSessions<'_> {
    OldSessions { sessions: overview.sessions.iter().map(OldSession::from).collect() }
}

impl<'s> From<&'s Row> for OldSession<'s> {
    fn from(session: &'s Row) -> OldSession<'s> {
        OldSession {
            id: &session.session_id,
            path: &session.only_before.path,
            created: &session.created_at,
            turns: session.prompt_count,
            updated_at_ms: session.only_before.updated_at_ms,
            message_count: session.only_before.message_count,
        }
    }
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Overview>()
        .fails(&["filesystem"])
        .danger(Danger::Safe)
        .example("claw list-sessions --output-format json", "every session, for a program")
}

pub(super) fn run(sessions: &SessionsArgs, call: &Call) -> Result<Overview, Error> {
    let stored = session::Sessions::at(&sessions.directory);
    let mut sessions = Vec::new();
    for id in stored.ids()? {
        match describe(&stored, &id, call) {
            Ok(session) => sessions.push(session),
            // Another process deleted it in the meantime.
            Err(Error::SessionNotFound { .. }) => {}
            Err(error) => call.warn(format!("session '{id}' is left out: {error}")),
        }
    }
    Ok(Overview { directory: stored.directory(), sessions_count: sessions.len(), sessions })
}

fn describe(stored: &session::Sessions, id: &SessionId, call: &Call) -> Result<Row, Error> {
    let transcript = stored.load(id)?;
    tell_torn(id, &transcript, call);
    let modified = stored.last_modified(id)?;
    Ok(Row {
        session_id: id.to_string(),
        created_at: transcript.header.created_at.clone(),
        last_modified: to_the_second(modified),
        prompt_count: transcript.prompts(),
        stopped: transcript.is_stopped(),
        only_before: OnlyBefore {
            path: stored.absolute_path(id),
            updated_at_ms: modified.as_millisecond(),
            message_count: transcript.messages.len(),
        },
    })
}

fn show(overview: &Overview, screen: &mut Screen) {
    if overview.sessions.is_empty() {
        screen.line(format_args!("No sessions in {}.", overview.directory));
        return screen.line("Start one with: claw bootstrap \"hello\"");
    }
    let rows = overview.sessions.iter().map(|session| {
        let state = if session.stopped { "stopped" } else { "open" };
        [
            session.session_id.clone(),
            session.prompt_count.to_string(),
            state.to_owned(),
            session.last_modified.clone(),
        ]
    });
    screen.table(["SESSION", "PROMPTS", "STATE", "LAST MODIFIED"], rows);
}
