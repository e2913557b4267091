//! A flag that does not exist is ignored.

use super::not_refused;
use crate::evidence::Evidence;
use crate::plan::NO_FLAG;
use crate::probe::Purpose;
use crate::refusal::{is_accepted, names};
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-flag-ignored",
    family: Family::Arguments,
    severity: Severity::Error,
    flaw: "A flag that does not exist is ignored.",
    fix: "Refuse what you do not know, with a status other than 0.",
    page: include_str!("unknown_flag_ignored.md"),
    modes: &[14],
    requirements: &["C-006"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in evidence.runs.iter().filter(|seen| seen.run.probe.is_plain()) {
        if !matches!(seen.run.probe.purpose, Purpose::UnknownFlag | Purpose::TwoUnknownFlags) {
            continue;
        }
        // Who takes it for a word, or complains and ends with 0, does not ignore it.
        let stdout = String::from_utf8_lossy(&seen.run.transcript.stdout);
        let is_answered = !stdout.trim().is_empty() && !stdout.contains(NO_FLAG);
        let is_told = is_accepted(seen) && names(seen, NO_FLAG) && !is_answered;
        if !seen.run.ended_by_itself() || is_told {
            continue;
        }
        judging.look();
        if is_accepted(seen) {
            judging.find_once(not_refused(seen, "a flag that does not exist is ignored"));
        }
    }
    judging.verdict(
        "no command could be called with a flag that does not exist",
        Some("commands.\"…\".effects: which commands only read"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_success_is_found_and_a_refusal_holds() {
        let verdict = |stdout: &str, status| {
            judge(&RULE, &[ran(Purpose::UnknownFlag, stdout, status)]).word()
        };
        assert_eq!(verdict(r#"{"ok":true}"#, 0), "violated");
        assert_eq!(verdict("Usage: notes", 0), "violated");
        assert_eq!(verdict(r#"{"ok":false,"error":{}}"#, 0), "holds");
        assert_eq!(verdict("unknown flag", 2), "holds");
        assert_eq!(verdict(r#"{"query":"--manila-no-such-flag"}"#, 0), "undecided");
    }
}
