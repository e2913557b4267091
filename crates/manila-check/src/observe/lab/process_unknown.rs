//! What the processes of a run are doing, where the system does not say.

use super::fair_timer::Activity;
use crate::observe::run::Waiting;

/// None is known.
pub(super) fn descendants(_: u32) -> Vec<u32> {
    Vec::new()
}

/// Whether they do anything is not known.
pub(super) fn idle_since(_: u32) -> Option<u64> {
    None
}

/// What they do is not known.
pub(super) fn activity(_: u32) -> Option<Activity> {
    None
}

/// What they wait for is not known.
pub(super) fn waiting(_: u32, _: Option<u64>) -> Waiting {
    Waiting::ForSomething
}
