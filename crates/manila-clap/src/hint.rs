//! Where a failure keeps what its dialect has no member for: the suggestion and the warnings.

use crate::call::Call;
use manila::json::{Kind, Members, Raw};
use manila::{Content, Defaults, Envelope, Exit, Stream, write};

/// What stands for a suggestion, for details and for data while a dialect is tried.
const MARKS: [&str; 3] = ["manila-suggestion", "manila-details", "manila-data"];

/// Which parts of a failure the documents of a dialect have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    suggestion: bool,
    details: bool,
    data: bool,
}

impl Parts {
    /// Found by writing a failure that has them all.
    fn probe(call: &Call, exit: Exit) -> Parts {
        let [suggestion, details, data] = MARKS;
        let object = |mark: &'static str| {
            let mut members = Members::default();
            members.push(mark, Raw::null());
            Raw::from_serialize(&members).ok()
        };
        let error = manila::ErrorObject {
            suggestion: Some(suggestion.to_owned()),
            details: object(details),
            ..manila::ErrorObject::new("any", "any")
        };
        let content = Content { error: Some(error), data: object(data), ..Content::default() };
        let document = Envelope::new(exit, content)
            .map(|envelope| write(&envelope, call.dialect, &Defaults::default()).document)
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&document);
        let [suggestion, details, data] = MARKS.map(|mark| text.contains(mark));
        Parts { suggestion, details, data }
    }
}

/// Puts the suggestion of a failure, and the warnings that have no place, where its dialect keeps
/// them: among the details of the error, or else among its data.
pub(crate) fn keep(
    call: &Call,
    exit: Exit,
    failure: &mut manila::ErrorObject,
    data: &mut Option<Raw>,
    warnings: &[String],
) {
    if call.dialect.table().has_meta {
        return;
    }
    let parts = Parts::probe(call, exit);
    let mut further = Members::default();
    if let Some(suggestion) = failure.suggestion.as_ref().filter(|_| !parts.suggestion) {
        further.push("suggestion", Raw::text(suggestion));
    }
    // Beside the document they would tear the stream that it is on.
    let is_on_stderr = call.dialect.form(false).stream == Stream::Stderr;
    if let Ok(list) = Raw::from_serialize(warnings)
        && !warnings.is_empty()
        && is_on_stderr
    {
        further.push("warnings", list);
    }
    if further.is_empty() {
        return;
    }
    if parts.details {
        failure.details = with(failure.details.take(), &further);
    } else if parts.data {
        *data = with(data.take(), &further);
    }
}

/// An object with further members, unless it has them already. What is not an object stays as it
/// is.
fn with(object: Option<Raw>, further: &Members) -> Option<Raw> {
    let Some(object) = object else { return Raw::from_serialize(further).ok() };
    if object.value().kind() != Kind::Object {
        return Some(object);
    }
    let mut members = Members::default();
    for member in object.value().members() {
        members.push(member.key().into_owned(), Raw::from(member.value));
    }
    for (key, value) in further.iter() {
        if members.get(key).is_none() {
            members.push(key.to_owned(), value.clone());
        }
    }
    Raw::from_serialize(&members).ok().or(Some(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Raw {
        Raw::parse(json).expect("valid JSON")
    }

    #[test]
    fn what_is_there_already_is_kept() {
        let mut further = Members::default();
        further.push("suggestion", raw("1"));
        for (before, after) in [
            (r#"{"a":1}"#, r#"{"a":1,"suggestion":1}"#),
            (r#"{"suggestion":2}"#, r#"{"suggestion":2}"#),
            ("[3]", "[3]"),
        ] {
            assert_eq!(with(Some(raw(before)), &further), Some(raw(after)), "{before}");
        }
        assert_eq!(with(None, &further), Some(raw(r#"{"suggestion":1}"#)));
    }
}
