//! What the fast judge knows before it sees a record: the keys and promises of each dialect, from its table.

use super::known::Keys;
use super::rivals::{Rivals, RivalsOf};
use crate::contract::{Contract, Promises};
use manila::dialects::WRITTEN;
use manila::table::Field;

// Their places among the dialects, which a test compares.
pub(super) const RESPONSE_1_0: usize = 0;
pub(super) const RESPONSE_1_6: usize = 1;
pub(super) const ANIMUS: usize = 2;
pub(super) const CLAW_1_0: usize = 3;
pub(super) const CLAW_2_0: usize = 4;
pub(super) const TD: usize = 5;
pub(super) const I18NPRUNE_1: usize = 6;

/// The fast dialects, in the order in which they are looked for, and the names that others need.
#[derive(Debug)]
pub(super) struct Sets {
    pub(super) response: FastDialect,
    /// What the newer revision promises of an error.
    pub(super) newer_error: &'static Promises,
    pub(super) animus: FastDialect,
    pub(super) claw: FastDialect,
    pub(super) i18nprune: FastDialect,
    pub(super) td: FastDialect,
    /// Code recognises it and no table.
    pub(super) flat: FastDialect,
    pub(super) rivals: Rivals,
}

/// What is known of one of them.
#[derive(Debug)]
pub(super) struct FastDialect {
    pub(super) keys: Keys,
    pub(super) rivals: RivalsOf,
    pub(super) error: &'static Promises,
    pub(super) meta: &'static Promises,
}

impl Sets {
    pub(super) fn new() -> Sets {
        let rivals = Rivals::new();
        let contract = |place: usize| Contract::new(WRITTEN[place].table());
        let dialect = |place: usize, keys: Keys| FastDialect {
            keys,
            rivals: rivals.of(keys.lacks),
            error: contract(place).of(Field::Error),
            meta: contract(place).of(Field::Meta),
        };
        let from_table = |place: usize| dialect(place, Keys::new(WRITTEN[place].table()));
        Sets {
            response: from_table(RESPONSE_1_0),
            newer_error: contract(RESPONSE_1_6).of(Field::Error),
            animus: from_table(ANIMUS),
            claw: from_table(CLAW_2_0),
            i18nprune: from_table(I18NPRUNE_1),
            td: from_table(TD),
            flat: dialect(CLAW_1_0, Keys::FLAT),
            rivals,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_of_the_dialects_are_right() {
        let ids: Vec<_> = WRITTEN.iter().map(|dialect| dialect.id()).collect();
        for (at, id) in [
            (RESPONSE_1_0, "response-envelope/1.0"),
            (RESPONSE_1_6, "response-envelope/1.6"),
            (ANIMUS, "animus/1"),
            (CLAW_1_0, "claw/1.0"),
            (CLAW_2_0, "claw/2.0"),
            (TD, "td/1"),
            (I18NPRUNE_1, "i18nprune/1"),
        ] {
            assert_eq!(ids.get(at), Some(&id));
        }
    }
}
