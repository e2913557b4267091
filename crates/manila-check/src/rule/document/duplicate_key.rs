//! An object of the document has a key twice.

use super::judge_facts;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use manila::json::FactKind;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-key",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "An object in the JSON document has the same key twice.",
    fix: "Write each key once; build the object before it is written.",
    page: include_str!("duplicate_key.md"),
    modes: &[2],
    requirements: &["F-004"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_facts(evidence, &[FactKind::DuplicateKey], |seen, key, _| {
        format!("{} writes the key {} twice", seen.called(), String::from_utf8_lossy(key))
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
    fn a_key_that_comes_twice_is_found() {
        assert_eq!(verdict("{\"a\":1,\"a\":2}"), "failed");
        assert_eq!(verdict("{\"x\":[{\"a\":1,\"a\":2}]}"), "failed");
        assert_eq!(verdict("{\"a\":1,\"b\":{\"a\":2}}"), "passed");
    }
}
