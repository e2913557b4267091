//! An answer says two things about its own outcome.

use super::found;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::envelope_shape::certain_dialect;
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{ObjectAnswer, object_answers};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::table::{Field, Key, Need, Null, Outcomes};
use manila::{Dialect, Exit};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "contradictory-outcome",
    family: Family::Shape,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "An answer says both that the call succeeded and that it failed.",
    fix: "Derive every field that states the outcome from one value.",
    page: include_str!("contradictory_outcome.md"),
    modes: &[2, 56],
    requirements: &["F-004"],
    plan: no_probes,
    judge,
};

/// The keys that state an outcome by true and false, and what true means.
const FLAGS: &[(&str, bool)] = &[
    ("ok", true),
    ("success", true),
    ("succeeded", true),
    ("is_error", false),
    ("isError", false),
    ("failed", false),
];
/// The keys that state one by a word, beside the payload.
const WORDS: &[&str] = &["subtype", "type", "status", "outcome"];
const GOOD: &[&str] = &["success", "ok"];
const BAD: &[&str] = &["error", "failure", "failed"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let answers = object_answers(evidence);
    let data = certain_dialect(&answers).and_then(data_of_successes);
    for answer in &answers {
        let claims = claims(answer.document);
        let Some((first, ok)) = claims.first().copied() else { continue };
        builder.observe();
        let other = claims.iter().find(|(_, says)| *says != ok);
        let error = error(answer.document);
        let grave = issue(answer.document);
        let (path, why) = if let Some((other, _)) = other {
            (vec![*other], format!("{first} and {other} say the opposite of each other"))
        } else if let (true, Some(key)) = (ok, error) {
            (vec![key], format!("{first} says success, and {key} has an error"))
        } else if let (true, Some(key)) = (ok, grave) {
            (vec![key], format!("{first} says success, and {key} has an issue of severity error"))
        } else if let (true, Some(key)) = (ok, inner(answer.document)) {
            (vec!["data", key], format!("{first} says success, and data.{key} says failure"))
        } else if !ok && ErrorObject::of(answer).is_none() && !says_why(answer.document) {
            (vec![first], format!("{first} says failure, and nothing says what failed"))
        } else if let Some(key) = data.filter(|key| !ok && has_data(answer, key)) {
            (vec![key.name], "a call that cannot have done anything has data".to_owned())
        } else {
            continue;
        };
        builder.report_once(found(answer, &path, why));
    }
    builder.verdict("no answer states its outcome", Some("program.json: how to ask for JSON"))
}

/// The key for the data of a dialect whose failures have none: only successes have it, or null stands for nothing.
fn data_of_successes(dialect: &'static dyn Dialect) -> Option<&'static Key> {
    let mut keys =
        dialect.table().keys.iter().filter(|key| key.field == Field::Data && key.is_written());
    let key = keys.next().filter(|_| keys.next().is_none())?;
    let is_nothing = key.null == Null::Nothing && key.need == Need::Required;
    (key.on == Outcomes::Success || is_nothing).then_some(key)
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
    let is_reported = ["message", "error", "reason"].iter().any(|key| data[*key].is_string());
    let says = |(key, means): &&(&str, bool)| data[*key].as_bool().is_some_and(|it| it != *means);
    FLAGS.iter().find(says).filter(|_| is_reported).map(|(key, _)| *key)
}

/// Whether a failure without an error states the cause in another way.
fn says_why(document: &Value) -> bool {
    const REASONS: &[&str] =
        &["code", "error_kind", "found", "reason", "exit_code", "hint", "result", "data"];
    let says = |key: &&str| {
        document.get(*key).is_some_and(|it| {
            !it.is_null() && it.as_object().is_none_or(|members| !members.is_empty())
        })
    };
    // An answer that has a place for the cause and leaves it empty does not state it elsewhere.
    let is_empty = |it: &Value| it.is_null() || it.as_array().is_some_and(Vec::is_empty);
    let has_place =
        ["error", "errors", "issues"].iter().any(|key| document.get(*key).is_some_and(is_empty));
    // MCP states it in blocks of text.
    let content = document.get("content").and_then(Value::as_array);
    let is_reported =
        content.is_some_and(|blocks| blocks.iter().any(|it| it.get("text").is_some()));
    (is_reported || REASONS.iter().any(says)) && !has_place
}

/// Whether a call that was refused, or asked for what is not there, so that nothing can have come of it,
/// has data all the same.
fn has_data(answer: &ObjectAnswer<'_, '_>, key: &Key) -> bool {
    let purpose = answer.seen.run.probe.purpose;
    let status = answer.seen.status();
    let opened = answer.seen.reading.opened.as_ref();
    let row =
        opened.zip(status).and_then(|(it, status)| it.detection.dialect.table().exits.row(status));
    let is_absent =
        purpose == Purpose::Missing && row.is_some_and(|row| row.exit == Exit::NotFound);
    // Some write an empty object for nothing; this dialect has a word for it.
    let has_null = key.null == Null::Nothing;
    (purpose.must_fail() || is_absent)
        && answer.get(&[key.name]).is_some_and(|data| match data {
            Value::Null => false,
            Value::Object(members) => has_null || !members.is_empty(),
            Value::Array(list) => has_null || !list.is_empty(),
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: &str) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str()
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
            assert_eq!(verdict(stdout), "failed", "{stdout}");
        }
    }

    #[test]
    fn of_what_is_not_there_nothing_is_given() {
        let verdict = |data: &str, status| {
            let stdout = format!(
                r#"{{"ok":false,"data":{data},"error":{{"code":"X","message":"m"}},"warnings":[],"meta":{{"duration_ms":1,"schema_version":"1.0"}}}}"#
            );
            judge(&RULE, &[ran(Purpose::Missing, stdout, status)]).as_str()
        };
        assert_eq!(verdict("null", 5), "passed");
        assert_eq!(verdict("[]", 5), "failed");
        assert_eq!(verdict(r#"{"done":1}"#, 2), "passed", "partly done");
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
            assert_eq!(verdict(stdout), "passed", "{stdout}");
        }
        assert_eq!(verdict(r#"{"items":[]}"#), "undecided");
    }
}
