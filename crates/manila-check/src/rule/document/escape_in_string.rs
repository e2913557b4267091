//! A string of the document carries colour.

use super::judge_facts;
use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::Verdict;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "escape-in-string",
    family: Family::Document,
    severity: Severity::Warning,
    flaw: "A string in the JSON document carries a terminal escape.",
    fix: "Take colour out of values before they are written as JSON.",
    page: include_str!("escape_in_string.md"),
    modes: &[8],
    requirements: &["F-007"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_facts(evidence, &[FactKind::EscapeSequence], |seen, _, _| {
        format!("{} writes a terminal escape into a string of its document", seen.called())
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
    fn an_escaped_escape_is_found() {
        assert_eq!(verdict(r#"{"a":"\u001b[31mred"}"#), "violated");
        assert_eq!(verdict(r#"{"a":"red"}"#), "holds");
    }
}
