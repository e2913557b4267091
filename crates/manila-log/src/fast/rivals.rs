//! The dialects that the fast judge does not certify: which records it must leave to the reference because
//! they may be of one of those.
//!
//! Where the marks of two dialects are found, each is only possible. A record that is certainly of one of
//! the fast dialects is therefore certified only if it lacks a key that every other certain match needs.

use super::known::bit;
use crate::contract::holds;
use crate::name::{EXACT, Name};
use crate::value_ref::ValueRef;
use manila::table::{Is, Level, Test};
use manila::{Confidence, Dialect, dialects::WRITTEN, every_dialect, preferred_dialect};

/// How many slots the table of names has, as a power of two.
const SLOTS: u32 = 10;
/// How many names there may be: each is a bit of a set.
const NAMES: usize = 64;

/// The keys that the fast dialects lack and others need.
#[derive(Debug)]
pub(super) struct Rivals {
    names: Vec<Name>,
    /// The place of each name, counted from 1, in the first free slot from its hash on.
    slots: Box<[u8; 1 << SLOTS]>,
    all: Vec<Rival>,
}

/// What a match of another dialect needs.
#[derive(Clone, Debug)]
struct Rival {
    id: &'static str,
    /// Keys with a slot.
    known: u32,
    /// Names at the top.
    names: u64,
    /// Names in an object that has a slot.
    inner: Vec<(u32, u64)>,
    /// The conditions that all of it comes from.
    tests: Vec<&'static Test>,
}

/// The rivals of one of the fast dialects.
#[derive(Debug)]
pub(super) struct RivalsOf {
    all: Vec<Rival>,
    /// Those that need no name at the top.
    nameless: Vec<Rival>,
}

/// What was met of the names while a record was judged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Met {
    /// Names at the top.
    pub(super) top: u64,
    /// Names in the objects that were looked at.
    pub(super) inner: u64,
    /// The objects whose members were looked at.
    pub(super) looked: u32,
}

impl Rivals {
    /// The rivals among the dialects that this process knows.
    pub(super) fn new() -> Rivals {
        let mut rivals =
            Rivals { names: Vec::new(), slots: Box::new([0; 1 << SLOTS]), all: Vec::new() };
        let is_fast = |dialect: &dyn Dialect| WRITTEN.iter().any(|it| it.id() == dialect.id());
        for dialect in every_dialect() {
            let is_preferred = preferred_dialect().is_some_and(|it| it.id() == dialect.id());
            let marks = &dialect.table().marks;
            if is_fast(dialect) && !is_preferred {
                continue;
            }
            if marks.levels.is_empty() {
                let rival = rivals.rival(dialect.id(), [].iter());
                rivals.all.push(rival);
            }
            let counts = |level: &&Level| is_preferred || level.confidence == Confidence::Certain;
            for level in marks.levels.iter().filter(counts) {
                let rival = rivals.rival(dialect.id(), marks.all.iter().chain(level.all));
                rivals.all.push(rival);
            }
        }
        rivals
    }

    /// Those of a dialect whose records have none of the keys `lacks`.
    pub(super) fn of(&self, lacks: u32) -> RivalsOf {
        let can_be = |rival: &&Rival| rival.known & lacks == 0;
        let all: Vec<_> = self.all.iter().filter(can_be).cloned().collect();
        let nameless = all.iter().filter(|rival| rival.names == 0).cloned().collect();
        RivalsOf { all, nameless }
    }

    fn rival(&mut self, id: &'static str, tests: impl Iterator<Item = &'static Test>) -> Rival {
        let tests: Vec<_> = tests.collect();
        let mut rival = Rival { id, known: 0, names: 0, inner: Vec::new(), tests: Vec::new() };
        // A condition that an absent value meets needs nothing.
        let needs = |test: &&&Test| (test.is == Is::Absent) == test.not;
        for test in tests.iter().filter(needs) {
            let mut path = test.path.split('.');
            let (first, second) = (path.next().unwrap_or_default(), path.next());
            let Some(outer) = bit(first) else {
                rival.names |= self.name(first);
                continue;
            };
            rival.known |= outer;
            // The elements of an array have no names.
            let second = second.filter(|name| name.parse::<usize>().is_err());
            if let Some(name) = second.map(|name| self.name(name)).filter(|name| *name != 0) {
                rival.inner.push((outer, name));
            }
        }
        Rival { tests, ..rival }
    }

    /// The bit of a name; none where there are more names than bits, or it is too long to be compared.
    fn name(&mut self, name: &str) -> u64 {
        if name.len() > EXACT {
            return 0;
        }
        let name = Name::from_key(name);
        let met = self.met(name, name.hash());
        let Some(place) = u8::try_from(self.names.len() + 1).ok().filter(|_| met == 0) else {
            return met;
        };
        if self.names.len() == NAMES {
            return 0;
        }
        let mut slot = first_slot(name.hash());
        while self.slots[slot] != 0 {
            slot = next_slot(slot);
        }
        self.slots[slot] = place;
        self.names.push(name);
        1 << (place - 1)
    }

    /// The bit of a name with this hash, if another dialect needs it.
    #[inline]
    pub(super) fn met(&self, name: Name, hash: u64) -> u64 {
        let mut slot = first_slot(hash);
        loop {
            let place = self.slots[slot];
            let Some(at) = place.checked_sub(1) else { return 0 };
            if self.names.get(usize::from(at)) == Some(&name) {
                return 1 << at;
            }
            slot = next_slot(slot);
        }
    }
}

/// Where a name with this hash is looked for. Fewer than one slot in ten is taken.
#[inline]
fn first_slot(hash: u64) -> usize {
    (hash >> (64 - SLOTS)) as usize
}

#[inline]
fn next_slot(slot: usize) -> usize {
    (slot + 1) % (1 << SLOTS)
}

impl RivalsOf {
    /// Whether a record with these keys may be of another dialect than `id`. `is_object` says of a key
    /// whether its value has members, `get` has the value of any name at the top; few records have the
    /// keys of another dialect, so that it is rarely asked.
    #[inline]
    pub(super) fn may_be<'r>(
        &self,
        id: &str,
        present: u32,
        met: Met,
        is_object: impl Fn(u32) -> bool,
        get: impl Fn(&str) -> Option<ValueRef<'r>>,
    ) -> bool {
        let list = if met.top == 0 { &self.nameless } else { &self.all };
        list.iter().any(|rival| {
            present & rival.known == rival.known
                && met.top & rival.names == rival.names
                && rival.inner.iter().all(|(outer, name)| {
                    let is_met = met.inner & name != 0;
                    is_met || (met.looked & outer == 0 && is_object(*outer))
                })
                && rival.id != id
                && rival.tests.iter().all(|test| holds(test, &get))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_dialect_with_marks_of_its_own_is_a_rival() {
        let rivals = Rivals::new();
        assert!(rivals.names.len() < NAMES, "{}", rivals.names.len());
        for dialect in every_dialect().skip(WRITTEN.len()) {
            let is_certain = |level: &Level| level.confidence == Confidence::Certain;
            let has_marks = dialect.table().marks.levels.iter().any(is_certain);
            let is_there = rivals.all.iter().any(|rival| rival.id == dialect.id());
            assert_eq!(has_marks, is_there, "{}", dialect.id());
        }
    }
}
