//! A shell reads an argument.

use crate::observe::probe::Purpose;
use crate::observe::run::{Fate, Written};
use crate::plan::adversarial::call_with;
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "shell-injection",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A shell executes the content of an argument.",
    fix: "Start other programs with a list of arguments, never with a shell command line.",
    page: include_str!("shell_injection.md"),
    modes: &[34, 51],
    requirements: &["F-044", "F-062"],
    plan,
    judge,
};

/// The file that appears where a shell reads one of the values.
const CANARY: &str = "manila-canary";
/// Plain; as a substitution, which works in double quotes too; and for within single quotes.
const VALUES: &[&str] =
    &["x;touch manila-canary;", "x$(touch manila-canary)", "x'$(touch manila-canary)'"];

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        for value in VALUES {
            plan.ask_each(call_with(surface, command, Purpose::ShellWords, *value));
        }
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let is_canary = |it: &Written| {
        it.fate == Fate::Made && it.path.rsplit('/').next().is_some_and(|name| name == CANARY)
    };
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::ShellWords) {
        builder.observe();
        if seen.run.wrote.iter().any(is_canary) {
            let message = format!(
                "{} executes the content of its argument: {CANARY} was created",
                seen.called()
            );
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict(
        "no safe command takes a word of the caller's own, as far as is known",
        Some("commands.\"…\".args: the arguments of a harmless call"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::run::Place;
    use crate::testing::{judge, ran};

    #[test]
    fn the_canary_tells() {
        let verdict = |path: &str| {
            let mut run = ran(Purpose::ShellWords, "{}", 0);
            let (place, fate, head) = (Place::Working, Fate::Made, Vec::new());
            run.wrote.push(Written { place, path: path.to_owned(), fate, head });
            judge(&RULE, &[run]).as_str()
        };
        assert_eq!(verdict("manila-canary"), "failed");
        assert_eq!(verdict("x;touch manila-canary;"), "passed");
    }
}
