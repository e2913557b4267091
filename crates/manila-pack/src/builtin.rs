//! The packs that are built in, found by the name of a program.

use crate::compact::{Compact, Entry};
use crate::pack::{Lookup, Pack};

include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The packs that are built in.
#[derive(Clone, Copy, Debug)]
pub struct Builtin;

/// The packs that are built in.
pub static BUILTIN: Builtin = Builtin;

impl Lookup for Builtin {
    fn find(&self, program: &str) -> Option<Pack> {
        let at = PROGRAMS.binary_search_by_key(&program, |(name, _)| name).ok()?;
        let (program, pack) = PROGRAMS[at];
        Pack::builtin(PACKS.get(pack)?, Some(program))
    }
}

impl Builtin {
    /// The pack of this name.
    pub fn pack(self, name: &str) -> Option<Pack> {
        let at = PACKS.binary_search_by_key(&name, |entry| entry.name).ok()?;
        Pack::builtin(&PACKS[at], None)
    }

    /// The names of the packs, in order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        PACKS.iter().map(|entry| entry.name)
    }
}
