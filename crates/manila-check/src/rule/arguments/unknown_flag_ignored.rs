//! A flag that does not exist is ignored.

use super::not_refused;
use crate::observe::placeholder::NO_FLAG;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::{is_accepted, names};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Command;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-flag-ignored",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A flag that does not exist is ignored.",
    fix: "Reject unknown flags with a nonzero exit status.",
    page: include_str!("unknown_flag_ignored.md"),
    modes: &[14],
    requirements: &["C-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|seen| seen.run.probe.is_plain()) {
        if !matches!(seen.run.probe.purpose, Purpose::UnknownFlag | Purpose::TwoUnknownFlags) {
            continue;
        }
        // `help` of commander takes any word, and prints help.
        if seen.command.is_some_and(Command::prints_text_about_program) {
            continue;
        }
        // A program that takes it for a value, or prints an error and exits with 0, does not ignore
        // it.
        let stdout = String::from_utf8_lossy(&seen.run.transcript.stdout);
        let is_answered = !stdout.trim().is_empty() && !stdout.contains(NO_FLAG);
        let is_reported = is_accepted(seen) && names(seen, NO_FLAG) && !is_answered;
        if !seen.run.ended_by_itself() || is_reported {
            continue;
        }
        builder.observe();
        if is_accepted(seen) {
            builder.report_once(not_refused(seen, "a flag that does not exist is ignored"));
        }
    }
    builder.verdict(
        "no command could be called with a flag that does not exist",
        Some("commands.\"…\".effects: which commands only read"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, judge_with, ran, surface};

    #[test]
    fn a_success_is_found_and_a_refusal_holds() {
        let verdict = |stdout: &str, status| {
            judge(&RULE, &[ran(Purpose::UnknownFlag, stdout, status)]).as_str()
        };
        assert_eq!(verdict(r#"{"ok":true}"#, 0), "failed");
        assert_eq!(verdict("Usage: notes", 0), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{}}"#, 0), "passed");
        assert_eq!(verdict("unknown flag", 2), "passed");
        assert_eq!(verdict(r#"{"query":"--manila-no-such-flag"}"#, 0), "undecided");
    }

    #[test]
    fn a_command_that_prints_help_may_take_anything() {
        let mut surface = surface();
        surface.commands[1].path = vec!["help".to_owned()];
        let mut run = ran(Purpose::UnknownFlag, "Usage: notes", 0);
        run.probe.command = vec!["help".to_owned()];
        assert_eq!(judge_with(&RULE, &surface, &[run]).as_str(), "undecided");
    }
}
