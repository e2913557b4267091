//! SIGINT or SIGTERM does not end the program.

use super::plan_signals;
use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity};
use crate::run::Ended;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "ignores-signal",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "SIGINT or SIGTERM does not end the program.",
    fix: "Let the signals end the program, after as little tidying as there must be.",
    page: include_str!("ignores_signal.md"),
    modes: &[16],
    requirements: &["F-013", "F-069"],
    plan: plan_signals,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Slow) {
        let Some(signal) = seen.run.probe.setting.disturbance else { continue };
        judging.look();
        if seen.run.ended == Ended::Deaf {
            let name = signal.name();
            judging
                .find_once(Finding::new(seen, format!("{} does not end on {name}", seen.called())));
        }
    }
    judging.verdict(super::NO_SLOW, super::DECLARE_SLOW)
}
