//! What the fast judge knows before it sees a record: the keys of each dialect, from its table.

use super::known::Keys;
use super::rivals::Rivals;
use manila::dialects::WRITTEN;

/// The fast dialects that a table recognises, in the order in which they are looked for.
#[derive(Debug)]
pub(super) struct Sets {
    pub(super) response: Keys,
    pub(super) animus: Keys,
    pub(super) claw: Keys,
    pub(super) i18nprune: Keys,
    pub(super) td: Keys,
    pub(super) rivals: Rivals,
}

impl Sets {
    pub(super) fn new() -> Sets {
        let keys = |id: &str| {
            let dialect = WRITTEN.iter().find(|dialect| dialect.id() == id);
            dialect.map_or_else(Keys::none, |dialect| Keys::new(dialect.table()))
        };
        Sets {
            response: keys("response-envelope/1.0"),
            animus: keys("animus/1"),
            claw: keys("claw/2.0"),
            i18nprune: keys("i18nprune/1"),
            td: keys("td/1"),
            rivals: Rivals::new(),
        }
    }
}
