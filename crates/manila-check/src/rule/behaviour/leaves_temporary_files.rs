//! Temporary files are left behind.

use crate::observe::probe::Purpose;
use crate::observe::run::{Fate, Place, Written};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "leaves-temporary-files",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "Temporary files are left behind.",
    fix: "Remove temporary files on every exit path, or let the system do it.",
    page: include_str!("leaves_temporary_files.md"),
    modes: &[30],
    requirements: &["F-032", "F-043"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // One that was killed had no chance to tidy up.
    let meant = evidence.usual().filter(|seen| {
        !seen.run.directory.is_empty()
            && seen.run.ended_by_itself()
            && seen.run.probe.purpose != Purpose::ShellWords
    });
    for seen in meant {
        builder.observe();
        let left = seen.run.wrote.iter().find(|it| it.place == Place::Temporary && is_left(it));
        if let Some(left) = left {
            let message = format!("{} leaves the temporary file {}", seen.called(), left.path);
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict("no run was made", None)
}

/// Whether a file was meant to go away. A cache stays, wherever it is kept.
fn is_left(written: &Written) -> bool {
    let is_cache = written.path.split('/').any(|part| part.to_ascii_lowercase().contains("cache"));
    written.fate == Fate::Made && !is_cache
}
