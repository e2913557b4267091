//! A program ends with a number that shells and systems use for something else.

use super::{at_outcome, exited, is_reserved, settled};
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "reserved-exit-code",
    family: Family::Status,
    severity: Severity::Warning,
    scope: Scope::PLAIN.relaxed(Profile::Json, Severity::Note),
    flaw: "A call ends with an exit status that shells use for something else.",
    fix: "End with a number from 1 to 125.",
    page: include_str!("reserved_exit_code.md"),
    modes: &[1],
    requirements: &["F-001"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in settled(evidence) {
        let Some(status) = exited(seen) else { continue };
        builder.observe();
        if !is_reserved(status) || !found.insert((dedup_key(seen), status)) {
            continue;
        }
        let means = match status {
            101 => "a panic of a Rust program".to_owned(),
            126 => "a program that cannot be started".to_owned(),
            127 => "a program that was not found".to_owned(),
            255 => "a number below zero, or a failed ssh".to_owned(),
            128 => "no signal at all".to_owned(),
            _ => format!("death by signal {}", status - 128),
        };
        let message = format!("{} ends with {status}, which means {means}", seen.called());
        let finding = Finding::new(seen, message).because_of(status.to_string());
        builder.report(at_outcome(finding, seen));
    }
    builder.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Purpose, Signal};
    use crate::testing::{judge, ran};

    #[test]
    fn numbers_of_shells_are_found() {
        let verdict = |status| judge(&RULE, &[ran(Purpose::Missing, "", status)]).as_str();
        for status in [101, 126, 127, 128, 139, 255] {
            assert_eq!(verdict(status), "failed");
        }
        for status in [0, 1, 2, 64, 78, 113, 125] {
            assert_eq!(verdict(status), "passed");
        }
    }

    #[test]
    fn after_a_signal_they_are_right() {
        let mut run = ran(Purpose::Slow, "", 130);
        run.probe.setting.signal = Some(Signal::Interrupt);
        assert_eq!(judge(&RULE, &[run]).as_str(), "undecided");
    }
}
