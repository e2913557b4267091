//! Drift: a code, a kind of answer or a field that appears in the middle of a log, or vanishes.
//!
//! Whether it did shows in where it is missing: had it been spread evenly, it would have been seen
//! there.

pub(crate) mod loose;

use super::key::{self, Key, Map};
use super::record_view::RecordView;
use super::timeline::{Scale, Timeline};
use crate::value_ref::ValueRef;
use manila::json::Kind;
use serde::Serialize;

/// How unlikely an absence must be before something is said to have appeared or vanished: by chance
/// it happens to one thing in twenty thousand, which is e to this power.
const MISSING: f64 = 10.0;
/// Of a hundred records, how many must say when they were written for time to be the scale.
const DATED: u64 = 90;

/// What can drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Thing {
    /// A dialect.
    Dialect,
    /// The code of an error.
    Code,
    /// A command, or the kind of an answer.
    Command,
    /// A field of a dialect, together with the type of its value.
    Field,
}

/// Every thing that can drift.
const THINGS: [Thing; 4] = [Thing::Dialect, Thing::Code, Thing::Command, Thing::Field];

/// Where the things of one block were seen.
#[derive(Debug, Default)]
pub(crate) struct Sightings {
    /// When each record was written.
    times: Vec<Option<i64>>,
    /// By thing: in which records of the block, counted from 0.
    things: [Map<Vec<u32>>; THINGS.len()],
}

impl Sightings {
    pub(crate) fn add(&mut self, view: &RecordView<'_>, key: &mut Key) {
        let number = u32::try_from(self.times.len()).unwrap_or(u32::MAX);
        self.times.push(view.time());
        let dialect = view.envelope.dialect.id();
        self.see(Thing::Dialect, key.clear().push(Some(dialect)), number);
        if let Some(code) = view.envelope.code.as_deref() {
            self.see(Thing::Code, key.clear().push(Some(code)), number);
        }
        if let Some(command) = view.command() {
            self.see(Thing::Command, key.clear().push(Some(dialect)).push(Some(command)), number);
        }
        for (name, value) in view.verdict.members() {
            self.field(key, [dialect, ""], name, value, number);
            let inside = ["data", "error", "meta"].into_iter().find(|outer| name.is_text(outer));
            for (inner, value) in inside.into_iter().flat_map(|_| value.members()) {
                self.field(key, [dialect, inside.unwrap_or_default()], inner, value, number);
            }
        }
    }

    fn field(
        &mut self,
        key: &mut Key,
        outer: [&str; 2],
        name: ValueRef<'_>,
        value: ValueRef<'_>,
        at: u32,
    ) {
        // Null says that there is no value; it is not a type of its own.
        let Some(kind) = word(value.kind()) else { return };
        let name = name.text();
        let key = key.clear().push(Some(outer[0])).push(Some(outer[1])).push(name.as_deref());
        self.see(Thing::Field, key.push(Some(kind)), at);
    }

    fn see(&mut self, thing: Thing, key: &Key, number: u32) {
        let seen = &mut self.things[thing as usize];
        let seen = match seen.get_index_of(key.bytes()) {
            Some(at) => &mut seen[at],
            None => seen.entry(key.bytes().into()).or_default(),
        };
        // Once for a record, however often it says so.
        if seen.last() != Some(&number) {
            seen.push(number);
        }
    }
}

fn word(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Null => None,
        Kind::Bool => Some("boolean"),
        Kind::Number => Some("number"),
        Kind::String => Some("text"),
        Kind::Array => Some("list"),
        Kind::Object => Some("object"),
    }
}

/// Where something was seen, along both scales.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) count: u64,
    pub(crate) by_time: Timeline,
    pub(crate) by_position: Timeline,
    /// The numbers of the first and the last record, counted from 1.
    pub(crate) positions: (u64, u64),
    pub(crate) times: Option<(i64, i64)>,
}

impl Seen {
    fn new() -> Self {
        Seen {
            count: 0,
            by_time: Timeline::new(Scale::Time),
            by_position: Timeline::new(Scale::Position),
            positions: (u64::MAX, 0),
            times: None,
        }
    }

    fn add(&mut self, position: u64, time: Option<i64>) {
        self.count += 1;
        self.by_position.add(i64::try_from(position).unwrap_or(i64::MAX));
        self.positions = (self.positions.0.min(position + 1), self.positions.1.max(position + 1));
        if let Some(time) = time {
            self.by_time.add(time);
            let (first, last) = self.times.unwrap_or((time, time));
            self.times = Some((first.min(time), last.max(time)));
        }
    }
}

/// Everything that was seen, of each thing as many as there may be: those that came first.
#[derive(Clone, Debug)]
pub(crate) struct Drift {
    all: Seen,
    dated: u64,
    things: [Map<Seen>; THINGS.len()],
    /// Things that were not watched, because there are too many.
    pub(crate) is_cut: bool,
}

impl Default for Drift {
    fn default() -> Self {
        Drift { all: Seen::new(), dated: 0, things: Default::default(), is_cut: false }
    }
}

/// How something came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It was not there at the beginning.
    Appeared,
    /// It was not there at the end.
    Vanished,
    /// It was there in the middle only.
    CameAndWent,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Changed<'d> {
    pub(crate) thing: Thing,
    pub(crate) key: &'d [u8],
    pub(crate) change: Change,
    pub(crate) seen: &'d Seen,
    pub(crate) counts: Vec<u64>,
}

impl Drift {
    /// Adds the next block.
    pub(crate) fn join(&mut self, next: Sightings, most: usize) {
        let before = self.all.count;
        for time in &next.times {
            self.all.add(self.all.count, *time);
            self.dated += u64::from(time.is_some());
        }
        for (known, next_things) in self.things.iter_mut().zip(next.things) {
            for (key, numbers) in next_things {
                let has_room = known.len() < most;
                let seen = match known.get_mut(&key) {
                    Some(seen) => seen,
                    None if has_room => known.entry(key).or_insert_with(Seen::new),
                    None => {
                        self.is_cut = true;
                        continue;
                    }
                };
                for number in numbers {
                    let time = next.times.get(number as usize).copied().flatten();
                    seen.add(before + u64::from(number), time);
                }
            }
        }
    }

    /// The scale along which things are looked at: time, where nearly all records have one.
    pub(crate) fn scale(&self) -> Scale {
        let is_dated = self.dated > 0 && self.dated * 100 >= self.all.count * DATED;
        if is_dated { Scale::Time } else { Scale::Position }
    }

    /// The timeline of all records.
    pub(crate) fn whole(&self) -> &Timeline {
        self.line(&self.all)
    }

    fn line<'s>(&self, seen: &'s Seen) -> &'s Timeline {
        match self.scale() {
            Scale::Time => &seen.by_time,
            Scale::Position => &seen.by_position,
        }
    }

    /// What appeared or vanished, in the order of the things and of their keys.
    pub(crate) fn changes(&self) -> Vec<Changed<'_>> {
        let whole = self.whole();
        let all = whole.along(whole);
        let mut changes = Vec::new();
        for (thing, known) in THINGS.into_iter().zip(&self.things) {
            for (key, seen) in known {
                let counts = self.line(seen).along(whole);
                if let Some(change) = change(&counts, &all) {
                    changes.push(Changed { thing, key, change, seen, counts });
                }
            }
        }
        changes.retain(|changed| !self.is_reported_by_another(changed, whole));
        changes.sort_by(|one, two| (one.thing as u8, one.key).cmp(&(two.thing as u8, two.key)));
        changes
    }

    /// Whether a field did what its dialect did, or the object that it is in: it says nothing new.
    fn is_reported_by_another(&self, changed: &Changed<'_>, whole: &Timeline) -> bool {
        let values = key::values(changed.key);
        let (Thing::Field, [Some(dialect), Some(outer), ..]) = (changed.thing, &values[..]) else {
            return false;
        };
        let is_same = |thing: Thing, key: &Key| {
            let seen = self.things[thing as usize].get(key.bytes());
            seen.is_some_and(|seen| self.line(seen).along(whole) == changed.counts)
        };
        let (mut of_dialect, mut object) = (Key::default(), Key::default());
        of_dialect.push(Some(dialect));
        object.push(Some(dialect)).push(Some("")).push(Some(outer)).push(word(Kind::Object));
        is_same(Thing::Dialect, &of_dialect) || is_same(Thing::Field, &object)
    }
}

/// What counts along a timeline say beside the counts of all records.
fn change(counts: &[u64], all: &[u64]) -> Option<Change> {
    let first = counts.iter().position(|count| *count > 0)?;
    let last = counts.iter().rposition(|count| *count > 0)?;
    let (sightings, records) = (sum(counts), sum(all));
    // Had they been spread evenly, each would have missed this part with that chance.
    let is_missing = |part: &[u64]| {
        let chance = 1.0 - sum(part) / records;
        -chance.ln() * sightings >= MISSING
    };
    match (is_missing(&all[..first]), is_missing(&all[last + 1..])) {
        (true, true) => Some(Change::CameAndWent),
        (true, false) => Some(Change::Appeared),
        (false, true) => Some(Change::Vanished),
        (false, false) => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate needs no more than 52 bits")]
fn sum(counts: &[u64]) -> f64 {
    counts.iter().sum::<u64>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rare_is_not_missed() {
        let all = [100; 8];
        assert_eq!(change(&[0, 0, 0, 1, 0, 0, 0, 0], &all), None);
        assert_eq!(change(&[0, 0, 0, 9, 9, 9, 9, 9], &all), Some(Change::Appeared));
        assert_eq!(change(&[9, 9, 9, 9, 9, 0, 0, 0], &all), Some(Change::Vanished));
        assert_eq!(change(&[0, 0, 0, 30, 9, 0, 0, 0], &all), Some(Change::CameAndWent));
        assert_eq!(change(&[3, 0, 0, 0, 0, 0, 0, 3], &all), None);
        assert_eq!(change(&[0; 8], &all), None);
    }

    #[test]
    fn a_quiet_time_is_not_an_absence() {
        assert_eq!(change(&[0, 0, 9, 9], &[1, 0, 100, 100]), None);
    }
}
