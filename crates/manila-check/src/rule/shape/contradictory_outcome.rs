//! An answer says two things about its own outcome.

use super::found;
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::{Framed, framed, spoken};
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};
use manila::Exit;
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
        let grave = issue(answer.document);
        let (path, why) = if let Some((other, _)) = other {
            (vec![*other], format!("{first} and {other} say the opposite of each other"))
        } else if let (true, Some(key)) = (ok, error) {
            (vec![key], format!("{first} says success, and {key} holds an error"))
        } else if let (true, Some(key)) = (ok, grave) {
            (vec![key], format!("{first} says success, and {key} holds an issue of severity error"))
        } else if let (true, Some(key)) = (ok, inner(answer.document)) {
            (vec!["data", key], format!("{first} says success, and data.{key} says failure"))
        } else if !ok && Fault::of(answer).is_none() && !says_why(answer.document) {
            (vec![first], format!("{first} says failure, and nothing says what failed"))
        } else if !ok && dialect.is_some_and(|it| STRICT.contains(&it) && has_data(answer, it)) {
            (vec!["data"], "a call of which nothing can have come has data".to_owned())
        } else {
            continue;
        };
        judging.find_once(found(answer, &path, why));
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

/// The key in the data that says that the call failed. Without a message beside it, it may be of the
/// thing that was asked about, such as a build.
fn inner(document: &Value) -> Option<&'static str> {
    let data = document.get("data")?;
    let is_told = ["message", "error", "reason"].iter().any(|key| data[*key].is_string());
    let says = |(key, means): &&(&str, bool)| data[*key].as_bool().is_some_and(|it| it != *means);
    FLAGS.iter().find(says).filter(|_| is_told).map(|(key, _)| *key)
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

/// Whether a call that was refused, or asked for what is not there, so that nothing can have come of it,
/// has data all the same.
fn has_data(answer: &Framed<'_, '_>, dialect: &str) -> bool {
    let purpose = answer.seen.run.probe.purpose;
    let status = answer.seen.status();
    let opened = answer.seen.reading.opened.as_ref();
    let row =
        opened.zip(status).and_then(|(it, status)| it.detection.dialect.about().exits.row(status));
    let is_absent =
        purpose == Purpose::Missing && row.is_some_and(|row| row.exit == Exit::NotFound);
    // Some write an empty object for nothing; this dialect has a word for it.
    let has_null = dialect.starts_with("response-envelope/");
    (purpose.must_fail() || is_absent)
        && answer.get(&["data"]).is_some_and(|data| match data {
            Value::Null => false,
            Value::Object(members) => has_null || !members.is_empty(),
            Value::Array(list) => has_null || !list.is_empty(),
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
            r#"{"ok":true,"kind":"validate","data":{},"issues":[{"severity":"error","code":"a"}],"meta":{"apiVersion":"1","cwd":"/"}}"#,
            r#"{"ok":true,"data":{"success":false,"message":"already paused"}}"#,
        ] {
            assert_eq!(verdict(stdout), "violated", "{stdout}");
        }
    }

    #[test]
    fn of_what_is_not_there_nothing_is_given() {
        let verdict = |data: &str, status| {
            let stdout = format!(
                r#"{{"ok":false,"data":{data},"error":{{"code":"X","message":"m"}},"warnings":[],"meta":{{"duration_ms":1,"schema_version":"1.0"}}}}"#
            );
            judge(&RULE, &[ran(Purpose::Missing, stdout, status)]).word()
        };
        assert_eq!(verdict("null", 5), "holds");
        assert_eq!(verdict("[]", 5), "violated");
        assert_eq!(verdict(r#"{"done":1}"#, 2), "holds", "partly done");
    }

    #[test]
    fn one_outcome_holds_in_every_dialect() {
        for stdout in [
            r#"{"ok":true,"data":{},"error":null}"#,
            r#"{"ok":false,"error":{"code":"A","message":"m"}}"#,
            r#"{"ok":false,"error":"m","code":"A"}"#,
            r#"{"ok":true,"status":"failed","job":7}"#,
            r#"{"success":true,"errors":0,"error":null}"#,
            r#"{"ok":true,"kind":"validate","data":{},"issues":[{"severity":"warning","code":"a"}],"meta":{"apiVersion":"1","cwd":"/"}}"#,
            r#"{"ok":true,"data":{"id":7,"success":false}}"#,
            r#"{"ok":false,"found":false,"name":"x"}"#,
            r#"{"content":[{"type":"text","text":"no"}],"isError":true}"#,
        ] {
            assert_eq!(verdict(stdout), "holds", "{stdout}");
        }
        assert_eq!(verdict(r#"{"items":[]}"#), "undecided");
    }
}
