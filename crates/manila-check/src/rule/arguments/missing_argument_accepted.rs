//! A command that needs an argument does without it.

use super::not_refused;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::is_accepted;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Command;

pub(crate) static RULE: Rule = Rule {
    id: "missing-argument-accepted",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A command that needs an argument, as it says itself, succeeds without it.",
    fix: "Check that every required argument is there before anything else is done.",
    page: include_str!("missing_argument_accepted.md"),
    modes: &[14],
    requirements: &["C-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|seen| seen.run.probe.is_plain()) {
        let is_asked = seen.run.probe.purpose == Purpose::MissingArgument;
        // What may come from stdin is not missing.
        if !is_asked || !seen.run.ended_by_itself() || seen.command.is_some_and(reads_input) {
            continue;
        }
        builder.observe();
        if is_accepted(seen) {
            builder.report_once(not_refused(seen, "an argument that it needs is missing"));
        }
    }
    builder.verdict("no safe command needs an argument, as far as is known", None)
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
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn nothing_but_a_refusal_is_right() {
        let verdict = |stdout: &str, status| {
            judge(&RULE, &[ran(Purpose::MissingArgument, stdout, status)]).as_str()
        };
        assert_eq!(verdict(r#"{"ok":true,"data":null}"#, 0), "failed");
        assert_eq!(verdict("Usage: notes show <ID>", 0), "failed");
        assert_eq!(verdict("Usage: notes show <ID>", 2), "passed");
    }
}
