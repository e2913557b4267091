//! An error has no code that a caller can act on.

use super::found;
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::framed;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "error-without-code",
    family: Family::Shape,
    severity: Severity::Error,
    flaw: "An error has no code, or an empty one.",
    fix: "Give every error a stable code that a program can compare.",
    page: include_str!("error_without_code.md"),
    modes: &[18],
    requirements: &["C-013"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for answer in framed(evidence).iter().filter(|answer| answer.is_failure) {
        // An error that says nothing at all is told once, as one without a message.
        let Some(fault) = Fault::of(answer).filter(|fault| fault.message.is_some()) else {
            continue;
        };
        judging.look();
        if fault.code.is_none() {
            judging.find_once(found(answer, &fault.path, "the error has no code"));
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
    fn a_message_alone_is_not_enough() {
        let verdict = |stdout: &str| judge(&RULE, &[ran(Purpose::Missing, stdout, 1)]).word();
        assert_eq!(verdict(r#"{"ok":false,"error":{"message":"no"}}"#), "violated");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"","message":"no"}}"#), "violated");
        assert_eq!(verdict(r#"{"ok":false,"error":"no"}"#), "violated");
        assert_eq!(verdict(r#"{"error":{"kind":"not_found","message":"no"}}"#), "holds");
        assert_eq!(verdict(r#"{"ok":false,"error":{}}"#), "undecided");
    }
}
