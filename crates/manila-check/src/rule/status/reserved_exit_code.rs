//! A program ends with a number that shells and systems use for something else.

use super::{at_outcome, exited, is_reserved, settled};
use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::verdict::{Finding, Judging, Verdict};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "reserved-exit-code",
    family: Family::Status,
    severity: Severity::Warning,
    flaw: "A call ends with an exit status that shells use for something else.",
    fix: "End with a number from 1 to 125.",
    page: include_str!("reserved_exit_code.md"),
    modes: &[1],
    requirements: &["F-001"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in settled(evidence) {
        let Some(status) = exited(seen) else { continue };
        judging.look();
        if !is_reserved(status) || !found.insert((told_once(seen), status)) {
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
        judging.find(at_outcome(Finding::new(seen, message), seen));
    }
    judging.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::{Disturbance, Purpose};
    use crate::testing::{judge, ran};

    #[test]
    fn numbers_of_shells_are_found() {
        let verdict = |status| judge(&RULE, &[ran(Purpose::Missing, "", status)]).word();
        for status in [101, 126, 127, 128, 139, 255] {
            assert_eq!(verdict(status), "violated");
        }
        for status in [0, 1, 2, 64, 78, 113, 125] {
            assert_eq!(verdict(status), "holds");
        }
    }

    #[test]
    fn after_a_signal_they_are_right() {
        let mut run = ran(Purpose::Slow, "", 130);
        run.probe.setting.disturbance = Some(Disturbance::Interrupt);
        assert_eq!(judge(&RULE, &[run]).word(), "undecided");
    }
}
