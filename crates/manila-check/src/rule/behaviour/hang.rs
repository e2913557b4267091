//! A call does not end.

use crate::observe::probe::{Form, Probe, Purpose, Stdin};
use crate::observe::run::{Ended, Waiting};
use crate::plan::collection::Plan;
use crate::plan::usual::help;
use crate::profile::Scope;
use crate::rule::behaviour::prompts::waits_at_terminal;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "hang",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A call does not end.",
    fix: "Fail with an error when something cannot be done, and give every wait a timeout.",
    page: include_str!("hang.md"),
    modes: &[10, 11, 37],
    requirements: &["F-009", "F-011", "F-047"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for root in surface.commands.iter().filter(|command| command.is_root()) {
        plan.ask(Probe::new(root, Purpose::Bare, Form::Text, [""; 0], &surface.json));
        plan.ask(help(root));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // A call that waits for input that may still come has a rule of its own; one that is meant to
    // run long is declared.
    let meant = evidence.usual().filter(|seen| {
        let probe = &seen.run.probe;
        probe.setting.stdin != Stdin::Silent
            && !matches!(probe.purpose, Purpose::Slow | Purpose::Recorded)
    });
    for seen in meant {
        let Ended::AtLimit(waiting) = seen.run.ended else {
            builder.observe();
            continue;
        };
        // Without a network nothing shows how long it would wait for one.
        if waiting == Waiting::ForNetwork || seen.failed_precondition().is_some() {
            continue;
        }
        // A program that asks a question breaks `prompts` instead.
        if evidence.surface.json.is_asked() && waits_at_terminal(seen) {
            continue;
        }
        builder.observe();
        // One that writes without end is slower to be found out where little is read.
        let floods = |it: &ObservedRun<'_>| {
            it.run.ended == Ended::Flooding && it.run.probe.command == seen.run.probe.command
        };
        if evidence.runs.iter().any(floods) {
            continue;
        }
        let at = match waiting {
            Waiting::ForInput => " and waits for input although there is none",
            Waiting::ForTerminal => " and waits for input from a terminal",
            Waiting::ForSomething | Waiting::ForNetwork => "",
        };
        let message = format!("{} had not ended when its time was over{at}", seen.called());
        builder.report_once(Finding::new(seen, message));
    }
    builder.verdict("no run was made", None)
}
