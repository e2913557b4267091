//! Where a failure says what went wrong: its error, the code and the message, in any dialect.

use crate::rule::object_answer::ObjectAnswer;
use serde_json::Value;

/// The error of an answer, and where its parts stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorObject {
    /// The path to the error itself; to the top if code and message are there.
    pub path: Vec<String>,
    /// Whether it is an object, a text or an element of a list.
    pub form: &'static str,
    /// The way to its code, if there is one that says something.
    pub code: Option<Vec<String>>,
    /// The way to its message, if there is one that says something.
    pub message: Option<Vec<String>>,
}

const HOLDERS: &[&str] = &["error", "errors", "issues", "diagnostics", "problems"];
const CODES: &[&str] = &["code", "kind", "error_code", "errorCode", "name", "type", "reason"];
const TOP_CODES: &[&str] =
    &["code", "error_code", "errorCode", "error_kind", "kind", "name", "reason"];
const MESSAGES: &[&str] = &["message", "msg", "detail", "title", "summary", "error"];
const TOP_MESSAGES: &[&str] = &["message", "msg", "detail", "title", "reason"];

impl ErrorObject {
    /// The error of a failure; nothing if it carries none at all.
    pub(crate) fn of(answer: &ObjectAnswer<'_, '_>) -> Option<ErrorObject> {
        ErrorObject::of_document(answer.document)
    }

    fn of_document(document: &Value) -> Option<ErrorObject> {
        let found = HOLDERS.iter().find_map(|key| match document.get(key) {
            Some(Value::Array(list)) if !list.is_empty() => {
                let is_grave = |it: &Value| it.get("severity").is_none_or(|it| it == "error");
                let at = list.iter().position(is_grave).unwrap_or_default();
                Some((vec![(*key).to_owned(), at.to_string()], &list[at], "a list"))
            }
            Some(error @ Value::Object(_)) => Some((vec![(*key).to_owned()], error, "an object")),
            Some(error @ Value::String(_)) => Some((vec![(*key).to_owned()], error, "a string")),
            _ => None,
        });
        let Some((path, error, form)) = found else {
            let message = find(document, &[], TOP_MESSAGES)?;
            let code = find(document, &[], TOP_CODES).or_else(|| kind_of_problem(document));
            return Some(ErrorObject {
                path: Vec::new(),
                form: "flat",
                code,
                message: Some(message),
            });
        };
        if let Value::String(text) = error {
            let message = (!text.trim().is_empty()).then(|| path.clone());
            let code = find(document, &[], TOP_CODES);
            return Some(ErrorObject { path, form, code, message });
        }
        let code = find(error, &path, CODES).or_else(|| find(document, &[], TOP_CODES));
        let message = find(error, &path, MESSAGES).or_else(|| find(document, &[], TOP_MESSAGES));
        Some(ErrorObject { path, form, code, message })
    }

    /// Its form and the names of its parts: what a caller's code is written for.
    pub(crate) fn shape(&self) -> (Option<&str>, &'static str, Option<String>, Option<String>) {
        let plain = |path: &Vec<String>| {
            let names = path.iter().filter(|key| key.parse::<usize>().is_err());
            names.cloned().collect::<Vec<_>>().join(".")
        };
        let (code, message) = (self.code.as_ref().map(plain), self.message.as_ref().map(plain));
        (self.path.first().map(String::as_str), self.form, code, message)
    }
}

/// The way to the address that names a problem of RFC 9457, which is what a caller compares there.
fn kind_of_problem(document: &Value) -> Option<Vec<String>> {
    let is_text = |key: &str| document.get(key).is_some_and(Value::is_string);
    let is_named = document.get("type").is_some_and(|it| it != "about:blank");
    let is_problem = is_named && is_text("type") && is_text("title");
    is_problem.then(|| find(document, &[], &["type"])).flatten()
}

/// The first of these members that says something.
fn find(of: &Value, path: &[String], names: &[&str]) -> Option<Vec<String>> {
    let says = |value: &Value| match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Number(_) => true,
        _ => false,
    };
    let name = names.iter().find(|name| of.get(**name).is_some_and(says))?;
    Some(path.iter().cloned().chain([(*name).to_owned()]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parts(document: &Value) -> Option<(String, String)> {
        let error = ErrorObject::of_document(document)?;
        let text = |path: Option<Vec<String>>| path.unwrap_or_default().join(".");
        Some((text(error.code), text(error.message)))
    }

    #[test]
    fn the_error_is_found_in_every_dialect() {
        for (document, code, message) in [
            (json!({"ok":false,"error":{"code":"A","message":"m"}}), "error.code", "error.message"),
            (json!({"error":{"kind":"a","message":"m"}}), "error.kind", "error.message"),
            (json!({"ok":false,"error":"m","code":"A"}), "code", "error"),
            (json!({"name":"A","message":"m","exitCode":1}), "name", "message"),
            (json!({"type":"https://e.x/a","title":"A","detail":"m"}), "type", "detail"),
            (json!({"type":"about:blank","title":"A","detail":"m"}), "", "detail"),
            (
                json!({"ok":false,"issues":[{"severity":"info","code":"i"},{"severity":"error","code":"a","message":"m"}]}),
                "issues.1.code",
                "issues.1.message",
            ),
        ] {
            assert_eq!(parts(&document), Some((code.to_owned(), message.to_owned())), "{document}");
        }
        assert_eq!(parts(&json!({"ok":false,"error":null})), None);
        assert_eq!(parts(&json!({"error":{}})), Some((String::new(), String::new())));
        let blank = json!({"error":{"code":"","message":" "}});
        assert_eq!(parts(&blank), Some((String::new(), String::new())));
    }
}
