//! A progress bar or a spinner beside the document on stdout.

use super::{circumstance, judge_stdout, plan_stdouts};
use crate::observe::text_kind::TextKind;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "progress-on-stdout",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "Progress is shown on stdout, where the JSON document is.",
    fix: "Show progress on stderr, and only on a terminal.",
    page: include_str!("progress_on_stdout.md"),
    modes: &[3, 8],
    requirements: &["F-006", "F-038"],
    plan: plan_stdouts,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_stdout(evidence, |seen, scan| {
        let span = scan.text(TextKind::Progress)?;
        let message = "progress is shown on stdout, where the document is".to_owned()
            + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).on_pipe(seen).at(seen, Stream::Stdout, span.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: impl Into<Vec<u8>>) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str()
    }

    #[test]
    fn bars_spinners_and_rewritten_lines_are_progress() {
        assert_eq!(verdict("Working... 100%\n{}"), "failed");
        assert_eq!(verdict("Loading\r{}\n"), "failed");
        assert_eq!(verdict("⠋ Fetching\n{}"), "failed");
        assert_eq!(verdict("{}\n"), "passed");
        assert_eq!(verdict("Hi\n{}\n"), "passed");
    }
}
