//! A command that only reads writes files.

use crate::observe::probe::Purpose;
use crate::observe::run::{Fate, Place, Written};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder, stable};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "writes-on-read",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A command that only reads writes files.",
    fix: "Write nothing in a command that reads; keep caches in the cache directory.",
    page: include_str!("writes_on_read.md"),
    modes: &[23, 30],
    requirements: &["C-011", "F-068"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // What an argument made a shell write is a graver matter, and a flag that we only look for may be there
    // to write something.
    let meant = evidence.runs.iter().filter(|seen| {
        !seen.run.directory.is_empty()
            && !matches!(seen.run.probe.purpose, Purpose::ShellWords | Purpose::Existence)
    });
    for seen in meant {
        builder.observe();
        // A variable that we set may name a file to write: `PIP_LOG`.
        let is_asked_for = |written: &Written| {
            let mut values = seen.run.probe.setting.variables.values().flatten();
            values.any(|value| *value == written.path)
        };
        let mut wrote = seen.run.wrote.iter();
        let Some(written) = wrote.find(|it| is_of_note(it) && !is_asked_for(it)) else { continue };
        let (place, path) = (written.place.as_str(), &written.path);
        let does = match written.fate {
            Fate::Made => "writes",
            Fate::Changed => "changes",
            Fate::Removed => "removes",
        };
        let called = seen.called();
        let message = match written.place {
            Place::Host => {
                format!("{called} {does} {path}, outside its home and working directory")
            }
            _ => format!("{called} {does} {path} in {place}"),
        };
        builder.report_once(Finding::new(seen, message).because_of(directory(written)));
    }
    builder.verdict("no run was made", None)
}

/// The directory that a program keeps its files in: what it writes there the first time has one cause, in the home that
/// it was given and in the one that it finds without it.
fn directory(written: &Written) -> String {
    const DEPTH: usize = 2;
    let path = in_home(written).unwrap_or(&written.path);
    stable(&path.split('/').take(DEPTH).collect::<Vec<_>>().join("/"))
}

/// The part of a path of the host below the home of root or of another person.
fn in_home(written: &Written) -> Option<&str> {
    let path = written.path.trim_start_matches('/');
    let of_person = || path.strip_prefix("home/").and_then(|it| it.split_once('/'));
    let below = path.strip_prefix("root/").or_else(|| of_person().map(|(_, below)| below));
    below.filter(|_| written.place == Place::Host)
}

/// Temporary files have a rule of their own, and caches are where they belong.
fn is_of_note(written: &Written) -> bool {
    const CACHES: &[&str] = &[".cache", ".npm", "__pycache__"];
    let is_cache = written.path.split('/').any(|part| CACHES.contains(&part));
    let is_state = written.path.starts_with(".local/state/");
    let is_of_system = written.place == Place::Host && written.path.contains("var/cache/");
    written.place != Place::Temporary && !is_cache && !is_state && !is_of_system
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judge, ran};

    #[test]
    fn a_file_that_a_variable_of_ours_names_is_asked_for() {
        let verdict = |path: &str| {
            let mut run = ran(Purpose::Sample, "{}", 0);
            run.directory = "/run".to_owned();
            run.probe = run.probe.variable("NOTES_LOG", "trace");
            let (place, fate, path) = (Place::Working, Fate::Made, path.to_owned());
            run.wrote.push(Written { place, path, fate, head: Vec::new() });
            judge(&RULE, &[run]).as_str()
        };
        assert_eq!(verdict("trace"), "passed");
        assert_eq!(verdict("notes.log"), "failed");
    }

    #[test]
    fn what_is_written_in_any_home_has_one_cause() {
        let of = |place, path: &str| {
            let path = path.to_owned();
            directory(&Written { place, path, fate: Fate::Made, head: Vec::new() })
        };
        let usual = of(Place::Home, ".config/rclone/");
        assert_eq!(of(Place::Host, "/root/.config/rclone/rclone.conf"), usual);
        assert_eq!(of(Place::Host, "/home/ann/.config/rclone/"), usual);
        assert_ne!(of(Place::Host, "/etc/.config/rclone/"), usual);
        assert_ne!(of(Place::Working, "home/ann/.config/rclone/"), usual);
    }
}
