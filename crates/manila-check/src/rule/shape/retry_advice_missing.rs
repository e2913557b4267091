//! An error does not say whether the call may be made again, although others of the program do.

use super::found;
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::{Framed, certain, framed, spoken};
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "retry-advice-missing",
    family: Family::Shape,
    severity: Severity::Warning,
    flaw: "An error does not say whether the call may be made again.",
    fix: "State `retryable` in every error, true or false.",
    page: include_str!("retry_advice_missing.md"),
    modes: &[19],
    requirements: &["C-014"],
    plan: nothing_more,
    judge,
};

const KEYS: &[&str] = &["retryable", "retriable", "is_retryable", "isRetryable"];
/// Dialects that require it.
const REQUIRING: &[&str] = &["claw/2.0"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let answers = framed(evidence);
    let is_required = spoken(&answers).is_some_and(|it| REQUIRING.contains(&it.id()));
    let failures: Vec<_> = answers
        .iter()
        .filter(|answer| answer.is_failure)
        .filter_map(|answer| Fault::of(answer).map(|fault| (answer, fault)))
        // An error that says nothing at all, or has no code either, is told as that.
        .filter(|(_, fault)| fault.code.is_some())
        .collect();
    let states = |document: &Value| {
        let error = document.get("error").unwrap_or(document);
        KEYS.iter().any(|key| error.get(key).or(document.get(key)).is_some_and(Value::is_boolean))
    };
    // Where no error states it the program never promised to. Recorded runs may be of many programs.
    let is_own = |answer: &Framed<'_, '_>| answer.seen.run.probe.purpose != Purpose::Recorded;
    let is_usual = failures.iter().any(|(answer, _)| is_own(answer) && states(answer.document));
    let is_asked = |answer: &Framed<'_, '_>| {
        let is_marked = certain(answer.seen).is_some();
        if is_own(answer) { is_required || is_usual } else { is_required && is_marked }
    };
    for (answer, fault) in failures.iter().filter(|(answer, _)| is_asked(answer)) {
        judging.look();
        if !states(answer.document) {
            let why = if is_usual {
                "the error does not say whether it is retryable, and others do"
            } else {
                "the error does not say whether it is retryable"
            };
            judging.find_once(found(answer, &fault.path, why));
        }
    }
    judging.verdict("no error of this program says whether it is retryable", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
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
        assert_eq!(judge(&RULE, &[with.clone(), without.clone()]).word(), "violated");
        assert_eq!(judge(&RULE, std::slice::from_ref(&with)).word(), "holds");
        assert_eq!(judge(&RULE, std::slice::from_ref(&without)).word(), "undecided");
        let recorded = [with, without].map(|mut run| {
            run.probe.purpose = Purpose::Recorded;
            run
        });
        assert_eq!(judge(&RULE, &recorded).word(), "undecided");
    }
}
