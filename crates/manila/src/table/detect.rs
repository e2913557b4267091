//! Whether a document is of a dialect: from its keys alone.

use super::{
    Field, Is, Key, Level, Match, Need, OutcomeFrom, Role, Table, Test, Type, at, matches,
};
use crate::json::{Document, Kind, Value};
use std::borrow::Cow;

/// Whether a document is an envelope of this dialect.
pub(crate) fn detect(table: &Table, document: &Document<'_, '_>) -> Option<Match> {
    let marks = &table.marks;
    let is_foreign = marks.never.iter().any(|key| document.get(key).is_some());
    let holds = |test: &Test| holds(test, document);
    if is_foreign || !marks.all.iter().all(holds) || marks.none.iter().any(holds) {
        return None;
    }
    let confidence =
        marks.levels.iter().filter(|it| reaches(it, document)).map(|it| it.confidence).max()?;
    let shape = marks.shapes.iter().find(|it| it.all.iter().all(holds));
    let shape = shape.map_or("its own", |shape| shape.name);
    Some(Match { shape, confidence, ok: claimed(table, document) })
}

fn reaches(level: &Level, document: &Document<'_, '_>) -> bool {
    let holds = |test: &Test| holds(test, document);
    level.all.iter().all(holds)
        && (level.any.is_empty() || level.any.iter().any(holds))
        && !level.none.iter().any(holds)
        && (level.least == 0
            || level.of.iter().filter(|key| document.get(key).is_some()).count() >= level.least)
}

/// Whether a condition holds in a document.
pub(crate) fn holds(test: &Test, document: &Document<'_, '_>) -> bool {
    fits(test.is, at(document, test.path)) != test.not
}

fn fits(is: Is, value: Option<Value<'_>>) -> bool {
    let Some(value) = value else { return is == Is::Absent };
    let kind = value.kind();
    match is {
        Is::Present => true,
        Is::Absent => false,
        Is::Value => kind != Kind::Null,
        Is::Null => kind == Kind::Null,
        Is::Text => kind == Kind::String,
        Is::Flag => kind == Kind::Bool,
        Is::Integer => value.integer::<i64>().is_some(),
        Is::Object => kind == Kind::Object,
        Is::Array => kind == Kind::Array,
        Is::True => value.bool() == Some(true),
        Is::False => value.bool() == Some(false),
        Is::Matches(patterns) => {
            let text = match kind {
                Kind::String => value.string().unwrap_or_default(),
                Kind::Number => Cow::Borrowed(value.text()),
                _ => return false,
            };
            patterns.iter().any(|pattern| matches(pattern, &text))
        }
    }
}

/// The outcome that a document claims: a failure if any of its keys says so.
pub(crate) fn claimed(table: &Table, document: &Document<'_, '_>) -> Option<bool> {
    if table.outcome == OutcomeFrom::Failure {
        return Some(false);
    }
    let mut claim = None;
    for key in table.keys {
        match document.get(key.name).and_then(|value| says(key, value)) {
            Some(false) => return Some(false),
            says => claim = claim.or(says),
        }
    }
    claim = claim.or(by_default(table));
    if table.outcome == OutcomeFrom::Error {
        let is_error = |key: &&Key| matches!(key.field, Field::Error | Field::Message);
        let errors = table.keys.iter().filter(is_error);
        let has = |key: &Key| document.get(key.name).is_some_and(|value| !value.is_null());
        return claim.or(Some(!errors.into_iter().any(has)));
    }
    claim
}

/// A flag that may be left out says success where it is.
pub(super) fn by_default(table: &Table) -> Option<bool> {
    let may_be_absent = |key: &Key| {
        let is_flag = matches!(key.field, Field::Ok | Field::Failed);
        is_flag && key.role == Role::Own && key.need == Need::Optional
    };
    table.keys.iter().any(may_be_absent).then_some(true)
}

/// The outcome that the value of one key claims.
pub(super) fn says(key: &Key, value: Value<'_>) -> Option<bool> {
    match (key.field, key.of) {
        (Field::Ok, _) => value.bool(),
        (Field::Failed, _) => value.bool().map(|failed| !failed),
        (Field::Status, _) => value.integer::<i64>().map(|status| status == 0),
        (_, Type::Outcome { success, failure }) => {
            let text = value.string()?;
            let is_in = |list: &[&str]| list.contains(&&*text);
            if is_in(failure) { Some(false) } else { is_in(success).then_some(true) }
        }
        _ => None,
    }
}
