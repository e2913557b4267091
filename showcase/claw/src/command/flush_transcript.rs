//! `flush-transcript`: brings a session to the disk, every line finished.

use crate::cli::One;
use crate::command::tell_torn;
use crate::error::Error;
use crate::session::{Role, Sessions};
use manila_clap::{Call, Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

/// A session that is on the disk.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "flush-transcript", show = show)]
pub(crate) struct Written {
    /// Its id.
    session_id: String,
    /// Its file.
    path: String,
    /// Whether it was written.
    flushed: bool,
    /// How many messages were written.
    messages_count: usize,
    /// How many tokens its prompts have.
    input_tokens: u64,
    /// How many tokens its answers have.
    output_tokens: u64,
}

pub(super) fn spec() -> Spec {
    Spec::new()
        .reply::<Written>()
        .fails(&["filesystem", "session", "session_not_found"])
        .danger(Danger::Mutating)
        .example("claw flush-transcript sess_abc123", "brings it to the disk, and counts it")
}

pub(super) fn run(one: &One, call: &Call) -> Result<Written, Error> {
    let sessions = Sessions::at(&one.sessions.directory);
    let transcript = sessions.flush(&one.session_id)?;
    tell_torn(&one.session_id, &transcript, call);
    Ok(Written {
        session_id: one.session_id.to_string(),
        path: sessions.path(&one.session_id).display().to_string(),
        flushed: true,
        messages_count: transcript.messages.len(),
        input_tokens: transcript.tokens_of(Role::User),
        output_tokens: transcript.tokens_of(Role::Assistant),
    })
}

fn show(written: &Written, screen: &mut Screen) {
    screen.field("session", &written.session_id);
    screen.field("messages", written.messages_count);
    screen.field(
        "tokens",
        format_args!("{} in, {} out", written.input_tokens, written.output_tokens),
    );
    screen.field("path", &written.path);
}
