//! A byte-order mark stands before the document.

use super::{circumstance, judge_each};
use crate::blemish::Blemish;
use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Finding, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "byte-order-mark",
    family: Family::Document,
    severity: Severity::Error,
    flaw: "A byte-order mark stands before the JSON document.",
    fix: "Write UTF-8 without a byte-order mark.",
    page: include_str!("byte_order_mark.md"),
    modes: &[2],
    requirements: &["F-016"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, look| {
        let (_, span) =
            look.blemishes.iter().find(|(it, _)| matches!(it, Blemish::ByteOrderMark))?;
        let message = "a byte-order mark stands before the document".to_owned()
            + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).at(seen, look.stream, span.clone()))
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
    fn a_mark_is_found() {
        assert_eq!(verdict(&b"\xef\xbb\xbf{}\n"[..]), "violated");
        assert_eq!(verdict(&b"\xef\xbb\xbf{\"a\":1}"[..]), "violated");
        assert_eq!(verdict("{}\n"), "holds");
    }
}
