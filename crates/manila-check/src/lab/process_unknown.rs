//! What the processes of a run are doing, where the system does not tell.

use super::fair_timer::Activity;
use crate::run::Waiting;

/// Nobody knows of any.
pub(super) fn descendants(_: u32) -> Vec<u32> {
    Vec::new()
}

/// Nobody knows whether they do anything.
pub(super) fn idle_since(_: u32) -> Option<u64> {
    None
}

/// Nobody knows what they do.
pub(super) fn activity(_: u32) -> Option<Activity> {
    None
}

/// Nobody knows for what.
pub(super) fn waiting(_: u32, _: Option<u64>) -> Waiting {
    Waiting::ForSomething
}
