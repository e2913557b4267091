//! Null where a key should be absent or hold something, or no key where it should be null.

use super::{found, judge_breaches};
use crate::evidence::Evidence;
use crate::frame::{Breach, BreachKind, Framed, framed, spoken};
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::Verdict;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "null-out-of-place",
    family: Family::Shape,
    severity: Severity::Warning,
    flaw: "A key is null, absent or empty where its dialect says one of the others.",
    fix: "Decide for each key once whether it is null or absent when there is nothing to say.",
    page: include_str!("null_out_of_place.md"),
    modes: &[2],
    requirements: &["F-004", "F-074"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let verdict = judge_breaches(evidence, BreachKind::Null, is_left);
    let answers = framed(evidence);
    let Some(dialect) = spoken(&answers) else { return verdict };
    // A success without data, and nothing that says why, is no success to anybody.
    let says_nothing = |answer: &&Framed<'_, '_>| {
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
        Verdict::Violated(mut findings) => {
            findings.extend(empty);
            Verdict::Violated(findings)
        }
        _ if !empty.is_empty() => Verdict::Violated(empty),
        verdict => verdict,
    }
}

/// The parts of an error have rules of their own, and so has a failure whose error is null.
fn is_left(answer: &Framed<'_, '_>, breach: &Breach) -> bool {
    match breach.path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["error"] => answer.is_failure,
        ["error", key] => matches!(key, "code" | "kind" | "message" | "retryable"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};
    use crate::verdict::Verdict;

    const RIGHT: &str =
        r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;

    fn verdict(last: &str) -> &'static str {
        let mut runs = [Purpose::Sample, Purpose::Empty].map(|it| ran(it, RIGHT, 0)).to_vec();
        runs.push(ran(Purpose::Missing, last, 0));
        judge(&RULE, &runs).word()
    }

    #[test]
    fn null_and_absent_are_two_things() {
        assert_eq!(verdict(RIGHT), "holds");
        assert_eq!(verdict(&RIGHT.replace("[]", "null")), "violated");
        assert_eq!(verdict(&RIGHT.replace(r#""error":null,"#, "")), "violated");
    }

    #[test]
    fn a_success_must_say_something() {
        assert_eq!(verdict(&RIGHT.replace("{},", "null,")), "violated");
        let unchanged = RIGHT.replace("{},", "null,").replace("1}", r#"1,"not_modified":true}"#);
        assert_eq!(verdict(&unchanged), "holds");
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
        assert_eq!(verdict(&failure(r#""data":null,"#, "")).word(), "holds");
        let Verdict::Violated(findings) = verdict(&failure("", "")) else { panic!("it holds") };
        assert_eq!(findings[0].message, "data is absent where response-envelope/1.0 says null");
        // A failure that has little more than its error is of the dialect of the successes as well.
        let bare = r#"{"ok":false,"error":{"code":"A","message":"m"}}"#;
        assert_eq!(verdict(bare).word(), "violated");

        // A recorded run speaks for itself where it names its revision, and else says nothing.
        let recorded = |meta: &str| judge(&RULE, &[ran(Purpose::Recorded, failure("", meta), 3)]);
        assert_eq!(recorded(r#","schema_version":"1.0""#).word(), "violated");
        assert_eq!(recorded("").word(), "undecided");
    }
}
