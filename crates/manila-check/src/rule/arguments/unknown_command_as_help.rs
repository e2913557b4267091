//! A command that does not exist is answered with help, or with a success.

use super::{not_refused, verdict_on_program};
use crate::observe::placeholder::NO_COMMAND;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::recorded::is_unasked_help;
use crate::rule::refusal::{is_accepted, is_help, names};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-command-as-help",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A command that does not exist is answered with help or a success, and exit status 0.",
    fix: "Reject unknown commands with a nonzero exit status.",
    page: include_str!("unknown_command_as_help.md"),
    modes: &[1, 14],
    requirements: &["F-001", "C-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|seen| seen.run.probe.is_plain()) {
        if seen.run.probe.purpose == Purpose::Recorded && is_unasked_help(&seen.run.transcript) {
            builder.observe();
            if is_accepted(seen) {
                builder.report_once(not_refused(seen, "the answer is help that was not asked for"));
            }
        }
        if seen.run.probe.purpose != Purpose::UnknownCommand || !seen.run.ended_by_itself() {
            continue;
        }
        // What takes words of the caller's own beside its commands may take this one for one; a program that
        // complains and ends with 0 has another flaw.
        let takes_words = seen.command.is_some_and(|command| !command.positionals.is_empty());
        let is_help = is_help(&seen.run.transcript.stdout);
        if takes_words || (is_accepted(seen) && names(seen, NO_COMMAND) && !is_help) {
            continue;
        }
        builder.observe();
        if is_accepted(seen) {
            builder.report_once(not_refused(seen, "a command that does not exist is not refused"));
        }
    }
    let why = "an unknown word was not tried: help does not show that it cannot be an argument";
    verdict_on_program(builder, evidence, why)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn help_with_exit_zero_is_found() {
        let verdict = |stdout: &str, status| {
            judge(&RULE, &[ran(Purpose::UnknownCommand, stdout, status)]).as_str()
        };
        assert_eq!(verdict("Usage: notes <COMMAND>\n", 0), "failed");
        assert_eq!(verdict(r#"{"ok":true,"data":{}}"#, 0), "failed");
        assert_eq!(verdict("Usage: notes <COMMAND>\n", 2), "passed");
        assert_eq!(verdict("unknown command manila-no-such-command", 0), "undecided");
    }
}
