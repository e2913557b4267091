//! An error does not say what went wrong.

use super::found;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::object_answers;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "error-without-message",
    family: Family::Shape,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "An error has no message, or an empty one.",
    fix: "Say in every error what went wrong, in a sentence.",
    page: include_str!("error_without_message.md"),
    modes: &[18],
    requirements: &["C-013"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for answer in object_answers(evidence).iter().filter(|answer| answer.is_failure) {
        // A failure without any error contradicts itself, which is another flaw.
        let Some(error) = ErrorObject::of(answer) else { continue };
        // An issue may say all with its code, in dialects that have issues.
        if error.path.first().is_some_and(|key| key == "issues") && error.code.is_some() {
            continue;
        }
        builder.observe();
        if error.message.is_none() {
            let why = match error.code {
                Some(_) => "the error has no message",
                None => "the error says nothing: it has neither a code nor a message",
            };
            builder.report_once(found(answer, &error.path, why));
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
    fn an_empty_error_says_nothing() {
        let verdict = |stdout: &str| judge(&RULE, &[ran(Purpose::Missing, stdout, 1)]).as_str();
        assert_eq!(verdict(r#"{"error":{}}"#), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"A","message":" "}}"#), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"A","message":"no"}}"#), "passed");
        assert_eq!(verdict(r#"{"ok":false,"error":null}"#), "undecided");
    }
}
