//! The document is not UTF-8.

use super::{circumstance, judge_each};
use crate::observe::defect::Defect;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-utf8",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The JSON document is not UTF-8.",
    fix: "Write UTF-8, and replace what is not text.",
    page: include_str!("invalid_utf8.md"),
    modes: &[14],
    requirements: &["F-016"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, scan| {
        // What becomes of a broken argument is about arguments.
        if seen.run.probe.purpose == Purpose::OddBytes {
            return None;
        }
        let is_meant = |defect: &Defect| matches!(defect, Defect::NotUtf8(_));
        let (_, span) = scan.defects.iter().find(|(it, _)| is_meant(it))?;
        let message = format!("the document is not UTF-8 at byte {}", span.start)
            + &circumstance(&seen.run.probe.setting);
        let span = span.start..span.start + 1;
        Some(Finding::new(seen, message).at(seen, scan.stream, span))
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
    fn latin_1_is_found() {
        assert_eq!(verdict(&b"{\"a\":\"\xe9\"}"[..]), "failed");
        assert_eq!(verdict("{\"a\":\"é\"}"), "passed");
    }
}
