//! The failure that a document states outright, whatever its dialect.
//!
//! A document that says `"ok":false` or carries an `error` has failed, also when its process ended
//! with 0 and when its dialect has no such key. Only top-level keys are looked at: what stands below
//! them is payload. A list has failed if each of its elements has, and a batch of JSON-RPC if one has.

use crate::error_object::ErrorObject;
use crate::json::{Document, Kind, Member, Value};
use crate::transcript::Stream;
use std::ops::Range;

/// The code of an error that a document states without one.
pub const EXPLICIT_FAILURE: &str = "EXPLICIT_FAILURE";

/// The keys that the formats with a top-level `errors` have beside it and `data`: GraphQL, JSON:API.
const BESIDE_ERRORS: [&str; 6] = ["data", "extensions", "meta", "links", "included", "jsonapi"];

// Where programs put these, the most specific first.
const CODES: [&str; 4] = ["code", "error_code", "errorCode", "error_kind"];
const CODES_OF_ERROR: [&str; 4] = ["code", "kind", "type", "name"];
const MESSAGES: [&str; 8] =
    ["message", "msg", "error_message", "errorMessage", "detail", "description", "reason", "title"];
const SUGGESTIONS: [&str; 2] = ["suggestion", "hint"];

/// What states that a document is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureMark {
    /// `ok` is false.
    Ok,
    /// `success` is false.
    Success,
    /// `status` is `"error"`.
    Status,
    /// `is_error` or `isError` is true.
    IsError,
    /// `error` is an object, a text or true.
    Error,
    /// `errors` is not empty, and there are no data.
    Errors,
    /// A stream of lines ends with one that states an error.
    LastLine,
}

impl FailureMark {
    /// What it says, as a clause.
    pub fn meaning(self) -> &'static str {
        match self {
            FailureMark::Ok => "`ok` is false",
            FailureMark::Success => "`success` is false",
            FailureMark::Status => "`status` is \"error\"",
            FailureMark::IsError => "`is_error` is true",
            FailureMark::Error => "it carries an `error`",
            FailureMark::Errors => "it carries `errors` and no data",
            FailureMark::LastLine => "its last line states an error",
        }
    }
}

/// A failure that is stated by a document of no known dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedFailure {
    /// What states it.
    pub mark: FailureMark,
    /// The stream that the document is on.
    pub stream: Stream,
    /// The document's bytes.
    pub span: Range<usize>,
    /// As much of an error as can be found.
    pub error: ErrorObject,
    /// It may be a record of a log: one of several documents with a text as `error` or with a level, or on
    /// stderr with a level.
    pub is_record: bool,
}

/// The mark of a document.
pub(crate) fn of(document: &Document<'_, '_>) -> Option<FailureMark> {
    match document.root().kind() {
        Kind::Array => in_list(document.root()).map(|(mark, _)| mark),
        _ => find(document.members()),
    }
}

/// The mark of a payload that is to stand as a document of its own.
pub(crate) fn of_value(value: Value<'_>) -> Option<FailureMark> {
    match value.kind() {
        Kind::Array => in_list(value).map(|(mark, _)| mark),
        _ => find(value.members()),
    }
}

/// The mark of a list, and the first element that carries one. One failure in a batch of JSON-RPC is a
/// failure; in any other list, elements that failed beside others that did not are data.
fn in_list<'t>(list: Value<'t>) -> Option<(FailureMark, Value<'t>)> {
    let mut elements = list.elements();
    let first = elements.next()?;
    if first.members().any(|member| member.is("jsonrpc")) {
        let marked = |element: Value<'t>| Some((find(element.members())?, element));
        return list.elements().find_map(marked);
    }
    let mark = find(first.members())?;
    elements.all(|it| find(it.members()).is_some()).then_some((mark, first))
}

/// The first mark among the members of an object. Where a key occurs twice, each of them counts: no
/// parser is obliged to take the other one.
pub(crate) fn find<'t>(members: impl Iterator<Item = Member<'t>>) -> Option<FailureMark> {
    let (mut has_errors, mut has_data, mut is_null, mut is_bare) = (false, false, false, true);
    for member in members {
        let (key, value) = (member.key(), member.value);
        let mark = match &*key {
            "ok" if value.bool() == Some(false) => FailureMark::Ok,
            "success" if value.bool() == Some(false) => FailureMark::Success,
            "is_error" | "isError" if value.bool() == Some(true) => FailureMark::IsError,
            "status" if value.string().is_some_and(|it| it == "error") => FailureMark::Status,
            "error" if is_error(value) => FailureMark::Error,
            // The answer of a tool, within the response that carried it.
            "result" if is_tool_error(value) => FailureMark::IsError,
            _ => {
                has_errors |= key == "errors" && is_filled(value);
                has_data |= key == "data" && !value.is_null();
                is_null |= key == "data" && value.is_null();
                is_bare &= key == "errors" || BESIDE_ERRORS.contains(&&*key);
                continue;
            }
        };
        return Some(mark);
    }
    (has_errors && !has_data && (is_null || is_bare)).then_some(FailureMark::Errors)
}

/// Whether a mark is one that answers have. A text as `error`, or an `error` beside a level, is also what
/// records of logs have.
pub(crate) fn is_of_answer(document: &Document<'_, '_>, mark: FailureMark) -> bool {
    mark != FailureMark::Error || !(has_text(document, "error") || has_level(document))
}

/// Whether a document has the level of a record of a log.
pub(crate) fn has_level(document: &Document<'_, '_>) -> bool {
    has_text(document, "level") || has_text(document, "severity")
}

fn has_text(document: &Document<'_, '_>, key: &str) -> bool {
    document.get(key).is_some_and(|value| value.kind() == Kind::String)
}

/// Whether a value is the result of a tool that says it failed.
fn is_tool_error(value: Value<'_>) -> bool {
    value.members().any(|member| member.is("isError") && member.value.bool() == Some(true))
}

/// Whether an `error` says that there is one. An empty text is how some say that there is none, and a
/// number may be a measured deviation.
fn is_error(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Object => true,
        Kind::Bool => value.bool() == Some(true),
        Kind::String | Kind::Array => is_filled(value),
        Kind::Number | Kind::Null => false,
    }
}

/// Whether a text or a container holds something.
fn is_filled(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::String => value.string().is_some_and(|text| !text.is_empty()),
        Kind::Array => value.elements().next().is_some(),
        Kind::Object => value.members().next().is_some(),
        Kind::Number | Kind::Bool | Kind::Null => false,
    }
}

/// The error of a document that carries a mark: its code, message and suggestion, from wherever
/// programs put them. A key that the document's dialect has for something else is left alone.
pub(crate) fn error(
    document: &Document<'_, '_>,
    mark: FailureMark,
    is_taken: impl Fn(&str) -> bool,
) -> ErrorObject {
    let element = in_list(document.root()).map(|(_, element)| element);
    let get = |key: &str| match element {
        Some(element) => {
            element.members().filter(|member| member.is(key)).last().map(|it| it.value)
        }
        None => document.get(key),
    };
    let error = get("error");
    let first = get("errors").and_then(|errors| errors.elements().next());
    let inner = [error, first].into_iter().flatten();
    let nested = |keys: &[&str]| inner.clone().find_map(|value| member(value, keys));
    let top = |keys: &[&str]| {
        let mut free = keys.iter().filter(|key| !is_taken(key));
        free.find_map(|key| words(get(key)?))
    };
    let code = nested(&CODES_OF_ERROR).or_else(|| top(&CODES));
    let message = inner
        .clone()
        .find_map(words)
        .or_else(|| nested(&MESSAGES))
        .or_else(|| top(&MESSAGES))
        .or_else(|| words(get("result")?))
        .or_else(|| first_text(get("content")?))
        .or_else(|| {
            let result = get("result")?;
            first_text(result.members().find(|member| member.is("content"))?.value)
        });
    ErrorObject {
        suggestion: nested(&SUGGESTIONS).or_else(|| top(&SUGGESTIONS)),
        ..ErrorObject::new(
            code.unwrap_or_else(|| EXPLICIT_FAILURE.to_owned()),
            message.unwrap_or_else(|| mark.meaning().to_owned()),
        )
    }
}

/// The first of these members that is a text or an integer.
fn member(object: Value<'_>, keys: &[&str]) -> Option<String> {
    let named = |key: &&str| object.members().filter(|member| member.is(key)).last();
    keys.iter().find_map(|key| words(named(key)?.value))
}

/// A text that says something, or an integer as it is spelled.
fn words(value: Value<'_>) -> Option<String> {
    let number = value.integer::<i64>().map(|number| number.to_string());
    value.string().map(String::from).filter(|text| !text.trim().is_empty()).or(number)
}

/// The text of the first block of content, as tools of the Model Context Protocol answer.
fn first_text(content: Value<'_>) -> Option<String> {
    content.elements().find_map(|block| member(block, &["text"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn stated(document: &str) -> Option<(FailureMark, String, String)> {
        let mut reader = Reader::default();
        let document = reader.read(document.as_bytes()).expect("JSON");
        let mark = of(&document)?;
        let error = error(&document, mark, |_| false);
        Some((mark, error.code, error.message))
    }

    #[track_caller]
    fn assert_states(document: &str, mark: FailureMark, code: &str, message: &str) {
        assert_eq!(stated(document), Some((mark, code.to_owned(), message.to_owned())));
    }

    #[test]
    fn each_mark_is_found_with_what_it_says() {
        let none = EXPLICIT_FAILURE;
        assert_states(r#"{"ok":false,"error":"boom"}"#, FailureMark::Ok, none, "boom");
        assert_states(r#"{"ok":false}"#, FailureMark::Ok, none, "`ok` is false");
        assert_states(
            r#"{"success":false,"code":"E7","message":"no"}"#,
            FailureMark::Success,
            "E7",
            "no",
        );
        assert_states(r#"{"status":"error","msg":"no"}"#, FailureMark::Status, none, "no");
        let tool = r#"{"content":[{"type":"image"},{"type":"text","text":"no"}],"isError":true}"#;
        assert_states(tool, FailureMark::IsError, none, "no");
        let agent = r#"{"type":"result","is_error":true,"result":"no credit"}"#;
        assert_states(agent, FailureMark::IsError, none, "no credit");
        let rpc = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method"}}"#;
        assert_states(rpc, FailureMark::Error, "-32601", "no method");
        assert_states(r#"{"error":true,"reason":"no"}"#, FailureMark::Error, none, "no");
        let graph = r#"{"data":null,"errors":[{"message":"no field"}]}"#;
        assert_states(graph, FailureMark::Errors, none, "no field");
        assert_states(r#"{"errors":["no"]}"#, FailureMark::Errors, none, "no");
    }

    #[test]
    fn a_list_of_failures_is_a_failure_and_so_is_a_batch_with_one() {
        let none = EXPLICIT_FAILURE;
        let one = r#"[{"error":{"code":"E1","message":"no"}}]"#;
        assert_states(one, FailureMark::Error, "E1", "no");
        let all = r#"[{"ok":false,"message":"no"},{"error":"why"}]"#;
        assert_states(all, FailureMark::Ok, none, "no");
        let batch = r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no method"}}]"#;
        assert_states(batch, FailureMark::Error, "-32601", "no method");
        for list in [
            "[]",
            "[1]",
            r#"[{"id":1,"error":"no"},{"id":2,"error":null}]"#,
            r#"[{"id":1},{"id":2,"ok":false}]"#,
            r#"[[{"error":"no"}]]"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#,
        ] {
            assert_eq!(stated(list), None, "{list}");
        }
    }

    #[test]
    fn what_only_looks_like_a_mark_is_none() {
        for document in [
            r#"{"ok":true,"error":null}"#,
            r#"{"error":false}"#,
            r#"{"error":""}"#,
            r#"{"error":0.05}"#,
            r#"{"errors":[]}"#,
            r#"{"errors":[{"line":3}],"files":2}"#,
            r#"{"data":{"a":1},"errors":[{"message":"partly"}]}"#,
            r#"{"status":"ok","success":true,"is_error":false}"#,
            r#"{"status":{"error":"x"},"data":{"ok":false}}"#,
        ] {
            assert_eq!(stated(document), None, "{document}");
        }
    }

    #[test]
    fn a_mark_counts_although_its_key_stands_twice() {
        let doubled = r#"{"ok":false,"ok":true,"data":{}}"#;
        assert_states(doubled, FailureMark::Ok, EXPLICIT_FAILURE, "`ok` is false");
    }
}
