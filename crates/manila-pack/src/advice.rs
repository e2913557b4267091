//! What a caller should do after a run, from what it means and what the call may have changed.

use crate::model::Effect;
use crate::pack::Pack;
use crate::read::Reading;
use manila::Exit;
use manila::exit::Effects;
use serde::Serialize;

/// What a caller should do; the names are those of `manila::Action`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advice {
    /// Use the answer.
    Accept,
    /// Wait, then call again.
    Retry,
    /// Renew the credentials with the pack's command, then call again.
    RefreshCredentials,
    /// Get credentials; do not call again before.
    AcquireCredentials,
    /// Find out what was done before anything else.
    InspectState,
    /// It will not work as it is.
    GiveUp,
    /// Somebody who can think must look at it.
    Escalate,
}

impl Advice {
    /// Its name, as in the JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Advice::Accept => "accept",
            Advice::Retry => "retry",
            Advice::RefreshCredentials => "refresh-credentials",
            Advice::AcquireCredentials => "acquire-credentials",
            Advice::InspectState => "inspect-state",
            Advice::GiveUp => "give-up",
            Advice::Escalate => "escalate",
        }
    }
}

/// What a caller should do after a call with this effect that is read so.
pub fn advice(reading: &Reading, effect: Effect, pack: &Pack) -> Advice {
    let did_nothing = reading.effects == Effects::None || effect == Effect::None;
    let refreshes = pack.model().refresh.as_ref().is_some_and(|refresh| !refresh.interactive);
    match reading.class {
        Some(Exit::Success) => Advice::Accept,
        _ if reading.quota => Advice::GiveUp,
        _ if reading.retry && (did_nothing || effect == Effect::Idempotent) => Advice::Retry,
        _ if reading.retry => Advice::InspectState,
        // A command that asks a person cannot be run for the caller.
        Some(Exit::AuthRequired) if refreshes => Advice::RefreshCredentials,
        Some(Exit::AuthRequired) => Advice::AcquireCredentials,
        Some(Exit::PartialFailure | Exit::Timeout) if !did_nothing => Advice::InspectState,
        None => Advice::Escalate,
        Some(_) => Advice::GiveUp,
    }
}
