//! The program without arguments says neither what it can do nor what is missing.

use super::verdict_on_program;
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::is_help;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "bare-call-unclear",
    family: Family::Arguments,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "The program without arguments answers neither with help nor with an error.",
    fix: "Print help, or say that a command is missing.",
    page: include_str!("bare_call_unclear.md"),
    modes: &[21],
    requirements: &["F-047", "F-068"],
    plan,
    judge,
};

/// Only where a command must follow, or where the program itself is safe: the gate sees to that.
fn plan(surface: &Surface, plan: &mut Plan) {
    let has_commands = surface.commands.iter().any(|command| !command.is_root());
    for root in surface.commands.iter().filter(|command| command.is_root()) {
        if has_commands {
            plan.ask(Probe::new(root, Purpose::Bare, Form::Text, [""; 0], &surface.json));
        }
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // A filter without commands may well have nothing to say about nothing.
    let has_commands = evidence.surface.commands.iter().any(|command| !command.is_root());
    for seen in evidence.of(Purpose::Bare, Form::Text).filter(|_| has_commands) {
        // What hangs, and what fails in silence, has rules of its own.
        if !seen.run.ended_by_itself() || !seen.exited_zero() || !seen.run.probe.is_plain() {
            if seen.run.ended_by_itself() {
                builder.observe();
            }
            continue;
        }
        builder.observe();
        let transcript = &seen.run.transcript;
        let is_empty = seen.reading.stdout.is_empty && seen.reading.stderr.is_empty;
        let text = String::from_utf8_lossy(&transcript.stdout)
            + String::from_utf8_lossy(&transcript.stderr);
        let names_commands =
            evidence.surface.commands.iter().any(|command| {
                command.path.last().is_some_and(|word| text.contains(word.as_str()))
            });
        let is_helpful = is_help(text.as_bytes())
            || names_commands
            || !seen.reading.stdout.documents.is_empty()
            || seen.command.is_none_or(|root| !root.is_group);
        if is_empty {
            builder.report(Finding::new(seen, "without arguments it ends with 0 and says nothing"));
        } else if !is_helpful {
            let message = "without arguments it says neither what it can do nor what is missing";
            let stream = if transcript.stdout.is_empty() { Stream::Stderr } else { Stream::Stdout };
            let end = transcript.stream(stream).len();
            builder.report(Finding::new(seen, message).at(seen, stream, 0..end));
        }
    }
    let why = "it was not called without arguments: help does not show that a command must follow";
    verdict_on_program(builder, evidence, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn silence_and_small_talk_are_found() {
        let surface = surface();
        let mut asked = Plan::default();
        plan(&surface, &mut asked);
        let probe = asked.into_parts().0.remove(0);
        let verdict = |stdout: &str, status| {
            judge_with(&RULE, &surface, &[run_of(probe.clone(), stdout, status)]).as_str()
        };
        assert_eq!(verdict("", 0), "failed");
        assert_eq!(verdict("Welcome!", 0), "failed");
        assert_eq!(verdict("Usage: notes <COMMAND>", 0), "passed");
        assert_eq!(verdict("a command is missing", 2), "passed");
    }
}
