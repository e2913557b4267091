//! A progress bar or a spinner stands beside the document on standard output.

use super::{circumstance, judge_stdout, plan_outlets};
use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity};
use crate::talk::Talk;
use crate::verdict::{Finding, Verdict};
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "progress-on-stdout",
    family: Family::Document,
    severity: Severity::Error,
    flaw: "Progress is shown on standard output, where the JSON document is.",
    fix: "Show progress on standard error, and only on a terminal.",
    page: include_str!("progress_on_stdout.md"),
    modes: &[3, 8],
    requirements: &["F-006", "F-038"],
    plan: plan_outlets,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_stdout(evidence, |seen, look| {
        let span = look.text(Talk::Progress)?;
        let message = "progress is shown on standard output, where the document is".to_owned()
            + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).at(seen, Stream::Stdout, span.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: impl Into<Vec<u8>>) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word()
    }

    #[test]
    fn bars_spinners_and_rewritten_lines_are_progress() {
        assert_eq!(verdict("Working... 100%\n{}"), "violated");
        assert_eq!(verdict("Loading\r{}\n"), "violated");
        assert_eq!(verdict("⠋ Fetching\n{}"), "violated");
        assert_eq!(verdict("{}\n"), "holds");
        assert_eq!(verdict("Hi\n{}\n"), "holds");
    }
}
