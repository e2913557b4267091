//! A failure ends with exit status 0.

use super::{DECLARE_MISSING, NO_FAILURE, fails_with_zero, settled};
use crate::observe::probe::{Form, Purpose};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "failure-with-exit-zero",
    family: Family::Status,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A call that failed ends with exit status 0.",
    fix: "End every failure with a status other than 0.",
    page: include_str!("failure_with_exit_zero.md"),
    modes: &[1, 56],
    requirements: &["F-001"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in settled(evidence) {
        let probe = &seen.run.probe;
        if seen.reading.says_failure().is_some() || probe.purpose.must_fail() {
            builder.observe();
        }
        // What claims nothing and should have failed is about its arguments, which have other rules.
        let Some((stream, span)) = fails_with_zero(seen) else { continue };
        if !found.insert((dedup_key(seen), probe.purpose)) {
            continue;
        }
        let message = match probe.purpose {
            Purpose::Recorded => {
                "the answer says that it failed, and the exit status is 0".to_owned()
            }
            _ => format!(
                "{} says that it failed and ends with exit status 0{}",
                seen.called(),
                otherwise(evidence, seen)
            ),
        };
        builder.report(Finding::new(seen, message).at(seen, stream, span));
    }
    builder.verdict(NO_FAILURE, DECLARE_MISSING)
}

/// How the same call ends without JSON, if that is otherwise.
fn otherwise(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> String {
    let probe = &seen.run.probe;
    let text = evidence.of(probe.purpose, Form::Text).find(|other| {
        probe.form == Form::Json
            && other.run.probe.command == probe.command
            && other.run.probe.is_plain()
    });
    match text.and_then(ObservedRun::status) {
        Some(status @ 1..) => format!("; without JSON it ends with {status}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Form, Purpose};
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    #[test]
    fn a_failure_must_not_end_with_zero() {
        let verdict =
            |stdout, status| judge(&RULE, &[ran(Purpose::Missing, stdout, status)]).as_str();
        assert_eq!(verdict(r#"{"ok":false}"#, 0), "failed");
        assert_eq!(verdict(r#"{"error":{"message":"m"}}"#, 0), "failed");
        assert_eq!(verdict(r#"{"ok":false}"#, 1), "passed");
        assert_eq!(verdict(r#"{"ok":true,"error":null}"#, 0), "passed");
        assert_eq!(verdict(r#"{"items":[]}"#, 0), "undecided");
    }

    #[test]
    fn words_count_where_there_is_no_answer_and_it_cannot_have_worked() {
        let mut run = ran(Purpose::Missing, "", 0);
        run.transcript.stderr = b"error: no such note\n".to_vec();
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).as_str(), "failed");
        run.probe.purpose = Purpose::Sample;
        assert_eq!(judge(&RULE, &[run]).as_str(), "undecided");
    }

    #[test]
    fn the_finding_says_that_text_ends_otherwise() {
        let json = ran(Purpose::Missing, r#"{"ok":false}"#, 0);
        let mut text = ran(Purpose::Missing, "", 1);
        text.probe.form = Form::Text;
        let Verdict::Failed(findings) = judge(&RULE, &[json, text]) else {
            panic!("nothing is found");
        };
        assert!(findings[0].message.ends_with("without JSON it ends with 1"));
    }
}
