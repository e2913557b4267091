//! Records by some dimensions: the groups, how many there may be, and what each adds up.

use super::dimension::Dimension;
use super::histogram::Histogram;
use super::key::{Key, Map};
use super::record_view::RecordView;
use serde::{Deserialize, Serialize};

/// What some records add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    pub(crate) records: u64,
    pub(crate) failures: u64,
    pub(crate) durations: Histogram,
    pub(crate) span: Span,
}

impl Group {
    pub(crate) fn add(&mut self, view: &RecordView<'_>) {
        self.count(view);
        if let Some(duration) = view.duration() {
            self.durations.add(duration);
        }
        if let Some(time) = view.time() {
            self.span.add(time);
        }
    }

    /// Adds what costs nothing to know.
    pub(crate) fn count(&mut self, view: &RecordView<'_>) {
        self.records += 1;
        self.failures += u64::from(!view.envelope.ok);
    }

    pub(crate) fn join(&mut self, other: &Group) {
        self.records += other.records;
        self.failures += other.failures;
        self.durations.join(&other.durations);
        self.span.join(other.span);
    }
}

/// The first and the last time that something was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span(pub(crate) Option<(i64, i64)>);

impl Span {
    pub(crate) fn add(&mut self, time: i64) {
        self.join(Span(Some((time, time))));
    }

    pub(crate) fn join(&mut self, other: Span) {
        self.0 = match (self.0, other.0) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
    }
}

/// The groups of one table that one block has, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    found: Map<Group>,
    /// Records that have none of the dimensions.
    without: u64,
}

impl Groups {
    pub(crate) fn add(&mut self, by: &[Dimension], view: &RecordView<'_>, key: &mut Key) {
        key.clear();
        let mut has_value = false;
        for dimension in by {
            let value = dimension.value(view);
            has_value |= value.is_some();
            key.push(value.as_deref());
        }
        if !has_value {
            self.without += 1;
            return;
        }
        match self.found.get_mut(key.bytes()) {
            Some(group) => group.add(view),
            None => self.found.entry(key.bytes().into()).or_default().add(view),
        }
    }
}

/// The groups of one table, as many as there may be: those that came first in the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) groups: Map<Group>,
    /// What all further groups add up to.
    pub(crate) other: Group,
    pub(crate) without: u64,
}

impl Table {
    /// Adds the groups of the next block.
    pub(crate) fn join(&mut self, next: Groups, most: usize) {
        self.without += next.without;
        self.take(next.found, most);
    }

    /// Adds the groups of what follows in the input, which has all of its groups.
    pub(crate) fn absorb(&mut self, next: Table, most: usize) {
        self.without += next.without;
        self.take(next.groups, most);
    }

    fn take(&mut self, next: Map<Group>, most: usize) {
        for (key, group) in next {
            let has_room = self.groups.len() < most;
            match self.groups.get_mut(&key) {
                Some(known) => known.join(&group),
                None if has_room => {
                    self.groups.insert(key, group);
                }
                None => self.other.join(&group),
            }
        }
    }
}
