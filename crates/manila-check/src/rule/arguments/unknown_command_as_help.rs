//! A command that does not exist is answered with help, or with a success.

use super::{not_refused, verdict_on_program};
use crate::evidence::Evidence;
use crate::plan::NO_COMMAND;
use crate::probe::Purpose;
use crate::recorded::is_unasked_help;
use crate::refusal::{is_accepted, is_help, names};
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-command-as-help",
    family: Family::Arguments,
    severity: Severity::Error,
    flaw: "A command that does not exist is answered with help or a success, and exit status 0.",
    fix: "Refuse a command that you do not know, with a status other than 0.",
    page: include_str!("unknown_command_as_help.md"),
    modes: &[1, 14],
    requirements: &["F-001", "C-006"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in evidence.runs.iter().filter(|seen| seen.run.probe.is_plain()) {
        if seen.run.probe.purpose == Purpose::Recorded && is_unasked_help(&seen.run.transcript) {
            judging.look();
            if is_accepted(seen) {
                judging.find_once(not_refused(seen, "help that nobody asked for is the answer"));
            }
        }
        if seen.run.probe.purpose != Purpose::UnknownCommand || !seen.run.ended_by_itself() {
            continue;
        }
        // What takes words of the caller's own beside its commands may take this one for one; who
        // complains and ends with 0 has another flaw.
        let takes_words = seen.command.is_some_and(|command| !command.positionals.is_empty());
        let is_help = is_help(&seen.run.transcript.stdout);
        if takes_words || (is_accepted(seen) && names(seen, NO_COMMAND) && !is_help) {
            continue;
        }
        judging.look();
        if is_accepted(seen) {
            judging.find_once(not_refused(seen, "a command that does not exist is not refused"));
        }
    }
    let why = "an unknown word was not tried: help does not show that it cannot be an argument";
    verdict_on_program(judging, evidence, why)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn help_with_exit_zero_is_found() {
        let verdict = |stdout: &str, status| {
            judge(&RULE, &[ran(Purpose::UnknownCommand, stdout, status)]).word()
        };
        assert_eq!(verdict("Usage: notes <COMMAND>\n", 0), "violated");
        assert_eq!(verdict(r#"{"ok":true,"data":{}}"#, 0), "violated");
        assert_eq!(verdict("Usage: notes <COMMAND>\n", 2), "holds");
        assert_eq!(verdict("unknown command manila-no-such-command", 0), "undecided");
    }
}
