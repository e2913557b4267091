//! A success ends with another exit status than 0.

use super::{at_outcome, settled, succeeds_with_nonzero};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "success-with-nonzero-exit",
    family: Family::Status,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A call that succeeded ends with another exit status than 0.",
    fix: "End with 0 exactly when the answer says that it worked.",
    page: include_str!("success_with_nonzero_exit.md"),
    modes: &[1, 56],
    requirements: &["F-001"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in settled(evidence).filter(|seen| seen.reading.says_failure() == Some(false)) {
        builder.observe();
        if succeeds_with_nonzero(seen) && found.insert(dedup_key(seen)) {
            let status = seen.run.transcript.status;
            let message = format!("{} says that it worked and ends with {status}", seen.called());
            builder.report(at_outcome(Finding::new(seen, message), seen));
        }
    }
    builder.verdict(
        "no answer says whether it worked",
        Some("program.json: the words that ask for JSON"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_success_must_end_with_zero() {
        let verdict =
            |stdout, status| judge(&RULE, &[ran(Purpose::Sample, stdout, status)]).as_str();
        assert_eq!(verdict(r#"{"ok":true}"#, 1), "failed");
        assert_eq!(verdict(r#"{"ok":true}"#, 0), "passed");
        assert_eq!(verdict(r#"{"ok":false}"#, 1), "undecided");
        assert_eq!(verdict("[1]", 1), "undecided");
    }
}
