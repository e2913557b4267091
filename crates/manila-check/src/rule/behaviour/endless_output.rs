//! Output does not end.

use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::run::Ended;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "endless-output",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "Output does not end.",
    fix: "Bound what one call writes, and give the rest a cursor.",
    page: include_str!("endless_output.md"),
    modes: &[43],
    requirements: &["F-052"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let meant = evidence
        .runs
        .iter()
        .filter(|seen| !matches!(seen.run.probe.purpose, Purpose::Slow | Purpose::Recorded));
    for seen in meant {
        judging.look();
        if seen.run.ended == Ended::Flooding {
            let message = format!("{} had written too much to keep and went on", seen.called());
            judging.find_once(Finding::new(seen, message));
        }
    }
    judging.verdict("no run was made", None)
}
