//! A string of the document has half of a surrogate pair.

use super::judge_facts;
use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::Verdict;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "lone-surrogate",
    family: Family::Document,
    severity: Severity::Warning,
    flaw: "A string in the JSON document escapes half of a surrogate pair.",
    fix: "Cut strings between characters, and replace what is no character.",
    page: include_str!("lone_surrogate.md"),
    modes: &[14],
    requirements: &["F-016"],
    plan: nothing_more,
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
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: impl Into<Vec<u8>>) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word()
    }

    #[test]
    fn half_a_pair_is_found() {
        assert_eq!(verdict(r#"{"a":"\ud83d"}"#), "violated");
        assert_eq!(verdict(r#"{"a":"\ude00x"}"#), "violated");
        assert_eq!(verdict(r#"{"a":"\ud83d\ude00"}"#), "holds");
    }
}
