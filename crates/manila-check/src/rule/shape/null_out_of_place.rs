//! Null where a key should be absent or hold something, or no key where it should be null.

use super::{found, judge_breaches};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::envelope_shape::certain_dialect;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{Breach, BreachKind, ObjectAnswer, object_answers};
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "null-out-of-place",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "A key is null, absent or empty where its dialect says one of the others.",
    fix: "Decide once for each key whether it is null or absent when it has no value.",
    page: include_str!("null_out_of_place.md"),
    modes: &[2],
    requirements: &["F-004", "F-074"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let verdict = judge_breaches(evidence, BreachKind::Null, is_left);
    let answers = object_answers(evidence);
    let Some(dialect) = certain_dialect(&answers) else { return verdict };
    // A success without data, and without a reason for that, is not a success.
    let says_nothing = |answer: &&ObjectAnswer<'_, '_>| {
        let facts = answer.seen.reading.opened.as_ref().map(|opened| &opened.facts);
        !answer.is_failure
            && answer.get(&["data"]).is_some_and(serde_json::Value::is_null)
            && facts.is_some_and(|facts| facts.has(FactKind::NothingSaid))
    };
    let empty: Vec<_> = answers
        .iter()
        .filter(says_nothing)
        .map(|answer| {
            let why = format!("data is null in a success, which {} forbids", dialect.id());
            found(answer, &["data"], why)
        })
        .collect();
    match verdict {
        Verdict::Failed(mut findings) => {
            findings.extend(empty);
            Verdict::Failed(findings)
        }
        _ if !empty.is_empty() => Verdict::Failed(empty),
        verdict => verdict,
    }
}

/// The parts of an error have rules of their own, and so has a failure whose error is null.
fn is_left(answer: &ObjectAnswer<'_, '_>, breach: &Breach) -> bool {
    match breach.path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["error"] => answer.is_failure,
        ["error", key] => matches!(key, "code" | "kind" | "message" | "retryable"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    const RIGHT: &str =
        r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;

    fn verdict(last: &str) -> &'static str {
        let mut runs = [Purpose::Sample, Purpose::Empty].map(|it| ran(it, RIGHT, 0)).to_vec();
        runs.push(ran(Purpose::Missing, last, 0));
        judge(&RULE, &runs).as_str()
    }

    #[test]
    fn null_and_absent_are_two_things() {
        assert_eq!(verdict(RIGHT), "passed");
        assert_eq!(verdict(&RIGHT.replace("[]", "null")), "failed");
        assert_eq!(verdict(&RIGHT.replace(r#""error":null,"#, "")), "failed");
    }

    #[test]
    fn a_success_must_say_something() {
        assert_eq!(verdict(&RIGHT.replace("{},", "null,")), "failed");
        let unchanged = RIGHT.replace("{},", "null,").replace("1}", r#"1,"not_modified":true}"#);
        assert_eq!(verdict(&unchanged), "passed");
    }

    #[test]
    fn a_failure_has_data_too_although_all_failures_leave_it_out() {
        let failure = |data: &str, meta: &str| {
            format!(
                r#"{{"ok":false,{data}"error":{{"code":"A","message":"m"}},"warnings":[],"meta":{{"duration_ms":1{meta}}}}}"#
            )
        };
        let failing = [
            Purpose::UnknownFlag,
            Purpose::UnknownCommand,
            Purpose::InvalidValue,
            Purpose::MissingArgument,
        ];
        let verdict = |failure: &str| {
            let mut runs = [Purpose::Sample, Purpose::Empty].map(|it| ran(it, RIGHT, 0)).to_vec();
            runs.extend(failing.map(|purpose| ran(purpose, failure, 3)));
            judge(&RULE, &runs)
        };
        assert_eq!(verdict(&failure(r#""data":null,"#, "")).as_str(), "passed");
        let Verdict::Failed(findings) = verdict(&failure("", "")) else { panic!("it holds") };
        assert_eq!(findings[0].message, "data is absent where response-envelope/1.0 says null");
        // A failure that has little more than its error is of the dialect of the successes as well.
        let bare = r#"{"ok":false,"error":{"code":"A","message":"m"}}"#;
        assert_eq!(verdict(bare).as_str(), "failed");

        // A recorded run counts where it names its revision, and otherwise decides nothing.
        let recorded = |meta: &str| judge(&RULE, &[ran(Purpose::Recorded, failure("", meta), 3)]);
        assert_eq!(recorded(r#","schema_version":"1.0""#).as_str(), "failed");
        assert_eq!(recorded("").as_str(), "undecided");
    }
}
