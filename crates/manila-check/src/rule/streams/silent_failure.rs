//! A call fails without any output.

use crate::observe::probe::{Form, Purpose};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Status;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "silent-failure",
    family: Family::Streams,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A call fails and says nothing on either stream.",
    fix: "Say what went wrong, in the format that was asked for.",
    page: include_str!("silent_failure.md"),
    modes: &[18],
    requirements: &["F-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in evidence.usual().filter(|seen| is_reported(evidence, seen)) {
        let Status::Exited(status @ 1..) = seen.run.transcript.status else { continue };
        builder.observe();
        let is_silent = seen.reading.stdout.is_empty && seen.reading.stderr.is_empty;
        if is_silent && found.insert(dedup_key(seen)) {
            let message = format!("{} ends with {status} and says nothing", seen.called());
            builder.report(Finding::new(seen, message));
        }
    }
    builder.verdict("no run failed", Some("commands.\"…\".missing: a call that cannot succeed"))
}

/// Whether a failure of this run must be reported. Without JSON a status may be the whole answer of
/// a call that works, as with grep; with `--quiet` silence was asked for.
fn is_reported(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    let probe = &seen.run.probe;
    let is_json = probe.form == Form::Json && evidence.surface.json.is_known();
    let is_refused = probe.purpose.must_fail() || probe.purpose == Purpose::Missing;
    seen.run.ended_by_itself()
        && !probe.setting.is_lossy()
        && probe.purpose != Purpose::Extra
        && (is_json || is_refused || probe.purpose.must_succeed())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Form, Purpose};
    use crate::testing::{judge, ran};

    #[test]
    fn silence_is_found_where_words_are_due() {
        assert_eq!(judge(&RULE, &[ran(Purpose::Missing, "", 1)]).as_str(), "failed");
        assert_eq!(judge(&RULE, &[ran(Purpose::Missing, "no such note", 1)]).as_str(), "passed");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "", 0)]).as_str(), "undecided");
    }

    #[test]
    fn without_json_a_status_may_be_the_answer() {
        let mut run = ran(Purpose::Sample, "", 1);
        run.probe.form = Form::Text;
        assert_eq!(judge(&RULE, &[run]).as_str(), "undecided");
    }
}
