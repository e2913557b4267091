//! Where the records of a dialect have what a response envelope says, from the dialect's table.

use crate::name::Name;
use crate::value_ref::ValueRef;
use manila::Table;
use manila::table::{self, Field, Null, Outcomes, Rest, Role, Type};

/// A key of a table, ready to be looked for.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) name: Name,
    pub(super) key: &'static table::Key,
}

/// What the records of one dialect consist of.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) table: &'static Table,
    pub(super) top: Vec<Place>,
    pub(super) error: Vec<Place>,
    pub(super) meta: Vec<Place>,
    /// Whether the members that it does not name are the payload.
    pub(super) is_flat: bool,
}

impl Source {
    /// `None` for a dialect that is read by code: its table does not say where everything is.
    pub(super) fn new(table: &'static Table) -> Option<Source> {
        let inner = |field| {
            let key = table.keys.iter().find(|key| key.field == field);
            key.map_or_else(Vec::new, |key| places(key.keys))
        };
        let is_short = |key: &table::Key| key.name.len() <= crate::name::EXACT;
        let is_known = !table.marks.levels.is_empty() && table.all_keys().all(is_short);
        is_known.then(|| Source {
            table,
            top: places(table.keys),
            error: inner(Field::Error),
            meta: inner(Field::Meta),
            is_flat: table.rest == Rest::Payload,
        })
    }
}

fn places(keys: &'static [table::Key]) -> Vec<Place> {
    keys.iter().map(|key| Place { name: Name::new(key.name.as_bytes()), key }).collect()
}

/// The key of that name.
pub(super) fn find(places: &[Place], name: Name) -> Option<&'static table::Key> {
    places.iter().find(|place| place.name == name).map(|place| place.key)
}

/// Whether a key is there in an outcome.
pub(super) fn is_on(key: &table::Key, ok: bool) -> bool {
    match key.on {
        Outcomes::Both => true,
        Outcomes::Success => ok,
        Outcomes::Failure => !ok,
    }
}

/// Whether a constant has the value that is written for it.
pub(super) fn is_constant(key: &table::Key, value: ValueRef<'_>) -> bool {
    match key.of {
        Type::Const(texts) => {
            value.plain().is_some_and(|plain| texts.iter().any(|text| text.as_bytes() == plain))
        }
        _ => key.keys.is_empty() && key.role == Role::Own,
    }
}

/// Whether a key is null where the other outcome has something.
pub(super) fn is_nullable(key: &table::Key) -> bool {
    key.null == Null::Nothing
}
