//! SIGINT or SIGTERM does not end the program.

use super::plan_signals;
use crate::observe::probe::Purpose;
use crate::observe::run::Ended;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "ignores-signal",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "SIGINT or SIGTERM does not end the program.",
    fix: "Let the signals end the program, after only the cleanup that is necessary.",
    page: include_str!("ignores_signal.md"),
    modes: &[16],
    requirements: &["F-013", "F-069"],
    plan: plan_signals,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Slow) {
        let Some(signal) = seen.run.probe.setting.signal else { continue };
        if seen.run.ended == Ended::BeforeSignal {
            continue;
        }
        builder.observe();
        if seen.run.ended == Ended::Deaf {
            let name = signal.name();
            builder.report_once(Finding::new(
                seen,
                format!("{} does not end on {name}", seen.called()),
            ));
        }
    }
    builder.verdict(super::NO_SLOW, super::DECLARE_SLOW)
}
