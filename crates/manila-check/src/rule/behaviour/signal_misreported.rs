//! A call that a signal ended has the status of another outcome.

use super::plan_signals;
use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity};
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "signal-misreported",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "A call that a signal ended has the status of another outcome.",
    fix: "End with 130 after SIGINT and 143 after SIGTERM, or die of the signal.",
    page: include_str!("signal_misreported.md"),
    modes: &[16],
    requirements: &["F-013", "F-069"],
    plan: plan_signals,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Slow) {
        let Some(signal) = seen.run.probe.setting.disturbance else { continue };
        if !seen.run.ended_by_itself() {
            continue;
        }
        judging.look();
        if seen.status() != Some(128 + signal.number()) {
            let (name, status) = (signal.name(), seen.run.transcript.status);
            let message = format!("{} ends with {status} after {name}", seen.called());
            judging.find_once(Finding::new(seen, message));
        }
    }
    judging.verdict(super::NO_SLOW, super::DECLARE_SLOW)
}
