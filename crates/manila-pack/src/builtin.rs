//! The packs that are built in: one text per pack, found by the name of a program.

use crate::pack::{Lookup, Pack};

/// A built-in pack, as `build.rs` writes it.
struct Entry {
    name: &'static str,
    /// What every call needs.
    calls: &'static str,
    /// What only a failure needs.
    answers: &'static str,
    /// Some rule looks at runs that ended with 0.
    reads_success: bool,
}

include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The packs that are built in.
#[derive(Clone, Copy, Debug)]
pub struct Builtin;

/// The packs that are built in.
pub static BUILTIN: Builtin = Builtin;

impl Lookup for Builtin {
    fn find(&self, program: &str) -> Option<Pack> {
        let at = PROGRAMS.binary_search_by_key(&program, |(name, _)| name).ok()?;
        Builtin::load(PACKS.get(PROGRAMS[at].1)?)
    }
}

impl Builtin {
    /// The pack of this name.
    pub fn pack(self, name: &str) -> Option<Pack> {
        let at = PACKS.binary_search_by_key(&name, |entry| entry.name).ok()?;
        Builtin::load(&PACKS[at])
    }

    /// The names of the packs, in order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        PACKS.iter().map(|entry| entry.name)
    }

    fn load(entry: &Entry) -> Option<Pack> {
        Pack::builtin(entry.calls, entry.answers, entry.reads_success)
    }
}
