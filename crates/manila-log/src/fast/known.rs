//! The keys that the fast judge looks at, each in a slot of its own, and which of them make a dialect.

use crate::name::{EXACT, Name};
use manila::table::Rest;
use manila::{Confidence, Table};

macro_rules! keys {
    ($($name:ident = $key:literal;)*) => {
        /// The keys that detection and contracts look at, each with a number.
        #[repr(u8)]
        #[derive(Clone, Copy)]
        pub(super) enum Known { $($name,)* }

        pub(super) const KNOWN: usize = [$(stringify!($name),)*].len();

        /// Each key in a slot of its own. A search by length and bytes would be a jump that cannot be
        /// foreseen, for every key of every record.
        pub(super) static SLOTS: [Option<(Name, Known)>; 64] = {
            let mut slots: [Option<(Name, Known)>; 64] = [None; 64];
            $(
                let name = Name::from_key($key);
                assert!(slots[slot(name)].is_none(), "two keys in one slot: change the factors");
                slots[slot(name)] = Some((name, Known::$name));
            )*
            slots
        };
    };
}

/// The slot of a key, from its ends and its length; the factors were chosen so that no two known
/// keys have the same.
#[inline]
pub(super) const fn slot(name: Name) -> usize {
    let (first, last) = name.ends();
    (first as usize + last as usize + name.length * 28) % 64
}

keys! {
    Ok = "ok";
    Data = "data";
    Error = "error";
    Warnings = "warnings";
    Meta = "meta";
    Schema = "schema";
    Type = "type";
    Kind = "kind";
    Issues = "issues";
    ApiVersion = "apiVersion";
    Command = "command";
    ExitCode = "exit_code";
    Timestamp = "timestamp";
    OutputFormat = "output_format";
    SchemaVersion = "schema_version";
    Status = "status";
    ErrorKind = "error_kind";
    Hint = "hint";
    Found = "found";
    Success = "success";
    IsError = "is_error";
    IsErrorInCamelCase = "isError";
    Errors = "errors";
    Pagination = "pagination";
}

pub(super) const fn set(keys: &[Known]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < keys.len() {
        bits |= 1 << keys[at] as u32;
        at += 1;
    }
    bits
}

/// The keys of the flat dialect of claw, which code recognises and no table.
const FLAT: u32 = set(&[Known::Type, Known::Kind]);
const NOT_FLAT: u32 = set(&[
    Known::Ok,
    Known::Schema,
    Known::Issues,
    Known::ApiVersion,
    Known::ErrorKind,
    Known::ExitCode,
    Known::Status,
    Known::SchemaVersion,
]);
/// What states a failure or a page beside the dialects' own keys; what becomes of it is the core's to
/// say.
pub(super) const BESIDE: u32 = set(&[
    Known::Success,
    Known::IsError,
    Known::IsErrorInCamelCase,
    Known::Errors,
    Known::Pagination,
]);

/// The bit of a key that has a slot.
pub(super) fn bit(key: &str) -> Option<u32> {
    if key.len() > EXACT {
        return None;
    }
    let name = Name::from_key(key);
    let (known, number) = SLOTS[slot(name)]?;
    (known == name).then(|| set(&[number]))
}

/// Which keys make a document certainly one of a dialect, from its table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    success: u32,
    failure: u32,
    /// The keys that rule it out.
    pub(super) lacks: u32,
}

impl Keys {
    /// The flat documents of claw.
    pub(super) const FLAT: Keys = Keys { success: FLAT, failure: FLAT, lacks: NOT_FLAT };

    /// The keys of a dialect. Whatever it requires must have a slot.
    pub(super) fn new(table: &Table) -> Keys {
        let required = |ok| {
            let keys = table.keys.iter();
            let keys = keys.filter(|key| key.need_if.is_empty() && key.is_required(Some(ok)));
            keys.fold(0, |set, key| set | bit(key.name).unwrap_or(u32::MAX))
        };
        let own = table.keys.iter().filter_map(|key| bit(key.name)).fold(0, |set, bit| set | bit);
        let lacks = if table.rest == Rest::Payload { foreign(table) } else { !own };
        Keys { success: required(true), failure: required(false), lacks }
    }

    /// Whether a document has the keys of such a success or failure, and no key that rules it out.
    #[inline]
    pub(super) fn are(self, present: u32) -> bool {
        let has = |keys: u32| present & keys == keys;
        (has(self.success) || has(self.failure)) && present & self.lacks == 0
    }
}

/// The keys whose presence rules out a certain match.
fn foreign(table: &Table) -> u32 {
    let marks = &table.marks;
    let certain = marks.levels.iter().filter(|it| it.confidence == Confidence::Certain);
    let none = certain.flat_map(|level| level.none).chain(marks.none).map(|test| test.path);
    let keys = none.chain(marks.never.iter().copied());
    keys.filter_map(bit).fold(0, |set, bit| set | bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::dialect;

    #[test]
    fn what_the_tables_require_has_a_slot() {
        for id in [
            "response-envelope/1.0",
            "response-envelope/1.6",
            "animus/1",
            "claw/2.0",
            "td/1",
            "i18nprune/1",
        ] {
            let keys = Keys::new(dialect(id).expect("a dialect").table());
            assert!(keys.success != u32::MAX && keys.failure != u32::MAX, "{id}");
            assert!(keys.are(keys.success) && keys.are(keys.failure), "{id}");
        }
        let flat = foreign(dialect("claw/1.0").expect("a dialect").table());
        assert_eq!(flat & !NOT_FLAT, 0);
    }
}
