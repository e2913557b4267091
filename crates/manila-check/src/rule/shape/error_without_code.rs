//! An error has no code that a caller can act on.

use super::found;
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::object_answers;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "error-without-code",
    family: Family::Shape,
    severity: Severity::Error,
    scope: Scope::JSON.relaxed(Profile::Json, Severity::Note),
    flaw: "An error has no code, or an empty one.",
    fix: "Give every error a stable code that a program can compare.",
    page: include_str!("error_without_code.md"),
    modes: &[18],
    requirements: &["C-013"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for answer in object_answers(evidence).iter().filter(|answer| answer.is_failure) {
        // An error that says nothing at all is reported once, as one without a message.
        let Some(error) = ErrorObject::of(answer).filter(|error| error.message.is_some()) else {
            continue;
        };
        builder.observe();
        if error.code.is_none() {
            builder.report_once(found(answer, &error.path, "the error has no code"));
        }
    }
    builder.verdict(
        "no run failed with an error in JSON",
        Some("commands.\"…\".missing: a call that cannot succeed"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_message_alone_is_not_enough() {
        let verdict = |stdout: &str| judge(&RULE, &[ran(Purpose::Missing, stdout, 1)]).as_str();
        assert_eq!(verdict(r#"{"ok":false,"error":{"message":"no"}}"#), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"","message":"no"}}"#), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":"no"}"#), "failed");
        assert_eq!(verdict(r#"{"error":{"kind":"not_found","message":"no"}}"#), "passed");
        assert_eq!(verdict(r#"{"ok":false,"error":{}}"#), "undecided");
    }
}
