//! A call succeeds and its answer is nothing at all.

use super::last_answer;
use crate::evidence::Evidence;
use crate::probe::{Outlet, Purpose};
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::verdict::{Finding, Judging, Verdict};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "empty-success",
    family: Family::Streams,
    severity: Severity::Error,
    flaw: "A call ends with exit status 0 and writes no document although JSON was asked for.",
    fix: "Always write a document, and fail if it cannot be written.",
    page: include_str!("empty_success.md"),
    modes: &[40],
    requirements: &["F-049"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in evidence.json() {
        let probe = &seen.run.probe;
        let is_meant = matches!(
            probe.purpose,
            Purpose::Sample | Purpose::Empty | Purpose::Missing | Purpose::Recorded
        );
        let is_stream = seen.command.is_some_and(|command| command.streams);
        // What arrives through a pipe and nowhere else differs by the outlet.
        if !is_meant || is_stream || probe.setting.outlet != Outlet::Pipe || !seen.exited_zero() {
            continue;
        }
        judging.look();
        // An answer on the other stream, or words there, are other flaws.
        let has_answer =
            last_answer(&seen.run.transcript.stderr, &seen.reading.stderr.documents).is_some();
        let is_silent = seen.reading.stdout.is_empty && !has_answer;
        let tells_error = crate::talk::error(&seen.run.transcript.stderr).is_some();
        if is_silent && !tells_error && found.insert(told_once(seen)) {
            let message = format!("{} ends with 0 and writes no document", seen.called());
            judging.find(Finding::new(seen, message));
        }
    }
    judging.verdict(
        "no call for JSON succeeded",
        Some("commands.\"…\".effects = \"none\", and args if it needs any"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn nothing_is_no_document() {
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "", 0)]).word(), "violated");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "\n", 0)]).word(), "violated");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "[]", 0)]).word(), "holds");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "", 1)]).word(), "undecided");
    }
}
