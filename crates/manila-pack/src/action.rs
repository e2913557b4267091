//! What a caller should do after a run that a pack reads: the decision table, asked about it.

use crate::model::Effect;
use crate::pack::Pack;
use crate::read::Reading;
use manila::{Action, History, Policy, Status};

/// What to do after the first attempt of a call with this effect, where the caller allows what the pack can
/// do by itself.
pub(crate) fn first_action(
    reading: &Reading,
    status: Status,
    effect: Effect,
    pack: &Pack,
) -> Action {
    let envelope = reading.envelope(status, None);
    let refreshes = pack.model().refresh.as_ref().is_some_and(|refresh| !refresh.interactive);
    let policy =
        Policy { idempotent: effect.is_repeatable(), refresh: refreshes, ..Policy::default() };
    reading.decide(&envelope, status, &History::default(), &policy).action
}
