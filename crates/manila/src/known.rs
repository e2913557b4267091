//! The dialects that a process knows: the built-in ones, and those that it added from files.
//!
//! A program adds its user's dialects once, before it reads anything, as it sets a logger. From then on
//! they are found by id and detected like built-in ones.

use crate::dialect::{DIALECTS, Dialect};
use std::fmt;
use std::sync::OnceLock;

static ADDED: OnceLock<Added> = OnceLock::new();

/// Dialects beside the built-in ones.
#[derive(Clone, Debug, Default)]
pub struct Added {
    /// The dialects.
    pub dialects: Vec<&'static dyn Dialect>,
    /// The dialect that settles what a document is where its marks are shared, and that is not forced
    /// on documents without them. It may be a built-in one.
    pub preferred: Option<&'static dyn Dialect>,
}

/// Why dialects were not added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddError {
    /// Dialects were added before.
    Again,
    /// Two dialects have this id.
    Taken(&'static str),
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddError::Again => f.write_str("dialects are added once for each process"),
            AddError::Taken(id) => write!(f, "there is a dialect {id} already"),
        }
    }
}

impl std::error::Error for AddError {}

/// Makes dialects known to this process. Only the first call does; a dialect has an id of its own.
pub fn add_dialects(added: Added) -> Result<(), AddError> {
    for (at, dialect) in added.dialects.iter().enumerate() {
        let mut known = DIALECTS.iter().chain(&added.dialects[..at]);
        if known.any(|known| known.id() == dialect.id()) {
            return Err(AddError::Taken(dialect.id()));
        }
    }
    ADDED.set(added).map_err(|_| AddError::Again)
}

/// The dialects that were added.
fn added_dialects() -> &'static [&'static dyn Dialect] {
    ADDED.get().map_or(&[], |added| &added.dialects)
}

/// The dialect that settles what a document is.
pub fn preferred_dialect() -> Option<&'static dyn Dialect> {
    ADDED.get().and_then(|added| added.preferred)
}

/// Every dialect that is known: the built-in ones, then those that were added.
pub fn every_dialect() -> impl Iterator<Item = &'static dyn Dialect> + Clone {
    DIALECTS.iter().chain(added_dialects()).copied()
}

/// The dialect of that id, or of that name where only one revision of it is known.
pub fn dialect(id: &str) -> Option<&'static dyn Dialect> {
    every_dialect().find(|dialect| dialect.id() == id).or_else(|| {
        let is_named = |dialect: &&'static dyn Dialect| {
            dialect.id().split_once('/').is_some_and(|(name, _)| name == id)
        };
        let mut named = every_dialect().filter(is_named);
        named.next().filter(|_| named.next().is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_found() {
        for one in every_dialect() {
            assert!(dialect(one.id()).is_some_and(|found| found.id() == one.id()));
        }
        assert!(dialect("unknown/9").is_none());
        assert!(dialect("td").is_some_and(|found| found.id() == "td/1"));
        assert!(dialect("claw").is_none(), "two revisions are known");
    }

    #[test]
    fn an_id_that_is_taken_is_refused() {
        let dialects = vec![DIALECTS[0]];
        let error = add_dialects(Added { dialects, preferred: None });
        assert_eq!(error, Err(AddError::Taken(DIALECTS[0].id())));
    }
}
