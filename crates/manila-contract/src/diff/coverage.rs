//! Compares coverage: calls that only one of the contracts is based on.

use super::change::{Sink, place};
use super::rule::comparison as rules;
use crate::lock::{Command, Outcome};
use std::collections::BTreeSet;

pub(super) fn compare(old: &Command, new: &Command, sink: &mut Sink<'_>) {
    let shown = |name: &str, outcomes: &BTreeSet<Outcome>| {
        let words = outcomes.iter().map(Outcome::to_string).collect::<Vec<_>>().join(" | ");
        Some(place(format!("call {name}"), words))
    };
    // A command that became a group, or the other way, has other calls; that is reported already.
    if old.is_group != new.is_group {
        return;
    }
    for (name, outcomes) in old.calls.iter().filter(|(name, _)| !new.calls.contains_key(*name)) {
        sink.add(&rules::COVERAGE_LOST, shown(name, outcomes), None);
    }
    for (name, outcomes) in new.calls.iter().filter(|(name, _)| !old.calls.contains_key(*name)) {
        sink.add(&rules::COVERAGE_GAINED, None, shown(name, outcomes));
    }
}
