//! A string of the document carries colour.

use super::judge_facts;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "escape-in-string",
    family: Family::Document,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "A string in the JSON document carries a terminal escape.",
    fix: "Remove colour from values before they are written as JSON.",
    page: include_str!("escape_in_string.md"),
    modes: &[8],
    requirements: &["F-007"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_facts(evidence, &[FactKind::EscapeInString], |seen, _, _| {
        format!("{} writes a terminal escape into a string of its document", seen.called())
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
    fn an_escaped_escape_is_found() {
        assert_eq!(verdict(r#"{"a":"\u001b[31mred"}"#), "failed");
        assert_eq!(verdict(r#"{"a":"red"}"#), "passed");
    }
}
