//! A call ended by a signal has the exit status of another outcome.

use super::plan_signals;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "signal-misreported",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "A call ended by a signal has the exit status of another outcome.",
    fix: "Exit with 130 after SIGINT and 143 after SIGTERM, or let the signal end the process.",
    page: include_str!("signal_misreported.md"),
    modes: &[16],
    requirements: &["F-013", "F-069"],
    plan: plan_signals,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Slow) {
        let Some(signal) = seen.run.probe.setting.signal else { continue };
        if !seen.run.ended_by_itself() {
            continue;
        }
        builder.observe();
        if seen.status() != Some(128 + signal.number()) {
            let (name, status) = (signal.name(), seen.run.transcript.status);
            let message = format!("{} ends with {status} after {name}", seen.called());
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict(super::NO_SLOW, super::DECLARE_SLOW)
}
