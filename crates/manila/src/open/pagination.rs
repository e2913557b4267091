//! Pages that a document describes at its top level, which the specification asks for beside
//! `meta`.

use crate::envelope::Meta;
use crate::json::{Document, Kind, Value};
use crate::table::{Claims, Notes, Place};
use std::borrow::Cow;

/// Takes over what a top-level `pagination` says: that there is more, and where it begins.
pub(super) fn apply(
    document: &Document<'_, '_>,
    meta: &mut Meta,
    claims: &mut Claims,
    notes: &Notes,
) {
    let Some(page) = document.get("pagination").filter(|page| page.kind() == Kind::Object) else {
        return;
    };
    let get = |key: &str| {
        let last = page.members().filter(|member| member.is(key)).last()?.value;
        (!last.is_null()).then_some(last)
    };
    let (has_more, truncated) = (get("has_more"), get("truncated"));
    for (flag, path) in [(has_more, "pagination.has_more"), (truncated, "pagination.truncated")] {
        if flag.is_some_and(|flag| flag.bool().is_none()) {
            claims.unclear.get_or_insert(path);
        }
    }
    let place = |field: &'static str, value: Value<'_>| {
        notes.places.borrow_mut().push(Place { field: field.into(), span: value.span() });
    };
    let cursor = get("next_cursor").and_then(|value| Some((value, text(value)?)));
    // A cursor that comes with an explicit end is where a later call may continue.
    let more = [has_more, truncated].into_iter().flatten().find(|flag| flag.bool() == Some(true));
    let more = more.or_else(|| cursor.as_ref().map(|it| it.0).filter(|_| has_more.is_none()));
    if let Some(value) = more.filter(|_| !meta.truncated) {
        meta.truncated = true;
        place("meta.truncated", value);
    }
    if let Some((value, cursor)) = cursor.filter(|_| meta.cursor.is_none()) {
        meta.cursor = Some(cursor);
        place("meta.cursor", value);
    }
}

/// A cursor that can be passed on: a text, or a number as it is spelled.
fn text(value: Value<'_>) -> Option<String> {
    let number = || (value.kind() == Kind::Number).then(|| value.text().to_owned());
    value.string().map(Cow::into_owned).filter(|text| !text.is_empty()).or_else(number)
}
