//! Compares two contracts: every change by its rule, once, with its impact on each reader.
//!
//! Commands are paired first; then each pair is compared family by family. The comparison is symmetric: in the other
//! direction it finds the mirror of every change.

mod bump;
mod change;
mod coverage;
mod data;
mod envelope;
mod errors;
mod once;
mod pair;
mod process;
mod rename;
pub(crate) mod rule;
mod surface;
mod tree;

pub(crate) use bump::bumps;
pub use bump::{Bump, Versions};
pub use change::{Certainty, Change, Place};
pub use rule::{Family, Impact, Reader, Rule};

use crate::lock::Lock;
use change::Sink;
use std::collections::BTreeMap;

/// Every change between two contracts, sorted. `versions` are those of the programs, if they are known.
pub fn compare(old: &Lock, new: &Lock, versions: &Versions) -> Vec<Change> {
    let mut changes = Vec::new();
    for pair in pair::pairs(old, new, &mut changes) {
        let start = changes.len();
        let sink = &mut Sink::new(Some(pair.old_words), Some(pair.new_words), &mut changes);
        surface::compare(pair.old, pair.new, sink);
        process::compare(pair.old, pair.new, sink);
        envelope::compare(pair.old, pair.new, sink);
        errors::compare(pair.old, pair.new, sink);
        data::compare(pair.old, pair.new, sink);
        coverage::compare(pair.old, pair.new, sink);
        once::within_command(&mut changes, start);
    }
    let mut changes = folded(changes);
    once::within_program(&mut changes);
    changes.extend(bump::findings(old, new, &changes, versions));
    changes.sort_by_cached_key(order);
    changes
}

/// The sort key of a change, which does not depend on the order in which changes were found.
fn order(change: &Change) -> (Family, Vec<u8>) {
    let text =
        format!("{}\n{:?}\n{:?}\n{:?}", change.rule.id, change.old, change.new, change.commands);
    (change.rule.family, text.into_bytes())
}

/// Folds a change that several commands have into one.
fn folded(changes: Vec<Change>) -> Vec<Change> {
    type Key = (&'static str, Option<Place>, Option<Place>, bool);
    let mut found: BTreeMap<Key, Change> = BTreeMap::new();
    let mut single = Vec::new();
    for change in changes {
        if change.old.is_none() && change.new.is_none() {
            single.push(change);
            continue;
        }
        let is_thin = change.certainty == Certainty::Thin;
        let key = (change.rule.id, change.old.clone(), change.new.clone(), is_thin);
        match found.get_mut(&key) {
            Some(known) => known.commands.extend(change.commands),
            None => {
                found.insert(key, change);
            }
        }
    }
    let mut all: Vec<Change> = found.into_values().chain(single).collect();
    for change in &mut all {
        change.commands.sort();
    }
    all
}
