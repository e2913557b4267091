//! All failures end with the same number.

use super::{at_outcome, exited, settled};
use crate::observe::probe::Purpose;
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Confidence;
use manila::exit::Grain;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "one-status-for-all",
    family: Family::Status,
    severity: Severity::Warning,
    scope: Scope::PLAIN.relaxed(Profile::Json, Severity::Note),
    flaw: "All failures end with the same exit status although there are numbers for them.",
    fix: "End each class of failure with its own number.",
    page: include_str!("one_status_for_all.md"),
    modes: &[1],
    requirements: &["F-001"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let (usage, missing) = failures(evidence);
    if has_numbers(evidence) && !usage.is_empty() && !missing.is_empty() {
        builder.observe();
        if let (Some(status), Some(seen)) = (one_status(evidence), missing.first()) {
            let message =
                format!("wrong arguments and things that do not exist both end with {status}");
            let finding = Finding { command: Vec::new(), ..Finding::new(seen, message) };
            builder.report(at_outcome(finding, seen));
        }
    }
    builder.verdict(
        "fewer than two classes of failure that have numbers of their own were seen",
        Some("commands.\"…\".missing: a call that asks for something which does not exist"),
    )
}

/// The one number that all failures end with, if there are several classes of them, the program has
/// numbers for them, and that number is the one for anything.
pub(super) fn one_status(evidence: &Evidence<'_>) -> Option<i32> {
    const ANYTHING: i32 = 1;
    let (usage, missing) = failures(evidence);
    let statuses: BTreeSet<i32> =
        usage.iter().chain(&missing).filter_map(|seen| exited(seen)).collect();
    let is_one = !usage.is_empty() && !missing.is_empty() && statuses == BTreeSet::from([ANYTHING]);
    (is_one && has_numbers(evidence)).then_some(ANYTHING)
}

/// The runs that failed because of their arguments, and those that asked for what does not exist.
fn failures<'s, 'e>(
    evidence: &'s Evidence<'e>,
) -> (Vec<&'s ObservedRun<'e>>, Vec<&'s ObservedRun<'e>>) {
    let of = |is_meant: fn(Purpose) -> bool| {
        settled(evidence)
            .filter(|seen| is_meant(seen.run.probe.purpose))
            .filter(|seen| exited(seen).is_some_and(|status| status != 0))
            .collect()
    };
    (of(Purpose::must_fail), of(|purpose| purpose == Purpose::Missing))
}

/// Whether the program has numbers for classes of failures: it declares several, or its dialect does.
fn has_numbers(evidence: &Evidence<'_>) -> bool {
    let declared: BTreeSet<i32> = evidence
        .surface
        .commands
        .iter()
        .flat_map(|command| command.exit_codes.iter().flatten().copied())
        .filter(|status| (1..126).contains(status))
        .collect();
    declared.len() > 1
        || settled(evidence).any(|seen| {
            seen.reading.opened.as_ref().is_some_and(|opened| {
                opened.detection.confidence == Confidence::Certain
                    && opened.detection.dialect.table().exits.grain == Grain::Fine
            })
        })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge_with, ran, surface};

    fn verdict(declared: Option<Vec<i32>>, usage: i32, missing: i32) -> &'static str {
        let mut surface = surface();
        surface.commands[1].exit_codes = declared;
        let failure = r#"{"ok":false}"#;
        let runs =
            [ran(Purpose::UnknownFlag, failure, usage), ran(Purpose::Missing, failure, missing)];
        judge_with(&RULE, &surface, &runs).as_str()
    }

    #[test]
    fn one_for_all_is_found_where_there_are_more() {
        assert_eq!(verdict(Some(vec![0, 1, 3, 5]), 1, 1), "failed");
        assert_eq!(verdict(Some(vec![0, 1, 3, 5]), 3, 5), "passed");
        assert_eq!(verdict(Some(vec![0, 1]), 1, 1), "undecided");
        assert_eq!(verdict(None, 1, 1), "undecided");
    }
}
