//! A string of the document has half of a surrogate pair.

use super::judge_facts;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "lone-surrogate",
    family: Family::Document,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "A string in the JSON document escapes half of a surrogate pair.",
    fix: "Cut strings between characters, and replace invalid characters.",
    page: include_str!("lone_surrogate.md"),
    modes: &[14],
    requirements: &["F-016"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_facts(evidence, &[FactKind::LoneSurrogate], |_, half, _| {
        format!("{} is half of a surrogate pair and no character", String::from_utf8_lossy(half))
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
    fn half_a_pair_is_found() {
        assert_eq!(verdict(r#"{"a":"\ud83d"}"#), "failed");
        assert_eq!(verdict(r#"{"a":"\ude00x"}"#), "failed");
        assert_eq!(verdict(r#"{"a":"\ud83d\ude00"}"#), "passed");
    }
}
