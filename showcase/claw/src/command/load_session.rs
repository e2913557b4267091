//! `load-session`: reads a session, every line of it.

use crate::cli::One;
use crate::command::tell_torn;
use crate::error::Error;
use crate::session::Sessions;
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// A session that could be read.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "load-session", show = show, legacy = legacy)]
pub(crate) struct Opened {
    /// Its id.
    session_id: String,
    /// Whether it was loaded.
    loaded: bool,
    /// Where it is stored.
    directory: String,
    /// Its file.
    path: String,
    /// How many messages it has; only the older envelope and the text output have it.
    #[serde(skip)]
    messages: usize,
    /// Its file as the older envelope names it.
    #[serde(skip)]
    absolute_path: String,
}

#[derive(Serialize)]
struct Old<'s> {
    session: OldSession<'s>,
}

#[derive(Serialize)]
struct OldSession<'s> {
    id: &'s str,
    path: &'s str,
    messages: usize,
}

fn legacy(opened: &Opened) -> Old<'_> {
    let Opened { session_id: id, absolute_path: path, messages, .. } = opened;
    Old { session: OldSession { id, path, messages: *messages } }
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Opened>()
        .fails(&["filesystem", "session", "session_not_found"])
        .danger(Danger::Safe)
        .example("claw load-session sess_abc123", "whether it can be read, and its file")
}

pub(super) fn run(one: &One, call: &Call) -> Result<Opened, Error> {
    let sessions = Sessions::at(&one.sessions.directory);
    let transcript = sessions.load(&one.session_id)?;
    tell_torn(&one.session_id, &transcript, call);
    Ok(Opened {
        session_id: one.session_id.to_string(),
        loaded: true,
        directory: sessions.directory(),
        path: sessions.path(&one.session_id).display().to_string(),
        messages: transcript.messages.len(),
        absolute_path: sessions.absolute_path(&one.session_id),
    })
}

fn show(opened: &Opened, screen: &mut Screen) {
    screen.field("session", &opened.session_id);
    screen.field("messages", opened.messages);
    screen.field("path", &opened.path);
}
