//! `delete-session`: takes one session away.

use crate::cli::One;
use crate::error::Error;
use crate::session::Sessions;
use manila_clap::{Call, Danger, Effect, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// A session that is gone.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "delete-session", show = show)]
pub(crate) struct Removal {
    /// Its id.
    session_id: String,
    /// Whether it was deleted.
    deleted: bool,
    /// Where it was stored.
    directory: String,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Removal>()
        .fails(&["filesystem", "session_not_found"])
        // An id names exactly one session, and the documented call has no flag that confirms it.
        .danger(Danger::Mutating)
        .example("claw delete-session sess_abc123", "takes it away")
}

pub(super) fn run(one: &One, call: &Call) -> Result<Removal, Error> {
    let sessions = Sessions::at(&one.sessions.directory);
    sessions.delete(&one.session_id)?;
    call.effect(Effect::Deleted);
    Ok(Removal {
        session_id: one.session_id.to_string(),
        deleted: true,
        directory: sessions.directory(),
    })
}

fn show(removal: &Removal, screen: &mut Screen) {
    screen.line(format_args!("Deleted session {} from {}.", removal.session_id, removal.directory));
}
