//! An answer has a key at the top that the program's dialect does not have.

use super::judge_breaches;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{Breach, BreachKind, ObjectAnswer};
use crate::rule::verdict::Verdict;
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-field",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "An answer has a key at the top that its dialect does not have.",
    fix: "Put what describes the call into `meta`, and what was asked for into `data`.",
    page: include_str!("unknown_field.md"),
    modes: &[2],
    requirements: &["F-004"],
    plan: no_probes,
    judge,
};

/// Keys that the public specification asks for at the top (F-018, F-013, C-003), although its schema
/// forbids them. Only the first revision never had them.
const ASKED_FOR: &[&str] = &["pagination", "partial", "effect"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_breaches(evidence, BreachKind::Unknown, is_left)
}

fn is_left(answer: &ObjectAnswer<'_, '_>, breach: &Breach) -> bool {
    let is_asked_for = breach.path.first().is_some_and(|key| ASKED_FOR.contains(&key.as_str()));
    let stated = answer.get(&["meta", "schema_version"]).and_then(serde_json::Value::as_str);
    is_asked_for && stated != Some("1.0")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    /// What is said of two answers like the first and one like the last.
    fn found(usual: (&str, i32), last: (&str, i32)) -> Vec<String> {
        let mut runs =
            [Purpose::Sample, Purpose::Empty].map(|it| ran(it, usual.0, usual.1)).to_vec();
        runs.push(ran(Purpose::Missing, last.0, last.1));
        match judge(&RULE, &runs) {
            Verdict::Failed(findings) => findings.into_iter().map(|it| it.message).collect(),
            verdict => vec![verdict.as_str().to_owned()],
        }
    }

    const RIGHT: &str =
        r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;

    #[test]
    fn a_sixth_key_is_found_whatever_its_name() {
        assert_eq!(found((RIGHT, 0), (RIGHT, 0)), ["passed"]);
        for key in ["trace_id", "type", "schema"] {
            let with = RIGHT.replace("}}", &format!("}},\"{key}\":\"x\"}}"));
            let expected = [format!("{key} is not a key of response-envelope/1.0")];
            assert_eq!(found((RIGHT, 0), (&with, 0)), expected);
            assert_eq!(found((&with, 0), (&with, 0)), expected);
        }
    }

    #[test]
    fn every_dialect_with_a_closed_top_has_no_further_key() {
        for (usual, status) in [
            (r#"{"schema":"animus.cli.v1","ok":true,"data":{}}"#, 0),
            (r#"{"ok":true,"type":"task_list","data":[]}"#, 0),
            (
                r#"{"ok":true,"kind":"list","data":{},"issues":[],"meta":{"apiVersion":"1","cwd":"/"}}"#,
                0,
            ),
            (r#"{"error":"e","hint":null,"kind":"status","type":"error"}"#, 1),
        ] {
            assert_eq!(found((usual, status), (usual, status)), ["passed"], "{usual}");
            let with = usual.replacen('{', "{\"trace_id\":1,", 1);
            let found = found((usual, status), (&with, status));
            assert!(found[0].starts_with("trace_id is not a key of"), "{with}: {found:?}");
        }
    }

    #[test]
    fn a_payload_at_the_top_has_any_key() {
        let usual = r#"{"timestamp":"2026-04-22T10:10:00Z","command":"c","exit_code":0,"output_format":"json","schema_version":"2.0"}"#;
        let with = usual.replacen('{', "{\"sessions\":[],", 1);
        assert_eq!(found((usual, 0), (&with, 0)), ["passed"]);
        let bare = r#"{"items":[]}"#;
        assert_eq!(found((bare, 0), (bare, 0)), ["undecided"]);
    }

    #[test]
    fn what_the_public_specification_asks_for_is_left_unless_the_first_revision_is_stated() {
        let answer = |top: &str, version: &str| {
            format!(
                r#"{{"ok":true,"data":{{}},"error":null,"warnings":[],"meta":{{"duration_ms":1{version}}}{top}}}"#
            )
        };
        let pagination = r#","pagination":{"total":1}"#;
        let [usual, with] = ["", pagination].map(|top| answer(top, ""));
        assert_eq!(found((&usual, 0), (&with, 0)), ["passed"]);
        let [usual, with] = ["", pagination].map(|top| answer(top, r#","schema_version":"1.0""#));
        let expected = ["pagination is not a key of response-envelope/1.0"];
        assert_eq!(found((&usual, 0), (&with, 0)), expected);
    }
}
