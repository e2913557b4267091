//! A byte-order mark comes before the document.

use super::{circumstance, judge_each};
use crate::observe::defect::Defect;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "byte-order-mark",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "There is a byte-order mark before the JSON document.",
    fix: "Write UTF-8 without a byte-order mark.",
    page: include_str!("byte_order_mark.md"),
    modes: &[2],
    requirements: &["F-016"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, scan| {
        let (_, span) = scan.defects.iter().find(|(it, _)| matches!(it, Defect::ByteOrderMark))?;
        let message = "there is a byte-order mark before the document".to_owned()
            + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).at(seen, scan.stream, span.clone()))
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
    fn a_mark_is_found() {
        assert_eq!(verdict(&b"\xef\xbb\xbf{}\n"[..]), "failed");
        assert_eq!(verdict(&b"\xef\xbb\xbf{\"a\":1}"[..]), "failed");
        assert_eq!(verdict("{}\n"), "passed");
    }
}
