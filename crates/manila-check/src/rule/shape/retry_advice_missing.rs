//! An error does not say whether the call may be made again, although others of the program do.

use super::found;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::envelope_shape::{certain, certain_dialect};
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{ObjectAnswer, object_answers};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Dialect;
use manila::table::Field;
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "retry-advice-missing",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::ENVELOPE,
    flaw: "An error does not say whether the call may be made again.",
    fix: "State `retryable` in every error, true or false.",
    page: include_str!("retry_advice_missing.md"),
    modes: &[19],
    requirements: &["C-014"],
    plan: no_probes,
    judge,
};

const KEYS: &[&str] = &["retryable", "retriable", "is_retryable", "isRetryable"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let answers = object_answers(evidence);
    let requires = |dialect: &'static dyn Dialect| {
        let mut keys = dialect.table().all_keys();
        keys.any(|key| key.field == Field::Retryable && key.is_required(Some(false)))
    };
    let is_required = certain_dialect(&answers).is_some_and(requires);
    let failures: Vec<_> = answers
        .iter()
        .filter(|answer| answer.is_failure)
        .filter_map(|answer| ErrorObject::of(answer).map(|error| (answer, error)))
        // An error that says nothing at all, or has no code either, is reported by another rule.
        .filter(|(_, error)| error.code.is_some())
        .collect();
    let states = |document: &Value| {
        let error = document.get("error").unwrap_or(document);
        KEYS.iter().any(|key| error.get(key).or(document.get(key)).is_some_and(Value::is_boolean))
    };
    // Where no error states it the program never promised to. Recorded runs may be of many programs.
    let is_own = |answer: &ObjectAnswer<'_, '_>| answer.seen.run.probe.purpose != Purpose::Recorded;
    let is_usual = failures.iter().any(|(answer, _)| is_own(answer) && states(answer.document));
    let is_asked = |answer: &ObjectAnswer<'_, '_>| {
        let is_marked = certain(answer.seen).is_some();
        if is_own(answer) { is_required || is_usual } else { is_required && is_marked }
    };
    for (answer, error) in failures.iter().filter(|(answer, _)| is_asked(answer)) {
        builder.observe();
        if !states(answer.document) {
            let why = if is_usual {
                "the error does not say whether it is retryable, and others do"
            } else {
                "the error does not say whether it is retryable"
            };
            builder.report_once(found(answer, &error.path, why));
        }
    }
    builder.verdict("no error of this program says whether it is retryable", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn what_one_error_states_all_state() {
        let with = ran(
            Purpose::UnknownFlag,
            r#"{"ok":false,"error":{"code":"A","message":"m","retryable":false}}"#,
            2,
        );
        let without =
            ran(Purpose::Missing, r#"{"ok":false,"error":{"code":"B","message":"m"}}"#, 1);
        assert_eq!(judge(&RULE, &[with.clone(), without.clone()]).as_str(), "failed");
        assert_eq!(judge(&RULE, std::slice::from_ref(&with)).as_str(), "passed");
        assert_eq!(judge(&RULE, std::slice::from_ref(&without)).as_str(), "undecided");
        let recorded = [with, without].map(|mut run| {
            run.probe.purpose = Purpose::Recorded;
            run
        });
        assert_eq!(judge(&RULE, &recorded).as_str(), "undecided");
    }
}
