//! The number in the document is not the one that the process ends with.

use super::{exited, fails_with_zero, settled, succeeds_with_nonzero};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::json::{Limits, Reader};
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) static RULE: Rule = Rule {
    id: "exit-code-differs-from-document",
    family: Family::Status,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The exit status in the document is not the one that the process ends with.",
    fix: "Write the number into the document that the process will end with.",
    page: include_str!("exit_code_differs_from_document.md"),
    modes: &[1, 56],
    requirements: &["F-001"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in settled(evidence) {
        let Some(((says, span), status)) = stated(seen).zip(exited(seen)) else { continue };
        builder.observe();
        // A failure with 0 and a success without it are reported by other rules.
        if says == i64::from(status)
            || fails_with_zero(seen).is_some()
            || succeeds_with_nonzero(seen)
            || !found.insert(dedup_key(seen))
        {
            continue;
        }
        let Some(answer) = &seen.reading.answer else { continue };
        let message = format!("{} says {says} and ends with {status}", seen.called());
        builder.report(Finding::new(seen, message).at(seen, answer.stream, span));
    }
    builder.verdict("no answer names its exit status", None)
}

/// The number that the answer names. In one dialect its name is `status`, beside `result` or `name`.
fn stated(seen: &ObservedRun<'_>) -> Option<(i64, Range<usize>)> {
    let answer = seen.reading.answer.as_ref()?;
    if answer.exit_code.is_some() {
        return answer.exit_code.clone();
    }
    let has = |key: &str| answer.keys.iter().any(|it| it == key);
    if !has("status") || !(has("result") || (has("name") && has("message"))) {
        return None;
    }
    let mut reader = Reader::new(Limits::default());
    let bytes = seen.run.transcript.stream(answer.stream);
    let status = reader.read_at(bytes, answer.span.start).ok()?.get("status")?;
    status.integer().map(|number| (number, status.span()))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn both_numbers_must_be_one() {
        let verdict =
            |stdout, status| judge(&RULE, &[ran(Purpose::Missing, stdout, status)]).as_str();
        assert_eq!(verdict(r#"{"ok":false,"error":{"exit_code":5}}"#, 1), "failed");
        assert_eq!(verdict(r#"{"ok":false,"exit_code":5}"#, 5), "passed");
        assert_eq!(verdict(r#"{"status":2,"name":"E","message":"m"}"#, 1), "failed");
        assert_eq!(verdict(r#"{"status":404,"title":"x"}"#, 1), "undecided");
        assert_eq!(verdict(r#"{"ok":false}"#, 1), "undecided");
    }
}
