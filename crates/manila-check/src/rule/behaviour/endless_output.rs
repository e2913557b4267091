//! Output does not end.

use crate::observe::probe::Purpose;
use crate::observe::run::Ended;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "endless-output",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "Output does not end.",
    fix: "Limit what one call writes, and return a cursor for the rest.",
    page: include_str!("endless_output.md"),
    modes: &[43],
    requirements: &["F-052"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let meant = evidence
        .runs
        .iter()
        .filter(|seen| !matches!(seen.run.probe.purpose, Purpose::Slow | Purpose::Recorded));
    for seen in meant {
        builder.observe();
        if seen.run.ended == Ended::Flooding {
            let written = seen.run.written.iter().sum::<u64>() >> 20;
            let message = format!("{} had written {written} MiB and went on", seen.called());
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict("no run was made", None)
}
