//! A command that needs an argument does without it.

use super::not_refused;
use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::refusal::is_accepted;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::surface::Command;
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "missing-argument-accepted",
    family: Family::Arguments,
    severity: Severity::Error,
    flaw: "A command that needs an argument, as it says itself, succeeds without it.",
    fix: "Check that every required argument is there before anything else is done.",
    page: include_str!("missing_argument_accepted.md"),
    modes: &[14],
    requirements: &["C-006"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in evidence.runs.iter().filter(|seen| seen.run.probe.is_plain()) {
        let is_asked = seen.run.probe.purpose == Purpose::MissingArgument;
        // What may come from standard input is not missing.
        if !is_asked || !seen.run.ended_by_itself() || seen.command.is_some_and(reads_input) {
            continue;
        }
        judging.look();
        if is_accepted(seen) {
            judging.find_once(not_refused(seen, "an argument that it needs is missing"));
        }
    }
    judging.verdict("no safe command needs an argument, as far as is known", None)
}

fn reads_input(command: &Command) -> bool {
    let flags = command.flags.iter().map(|flag| flag.about.as_str());
    std::iter::once(command.about.as_str()).chain(flags).any(|about| {
        let about = about.to_ascii_lowercase();
        about.contains("stdin") || about.contains("standard input")
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn nothing_but_a_refusal_is_right() {
        let verdict = |stdout: &str, status| {
            judge(&RULE, &[ran(Purpose::MissingArgument, stdout, status)]).word()
        };
        assert_eq!(verdict(r#"{"ok":true,"data":null}"#, 0), "violated");
        assert_eq!(verdict("Usage: notes show <ID>", 0), "violated");
        assert_eq!(verdict("Usage: notes show <ID>", 2), "holds");
    }
}
