//! An answer says two things about its own outcome.

use super::found;
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::{Framed, framed, spoken};
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "contradictory-outcome",
    family: Family::Shape,
    severity: Severity::Error,
    flaw: "An answer says of itself that it succeeded and that it failed.",
    fix: "Derive everything that tells the outcome from one decision.",
    page: include_str!("contradictory_outcome.md"),
    modes: &[2, 56],
    requirements: &["F-004"],
    plan: nothing_more,
    judge,
};

/// The keys that tell an outcome by true and false, and what true means.
const FLAGS: &[(&str, bool)] = &[
    ("ok", true),
    ("success", true),
    ("succeeded", true),
    ("is_error", false),
    ("isError", false),
    ("failed", false),
];
/// The keys that tell one by a word, beside the payload.
const WORDS: &[&str] = &["subtype", "type", "status", "outcome"];
const GOOD: &[&str] = &["success", "ok"];
const BAD: &[&str] = &["error", "failure", "failed"];
/// Dialects whose failures carry no data at all.
const STRICT: &[&str] = &["response-envelope/1.0", "response-envelope/1.6", "td/1", "animus/1"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let answers = framed(evidence);
    let dialect = spoken(&answers).map(<dyn manila::Dialect>::id);
    for answer in &answers {
        let claims = claims(answer.document);
        let Some((first, ok)) = claims.first().copied() else { continue };
        judging.look();
        let other = claims.iter().find(|(_, says)| *says != ok);
        let error = error(answer.document);
        let grave = issue(answer.document).filter(|_| dialect != Some("i18nprune/1"));
        let (path, why) = if let Some((other, _)) = other {
            (*other, format!("{first} and {other} say the opposite of each other"))
        } else if let (true, Some(key)) = (ok, error) {
            (key, format!("{first} says success, and {key} holds an error"))
        } else if let (true, Some(key)) = (ok, grave) {
            (key, format!("{first} says success, and {key} holds an issue of severity error"))
        } else if !ok && Fault::of(answer).is_none() && !says_why(answer.document) {
            (first, format!("{first} says failure, and nothing says what failed"))
        } else if !ok && has_data(answer) && dialect.is_some_and(|it| STRICT.contains(&it)) {
            ("data", "a call that was refused has data".to_owned())
        } else {
            continue;
        };
        judging.find_once(found(answer, &[path], why));
    }
    judging.verdict("no answer tells its own outcome", Some("program.json: how to ask for JSON"))
}

/// What the answer says of its outcome, and by which key.
fn claims(document: &Value) -> Vec<(&'static str, bool)> {
    let flag = |(key, means): &(&'static str, bool)| {
        document.get(*key).and_then(Value::as_bool).map(|says| (*key, says == *means))
    };
    let mut claims: Vec<_> = FLAGS.iter().filter_map(flag).collect();
    // Without a payload of its own the word may belong to what is asked about, such as a job.
    let is_apart = ["data", "result", "error"].iter().any(|key| document.get(*key).is_some());
    if is_apart {
        for key in WORDS {
            match document.get(*key).and_then(Value::as_str) {
                Some(word) if GOOD.contains(&word) => claims.push((key, true)),
                Some(word) if BAD.contains(&word) => claims.push((key, false)),
                _ => {}
            }
        }
    }
    claims
}

/// The key of an error that says something.
fn error(document: &Value) -> Option<&'static str> {
    let says = |value: &Value| match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(list) => list.iter().any(|it| it.is_object() || it.is_string()),
        Value::String(text) => !text.is_empty(),
        _ => false,
    };
    ["error", "errors"].into_iter().find(|key| document.get(*key).is_some_and(says))
}

/// The key of issues one of which is an error.
fn issue(document: &Value) -> Option<&'static str> {
    let is_grave = |it: &Value| it.get("severity").is_some_and(|severity| severity == "error");
    ["issues", "diagnostics"].into_iter().find(|key| {
        document.get(*key).and_then(Value::as_array).is_some_and(|list| list.iter().any(is_grave))
    })
}

/// Whether a failure without an error tells why in another way.
fn says_why(document: &Value) -> bool {
    const REASONS: &[&str] =
        &["code", "error_kind", "found", "reason", "exit_code", "hint", "result", "data"];
    let says = |key: &&str| {
        document.get(*key).is_some_and(|it| {
            !it.is_null() && it.as_object().is_none_or(|members| !members.is_empty())
        })
    };
    // Who has a place for the reason and leaves it empty does not tell it elsewhere.
    let is_empty = |it: &Value| it.is_null() || it.as_array().is_some_and(Vec::is_empty);
    let has_place =
        ["error", "errors", "issues"].iter().any(|key| document.get(*key).is_some_and(is_empty));
    // MCP tells it in blocks of text.
    let content = document.get("content").and_then(Value::as_array);
    let is_told = content.is_some_and(|blocks| blocks.iter().any(|it| it.get("text").is_some()));
    (is_told || REASONS.iter().any(says)) && !has_place
}

/// Whether a call that was refused, so that nothing can have come of it, has data all the same.
fn has_data(answer: &Framed<'_, '_>) -> bool {
    answer.seen.run.probe.purpose.must_fail()
        && answer.get(&["data"]).is_some_and(|data| match data {
            Value::Null => false,
            Value::Object(members) => !members.is_empty(),
            Value::Array(list) => !list.is_empty(),
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: &str) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word()
    }

    #[test]
    fn two_outcomes_at_once_are_found() {
        for stdout in [
            r#"{"ok":true,"error":{"code":"A","message":"m"}}"#,
            r#"{"ok":false,"data":null,"error":null}"#,
            r#"{"ok":false}"#,
            r#"{"content":[],"isError":true}"#,
            r#"{"ok":false,"kind":"validate","data":{"n":1},"issues":[],"meta":{}}"#,
            r#"{"type":"result","subtype":"success","is_error":true,"result":"limit"}"#,
            r#"{"ok":true,"status":"error","data":{}}"#,
            r#"{"ok":true,"data":{},"issues":[{"severity":"error","code":"a"}]}"#,
        ] {
            assert_eq!(verdict(stdout), "violated", "{stdout}");
        }
    }

    #[test]
    fn one_outcome_holds_in_every_dialect() {
        for stdout in [
            r#"{"ok":true,"data":{},"error":null}"#,
            r#"{"ok":false,"error":{"code":"A","message":"m"}}"#,
            r#"{"ok":false,"error":"m","code":"A"}"#,
            r#"{"ok":true,"status":"failed","job":7}"#,
            r#"{"success":true,"errors":0,"error":null}"#,
            r#"{"ok":true,"kind":"validate","data":{},"issues":[{"severity":"error","code":"a"}],"meta":{"apiVersion":"1","cwd":"/"}}"#,
            r#"{"ok":false,"found":false,"name":"x"}"#,
            r#"{"content":[{"type":"text","text":"no"}],"isError":true}"#,
        ] {
            assert_eq!(verdict(stdout), "holds", "{stdout}");
        }
        assert_eq!(verdict(r#"{"items":[]}"#), "undecided");
    }
}
