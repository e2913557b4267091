//! Processes are left running.

use crate::observe::run::Ended;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "leaves-children",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "Processes are left running.",
    fix: "Wait for every process that you start, and end it when you exit.",
    page: include_str!("leaves_children.md"),
    modes: &[17],
    requirements: &["F-030", "F-031"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // One that was ended by us did not leave its children by itself.
    for seen in evidence.usual().filter(|seen| !seen.run.directory.is_empty()) {
        let is_held = seen.run.ended == Ended::HeldOpen;
        if !is_held && !seen.run.ended_by_itself() {
            continue;
        }
        builder.observe();
        if is_held || seen.run.left > 0 {
            let end = if is_held { ", which holds its output open" } else { "" };
            let message = format!("{} ends and leaves a process running{end}", seen.called());
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict("no run was made", None)
}
