//! The document stops before its end.

use super::{circumstance, judge_each, plan_stdouts};
use crate::observe::defect::Defect;
use crate::observe::probe::{Probe, Stdout};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;
use manila::{Status, Stream};

pub(crate) static RULE: Rule = Rule {
    id: "truncated-document",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The JSON document stops before its end.",
    fix: "Wait until everything is written before the process ends.",
    page: include_str!("truncated_document.md"),
    modes: &[2, 60],
    requirements: &["F-003", "F-049"],
    plan: plan_stdouts,
    judge,
};

/// What a pipe holds on Linux: a program that ends without waiting for its reader has written that much.
const PIPE: usize = 65_536;

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, scan| {
        // What a killed process leaves behind is about its death.
        if matches!(seen.run.transcript.status, Status::Signaled(_)) {
            return None;
        }
        let (_, span) = scan.defects.iter().find(|(it, _)| *it == Defect::Cut)?;
        let length = seen.run.transcript.stream(scan.stream).len();
        let whole = if is_whole_in_a_file(evidence, seen, scan.stream) {
            "; in a file it is whole, so the process ends before the pipe has taken everything"
        } else if length > 0 && length % PIPE == 0 {
            "; that is as much as a pipe holds, so the process ends before all is written"
        } else {
            ""
        };
        let circumstance = circumstance(&seen.run.probe.setting);
        let message = format!("the document stops after {length} bytes{circumstance}{whole}");
        let last = span.start.min(length);
        let place = last.saturating_sub(1)..last;
        Some(Finding::new(seen, message).at(seen, scan.stream, place))
    })
}

fn is_whole_in_a_file(evidence: &Evidence<'_>, seen: &ObservedRun<'_>, stream: Stream) -> bool {
    let is_here = seen.run.probe.setting.stdout == Stdout::File;
    let mut setting = seen.run.probe.setting.clone();
    setting.stdout = Stdout::File;
    let other = evidence.run_of(&Probe { setting, ..seen.run.probe.clone() });
    !is_here && other.is_some_and(|it| it.reading.on(stream).is_one_document())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Purpose, Stdout};
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    fn message(runs: &[crate::observe::run::Run]) -> String {
        match judge(&RULE, runs) {
            Verdict::Failed(findings) => findings[0].message.clone(),
            other => other.as_str().to_owned(),
        }
    }

    #[test]
    fn a_cut_document_is_found_and_a_whole_one_holds() {
        assert_eq!(
            message(&[ran(Purpose::Sample, "{\"a\":[1,2", 0)]),
            "the document stops after 9 bytes"
        );
        assert_eq!(
            message(&[ran(Purpose::Sample, "{\"a\":\"x", 0)]),
            "the document stops after 7 bytes"
        );
        assert_eq!(message(&[ran(Purpose::Sample, "{\"a\":[1,2]}", 0)]), "passed");
    }

    #[test]
    fn the_cause_is_named_where_it_shows() {
        let cut = ran(Purpose::Sample, "{\"a\":[1,2", 0);
        let mut whole = ran(Purpose::Sample, "{\"a\":[1,2]}", 0);
        whole.probe.setting.stdout = Stdout::File;
        assert!(message(&[cut, whole]).contains("in a file it is whole"));
        let pipe = format!("[\"{}", "x".repeat(65_534));
        assert!(message(&[ran(Purpose::Sample, pipe, 0)]).contains("as much as a pipe holds"));
    }
}
