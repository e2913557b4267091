//! A call fails without a word.

use crate::evidence::{Evidence, Seen};
use crate::probe::{Form, Purpose};
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::verdict::{Finding, Judging, Verdict};
use manila::Status;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "silent-failure",
    family: Family::Streams,
    severity: Severity::Error,
    flaw: "A call fails and says nothing on either stream.",
    fix: "Say what went wrong, in the form that was asked for.",
    page: include_str!("silent_failure.md"),
    modes: &[18],
    requirements: &["F-006"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in evidence.runs.iter().filter(|seen| is_told(seen)) {
        let Status::Exited(status @ 1..) = seen.run.transcript.status else { continue };
        judging.look();
        let is_silent = seen.reading.stdout.is_empty && seen.reading.stderr.is_empty;
        if is_silent && found.insert(told_once(seen)) {
            let message = format!("{} ends with {status} and says nothing", seen.called());
            judging.find(Finding::new(seen, message));
        }
    }
    judging.verdict("no run failed", Some("commands.\"…\".missing: a call that cannot succeed"))
}

/// Whether a failure of this run must be told. Without JSON a status may be the whole answer of a call
/// that works, as with grep; with `--quiet` silence was asked for.
fn is_told(seen: &Seen<'_>) -> bool {
    let probe = &seen.run.probe;
    let is_answer = matches!(probe.purpose, Purpose::Sample | Purpose::Empty | Purpose::Recorded);
    seen.run.ended_by_itself()
        && !probe.setting.is_lossy()
        && probe.purpose != Purpose::Extra
        && (probe.form == Form::Json || !is_answer)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::{Form, Purpose};
    use crate::testing::{judge, ran};

    #[test]
    fn silence_is_found_where_words_are_due() {
        assert_eq!(judge(&RULE, &[ran(Purpose::Missing, "", 1)]).word(), "violated");
        assert_eq!(judge(&RULE, &[ran(Purpose::Missing, "no such note", 1)]).word(), "holds");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "", 0)]).word(), "undecided");
    }

    #[test]
    fn without_json_a_status_may_be_the_answer() {
        let mut run = ran(Purpose::Sample, "", 1);
        run.probe.form = Form::Text;
        assert_eq!(judge(&RULE, &[run]).word(), "undecided");
    }
}
