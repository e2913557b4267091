//! An error does not say what went wrong.

use super::found;
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::framed;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "error-without-message",
    family: Family::Shape,
    severity: Severity::Error,
    flaw: "An error has no message, or an empty one.",
    fix: "Say in every error what went wrong, in a sentence.",
    page: include_str!("error_without_message.md"),
    modes: &[18],
    requirements: &["C-013"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for answer in framed(evidence).iter().filter(|answer| answer.is_failure) {
        // A failure without any error contradicts itself, which is another flaw.
        let Some(fault) = Fault::of(answer) else { continue };
        // An issue may say all with its code, in dialects that have issues.
        if fault.path.first().is_some_and(|key| key == "issues") && fault.code.is_some() {
            continue;
        }
        judging.look();
        if fault.message.is_none() {
            let why = match fault.code {
                Some(_) => "the error has no message",
                None => "the error says nothing: it has neither a code nor a message",
            };
            judging.find_once(found(answer, &fault.path, why));
        }
    }
    judging.verdict(
        "no run failed with an error in JSON",
        Some("commands.\"…\".missing: a call that cannot succeed"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn an_empty_error_says_nothing() {
        let verdict = |stdout: &str| judge(&RULE, &[ran(Purpose::Missing, stdout, 1)]).word();
        assert_eq!(verdict(r#"{"error":{}}"#), "violated");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"A","message":" "}}"#), "violated");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"A","message":"no"}}"#), "holds");
        assert_eq!(verdict(r#"{"ok":false,"error":null}"#), "undecided");
    }
}
