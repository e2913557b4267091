//! A call does not end.

use crate::evidence::{Evidence, Seen};
use crate::plan::help;
use crate::probe::{Form, Inlet, Plan, Probe, Purpose};
use crate::rule::{Family, Rule, Severity};
use crate::run::{Ended, Waiting};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "hang",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "A call does not end.",
    fix: "End with an error when something cannot be done; give every wait a limit.",
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
    let mut judging = Judging::default();
    // One that waits for input that may still come has a rule of its own; one that is meant to run
    // long is no surprise.
    let meant = evidence.runs.iter().filter(|seen| {
        let probe = &seen.run.probe;
        probe.setting.inlet != Inlet::Silent
            && !matches!(probe.purpose, Purpose::Slow | Purpose::Recorded)
    });
    for seen in meant {
        judging.look();
        let Ended::AtLimit(waiting) = seen.run.ended else { continue };
        // One that writes without end is slower to be found out where little is read.
        let floods = |it: &Seen<'_>| {
            it.run.ended == Ended::Flooding && it.run.probe.command == seen.run.probe.command
        };
        if evidence.runs.iter().any(floods) {
            continue;
        }
        let at = match waiting {
            Waiting::ForInput => " and waits for input although there is none",
            Waiting::ForTerminal => " and waits for somebody at a terminal",
            Waiting::ForSomething => "",
        };
        let message = format!("{} had not ended when its time was over{at}", seen.called());
        judging.find_once(Finding::new(seen, message));
    }
    judging.verdict("no run was made", None)
}
