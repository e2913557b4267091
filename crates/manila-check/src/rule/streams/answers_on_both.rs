//! Both streams carry an answer.

use super::last_answer;
use crate::observe::text_kind;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) static RULE: Rule = Rule {
    id: "answers-on-both",
    family: Family::Streams,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "Both streams carry an answer, and they repeat or contradict one another.",
    fix: "Answer once, on one stream.",
    page: include_str!("answers_on_both.md"),
    modes: &[3],
    requirements: &["F-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in evidence.json().filter(|seen| !seen.reading.stdout.documents.is_empty()) {
        builder.observe();
        let is_stream = seen.command.is_some_and(|command| command.streams);
        let Some((what, span)) = second(seen).filter(|_| !is_stream) else { continue };
        if found.insert(dedup_key(seen)) {
            let message = format!("{}: stderr {what}", seen.called());
            builder.report(Finding::new(seen, message).at(seen, Stream::Stderr, span));
        }
    }
    builder.verdict("no run wrote a JSON document", None)
}

/// What stderr says to the same question, in words and with its bytes.
fn second(seen: &ObservedRun<'_>) -> Option<(&'static str, Range<usize>)> {
    let (stdout, stderr) = (&seen.run.transcript.stdout, &seen.run.transcript.stderr);
    let (first, says) = last_answer(stdout, &seen.reading.stdout.documents)?;
    let has_failed = seen.status().is_some_and(|status| status != 0);
    if let Some((other, also)) = last_answer(stderr, &seen.reading.stderr.documents) {
        let is_same = stdout[first.clone()] == stderr[other.clone()];
        let (one, two) = (says.says_failure(), also.says_failure());
        return match (one, two) {
            _ if is_same => Some(("repeats the answer", other)),
            (Some(one), Some(two)) if one != two => Some(("contradicts the answer", other)),
            (Some(_), Some(_)) => Some(("carries an answer as well", other)),
            (None, Some(true)) if has_failed => {
                Some(("says that it failed, the answer not", other))
            }
            _ => None,
        };
    }
    // An empty answer is not the result of a call that failed.
    let is_nothing = matches!(&stdout[first], b"[]" | b"{}" | b"null" | b"\"\"");
    let error = text_kind::error(stderr)?;
    if has_failed {
        return is_nothing
            .then_some(("reports an error, and the answer is an empty result", error));
    }
    // An error in an odd environment that was overcome may be reported there.
    let has_worked = seen.exited_zero() && says.says_failure() != Some(true);
    (has_worked && seen.run.probe.is_plain())
        .then_some(("reports an error, and the answer says that it worked", error))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: &str, stderr: &str, status: i32) -> &'static str {
        let mut run = ran(Purpose::Sample, stdout, status);
        run.transcript.stderr = stderr.into();
        judge(&RULE, &[run]).as_str()
    }

    #[test]
    fn a_second_answer_is_found() {
        assert_eq!(verdict("[]\n", "Error: no such image: x\n", 1), "failed");
        assert_eq!(verdict("{\"ok\":true}\n", "{\"ok\":false}\n", 1), "failed");
        assert_eq!(verdict("{\"a\":1}\n", "{\"a\":1}\n", 0), "failed");
        assert_eq!(verdict("[1]\n", "{\"error\":{\"message\":\"m\"}}\n", 1), "failed");
    }

    #[test]
    fn an_error_beside_a_success_is_found() {
        let note = "error: API rate limit exceeded\n";
        assert_eq!(verdict("{\"ok\":true,\"data\":null}\n", note, 0), "failed");
        assert_eq!(verdict("{\"ok\":false}\n", note, 0), "passed");
        assert_eq!(verdict("{\"ok\":true}\n", "warning: the cache is cold\n", 0), "passed");
    }

    #[test]
    fn talk_and_logs_beside_an_answer_are_fine() {
        assert_eq!(verdict("[]\n", "", 0), "passed");
        assert_eq!(verdict("[1]\n", "error: 3 files could not be read\n", 1), "passed");
        assert_eq!(
            verdict("{\"ok\":true}\n", "{\"level\":\"error\",\"msg\":\"x\"}\n", 0),
            "passed"
        );
    }
}
