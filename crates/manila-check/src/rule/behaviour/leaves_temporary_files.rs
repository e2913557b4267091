//! Temporary files are left behind.

use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::run::{Fate, Place};
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "leaves-temporary-files",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "Temporary files are left behind.",
    fix: "Remove temporary files on every way out, or let the system do it.",
    page: include_str!("leaves_temporary_files.md"),
    modes: &[30],
    requirements: &["F-032", "F-043"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    // One that was killed had no chance to tidy up.
    let meant = evidence.runs.iter().filter(|seen| {
        !seen.run.folder.is_empty()
            && seen.run.ended_by_itself()
            && seen.run.probe.purpose != Purpose::ShellWords
    });
    for seen in meant {
        judging.look();
        let left =
            seen.run.wrote.iter().find(|it| it.place == Place::Temporary && it.fate == Fate::Made);
        if let Some(left) = left {
            let message = format!("{} leaves the temporary file {}", seen.called(), left.path);
            judging.find_once(Finding::new(seen, message));
        }
    }
    judging.verdict("no run was made", None)
}
