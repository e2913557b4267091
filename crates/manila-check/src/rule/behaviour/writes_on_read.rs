//! A command that only reads writes files.

use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::run::{Fate, Place, Written};
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "writes-on-read",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "A command that only reads writes files.",
    fix: "Write nothing in a command that reads; keep caches in the folder for caches.",
    page: include_str!("writes_on_read.md"),
    modes: &[23, 30],
    requirements: &["C-011", "F-068"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    // What an argument made a shell write is a graver matter, and a flag that we only look for may be there
    // to write something.
    let meant = evidence.runs.iter().filter(|seen| {
        !seen.run.folder.is_empty()
            && !matches!(seen.run.probe.purpose, Purpose::ShellWords | Purpose::Existence)
    });
    for seen in meant {
        judging.look();
        let Some(written) = seen.run.wrote.iter().find(|it| is_of_note(it)) else { continue };
        let (place, path) = (written.place.word(), &written.path);
        let does = match written.fate {
            Fate::Made => "writes",
            Fate::Changed => "changes",
            Fate::Removed => "removes",
        };
        let called = seen.called();
        let message = match written.place {
            Place::Host => format!("{called} {does} {path}, outside its home and working folder"),
            _ => format!("{called} {does} {path} in {place}"),
        };
        judging.find_once(Finding::new(seen, message));
    }
    judging.verdict("no run was made", None)
}

/// Temporary files have a rule of their own, and caches are where they belong.
fn is_of_note(written: &Written) -> bool {
    let is_cache = written.path.split('/').any(|part| matches!(part, ".cache" | "__pycache__"));
    written.place != Place::Temporary && !is_cache
}
