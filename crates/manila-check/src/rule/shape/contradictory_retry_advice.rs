//! An error says two things about whether to call again.

use super::found;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::object_answer::object_answers;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::exit::{Grain, Retry};
use manila::{Confidence, Exit};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "contradictory-retry-advice",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "An error says two things about whether the same call may work later.",
    fix: "Derive `retryable` from the class of the error, and write `retry_after` only if it is true.",
    page: include_str!("contradictory_retry_advice.md"),
    modes: &[19],
    requirements: &["C-014"],
    plan: no_probes,
    judge,
};

const FLAGS: &[&str] = &["retryable", "retriable", "is_retryable", "isRetryable"];
/// Keys that say when, or how, to call again.
const WHEN: &[&str] = &[
    "retry_after",
    "retry_after_ms",
    "retry_after_seconds",
    "retryAfter",
    "retryAfterMs",
    "retry_strategy",
];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for answer in object_answers(evidence).iter().filter(|answer| answer.is_failure) {
        let Some(error) = ErrorObject::of(answer) else { continue };
        let path: Vec<&str> = error.path.iter().map(String::as_str).collect();
        let Some(error) = answer.get(&path).and_then(Value::as_object) else { continue };
        let stated = FLAGS.iter().find_map(|key| Some((*key, error.get(*key)?.as_bool()?)));
        let Some((flag, is_retryable)) = stated else { continue };
        builder.observe();
        let when = WHEN.iter().find(|key| error.get(**key).is_some_and(|it| !it.is_null()));
        let (key, why) = match (is_retryable, when, never(answer.seen)) {
            (false, Some(key), _) => {
                (*key, format!("{flag} is false, and {key} says when to try again"))
            }
            (true, _, Some(class)) => {
                (flag, format!("{flag} is true, and {} never works the second time", class.name()))
            }
            _ => continue,
        };
        let place: Vec<&str> = path.iter().copied().chain([key]).collect();
        builder.report_once(found(answer, &place, why));
    }
    builder.verdict("no error of this program says whether it is retryable", None)
}

/// The class of a failure that the same call meets again, by the number it ended with, where the
/// dialect and its number are beyond doubt.
fn never(seen: &ObservedRun<'_>) -> Option<Exit> {
    let detection = &seen.reading.opened.as_ref()?.detection;
    let exits = detection.dialect.table().exits;
    let row = exits.row(seen.status()?)?;
    // Two revisions of one dialect swap these two.
    let is_swapped = matches!(row.exit, Exit::ArgError | Exit::PartialFailure);
    let is_clear = detection.confidence == Confidence::Certain
        && !detection.contested
        && exits.grain == Grain::Fine;
    (is_clear && !is_swapped && row.retry == Retry::No).then_some(row.exit)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(error: &str, status: i32) -> &'static str {
        let stdout = format!(
            r#"{{"ok":false,"data":null,"error":{{"code":"X","message":"m"{error}}},"warnings":[],"meta":{{"duration_ms":1,"schema_version":"1.0"}}}}"#
        );
        judge(&RULE, &[ran(Purpose::Missing, stdout, status)]).as_str()
    }

    #[test]
    fn when_to_try_again_is_said_only_of_what_may_work() {
        assert_eq!(verdict(r#","retryable":true,"retry_after":3"#, 11), "passed");
        assert_eq!(verdict(r#","retryable":false,"retry_after":3"#, 8), "failed");
        assert_eq!(verdict(r#","retryable":false,"retry_after":null"#, 8), "passed");
        assert_eq!(verdict("", 5), "undecided");
    }

    #[test]
    fn what_does_not_exist_does_not_come_by_asking_again() {
        assert_eq!(verdict(r#","retryable":true"#, 5), "failed");
        assert_eq!(verdict(r#","retryable":true"#, 3), "passed");
        assert_eq!(verdict(r#","retryable":true"#, 1), "passed");
    }
}
