//! A number of the document does not survive the usual parsers.

use super::judge_facts;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "lossy-number",
    family: Family::Document,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "A number in the JSON document is changed by the usual parsers.",
    fix: "Write integers beyond 2^53 as strings.",
    page: include_str!("lossy_number.md"),
    modes: &[2],
    requirements: &["F-005"],
    plan: no_probes,
    judge,
};

const KINDS: &[FactKind] =
    &[FactKind::IntegerBeyond53Bits, FactKind::IntegerBeyond64Bits, FactKind::NumberOutOfRange];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_facts(evidence, KINDS, |_, number, kind| {
        let number = String::from_utf8_lossy(number);
        let short: String = number.chars().take(40).collect();
        let why = match kind {
            FactKind::IntegerBeyond53Bits => "is beyond 2^53, where doubles lose digits",
            FactKind::IntegerBeyond64Bits => "fits neither a signed nor an unsigned 64-bit integer",
            _ => "is out of a double's range",
        };
        format!("the number {short} {why}")
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
    fn numbers_that_change_are_found() {
        assert_eq!(verdict("{\"a\":9007199254740993}"), "failed");
        assert_eq!(verdict("[123456789012345678901234567890]"), "failed");
        assert_eq!(verdict("[1e999]"), "failed");
        assert_eq!(verdict("{\"a\":9007199254740991,\"b\":1e300}"), "passed");
        assert_eq!(verdict("{\"a\":\"9007199254740993\"}"), "passed");
    }
}
