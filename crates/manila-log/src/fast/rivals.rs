//! The dialects that the fast judge does not certify: which records it must leave to the reference because
//! they may be of one of those.
//!
//! Where the marks of two dialects are found, each is only possible. A record that is certainly of one of
//! the fast dialects is therefore certified only if it lacks a key that every other certain match needs.

use super::known::bit;
use crate::name::{EXACT, Name};
use manila::table::{Is, Level, Test};
use manila::{Confidence, Dialect, dialects::WRITTEN, every_dialect, preferred_dialect};

/// How many bits the filter of names has, as a power of two.
const FILTER: u32 = 12;

/// The keys that the fast dialects lack and others need.
#[derive(Debug)]
pub(super) struct Rivals {
    names: Vec<Name>,
    /// A bit for the hash of each name.
    filter: Box<[u64; 1 << (FILTER - 6)]>,
    all: Vec<Rival>,
    /// Those that need no name at the top.
    nameless: Vec<Rival>,
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
        let mut rivals = Rivals {
            names: Vec::new(),
            filter: Box::new([0; 1 << (FILTER - 6)]),
            all: Vec::new(),
            nameless: Vec::new(),
        };
        let is_fast = |dialect: &dyn Dialect| WRITTEN.iter().any(|it| it.id() == dialect.id());
        for dialect in every_dialect() {
            let is_preferred = preferred_dialect().is_some_and(|it| it.id() == dialect.id());
            let marks = &dialect.table().marks;
            if is_fast(dialect) && !is_preferred {
                continue;
            }
            if marks.levels.is_empty() {
                let rival = Rival { id: dialect.id(), known: 0, names: 0, inner: Vec::new() };
                rivals.all.push(rival);
            }
            let counts = |level: &&Level| is_preferred || level.confidence == Confidence::Certain;
            for level in marks.levels.iter().filter(counts) {
                let rival = rivals.rival(dialect.id(), marks.all.iter().chain(level.all));
                rivals.all.push(rival);
            }
        }
        let is_nameless = |rival: &&Rival| rival.names == 0;
        rivals.nameless = rivals.all.iter().filter(is_nameless).cloned().collect();
        rivals
    }

    fn rival(&mut self, id: &'static str, tests: impl Iterator<Item = &'static Test>) -> Rival {
        let mut rival = Rival { id, known: 0, names: 0, inner: Vec::new() };
        // A condition that an absent value meets needs nothing.
        let needs = |test: &&Test| (test.is == Is::Absent) == test.not;
        for test in tests.filter(needs) {
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
        rival
    }

    /// The bit of a name; none where there are more names than bits, or it is too long to be compared.
    fn name(&mut self, name: &str) -> u64 {
        if name.len() > EXACT {
            return 0;
        }
        let name = Name::from_key(name);
        let at = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        if at >= 64 {
            return 0;
        }
        let slot = name.hash() >> (64 - FILTER);
        self.filter[(slot >> 6) as usize] |= 1 << (slot & 63);
        1 << at
    }

    /// The bit of a name with this hash, if another dialect needs it.
    #[inline]
    pub(super) fn met(&self, name: Name, hash: u64) -> u64 {
        let slot = hash >> (64 - FILTER);
        if self.filter[(slot >> 6) as usize] >> (slot & 63) & 1 == 0 {
            return 0;
        }
        self.names.iter().take(64).position(|known| *known == name).map_or(0, |at| 1 << at)
    }

    /// Whether a record with these keys may be of another dialect than `id`. `is_object` says of a key
    /// whether its value has members.
    #[inline]
    pub(super) fn may_be(
        &self,
        id: &str,
        present: u32,
        met: Met,
        is_object: impl Fn(u32) -> bool,
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
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_dialect_with_marks_of_its_own_is_a_rival() {
        let rivals = Rivals::new();
        assert!(rivals.names.len() <= 64, "{}", rivals.names.len());
        for dialect in every_dialect().skip(WRITTEN.len()) {
            let is_certain = |level: &Level| level.confidence == Confidence::Certain;
            let has_marks = dialect.table().marks.levels.iter().any(is_certain);
            let is_there = rivals.all.iter().any(|rival| rival.id == dialect.id());
            assert_eq!(has_marks, is_there, "{}", dialect.id());
        }
    }
}
