//! Of the lines of JSON some are not JSON.

use super::invalid_json::cause;
use super::{circumstance, judge_each};
use crate::observe::defect::Defect;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "broken-line",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "Some lines of a stream of JSON lines are not JSON.",
    fix: "Let a JSON library write every line, and end each with one newline.",
    page: include_str!("broken_line.md"),
    modes: &[2, 76],
    requirements: &["F-003"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, scan| {
        let flaw = scan.defects.iter().find_map(|(defect, _)| match defect {
            Defect::BrokenLine(flaw) => Some(*flaw),
            _ => None,
        })?;
        let stdout = seen.run.transcript.stream(scan.stream);
        let line = stdout[..flaw.offset].split(|byte| *byte == b'\n').count();
        let cause = cause(stdout, flaw);
        let message = format!("line {line} is not JSON: {cause}, at byte {}", flaw.offset)
            + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).at(seen, scan.stream, flaw.offset..flaw.offset + 1))
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
    fn one_line_among_others_is_found() {
        assert_eq!(verdict("{\"a\":1}\n{\"a\":2,}\n{\"a\":3}\n"), "failed");
        assert_eq!(verdict("{\"a\":1}\n{\"a\":2}}\n{\"a\":3}\n"), "failed");
        assert_eq!(verdict("{\"a\":1}\n{\"a\":2}\n"), "passed");
        assert_eq!(verdict("{\"a\":2,}\n"), "passed");
    }
}
