//! Processes are left running.

use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::run::Ended;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "leaves-children",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "Processes are left running.",
    fix: "Wait for what you start, and end it when you end.",
    page: include_str!("leaves_children.md"),
    modes: &[17],
    requirements: &["F-030", "F-031"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    // One that was ended by us did not leave its children by itself.
    for seen in evidence.runs.iter().filter(|seen| !seen.run.folder.is_empty()) {
        let is_held = seen.run.ended == Ended::HeldOpen;
        if !is_held && !seen.run.ended_by_itself() {
            continue;
        }
        judging.look();
        if is_held || seen.run.left > 0 {
            let end = if is_held { ", which holds its output open" } else { "" };
            let message = format!("{} ends and leaves a process running{end}", seen.called());
            judging.find_once(Finding::new(seen, message));
        }
    }
    judging.verdict("no run was made", None)
}
