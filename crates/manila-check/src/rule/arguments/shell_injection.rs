//! A shell reads an argument.

use crate::evidence::Evidence;
use crate::hostile::call_with;
use crate::probe::{Plan, Purpose};
use crate::rule::{Family, Rule, Severity};
use crate::run::{Fate, Written};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "shell-injection",
    family: Family::Arguments,
    severity: Severity::Error,
    flaw: "A shell runs what stands in an argument.",
    fix: "Start other programs with a list of arguments, never with a line for a shell.",
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
    let mut judging = Judging::default();
    let is_canary = |it: &Written| {
        it.fate == Fate::Made && it.path.rsplit('/').next().is_some_and(|name| name == CANARY)
    };
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::ShellWords) {
        judging.look();
        if seen.run.wrote.iter().any(is_canary) {
            let message =
                format!("{} runs what stands in its argument: {CANARY} was made", seen.called());
            judging.find_once(Finding::new(seen, message));
        }
    }
    judging.verdict(
        "no safe command takes a word of the caller's own, as far as is known",
        Some("commands.\"…\".args: the arguments of a harmless call"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Place;
    use crate::testing::{judge, ran};

    #[test]
    fn the_canary_tells() {
        let verdict = |path: &str| {
            let mut run = ran(Purpose::ShellWords, "{}", 0);
            let (place, fate, head) = (Place::Working, Fate::Made, Vec::new());
            run.wrote.push(Written { place, path: path.to_owned(), fate, head });
            judge(&RULE, &[run]).word()
        };
        assert_eq!(verdict("manila-canary"), "violated");
        assert_eq!(verdict("x;touch manila-canary;"), "holds");
    }
}
