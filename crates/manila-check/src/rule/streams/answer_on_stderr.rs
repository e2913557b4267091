//! The answer is on stderr.

use super::last_answer;
use crate::observe::probe::Purpose;
use crate::observe::reading::PAYLOADS;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use manila::json::FactKind;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "answer-on-stderr",
    family: Family::Streams,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The answer is on stderr, where callers do not look for it.",
    fix: "Write the answer to stdout, also for failures unless the dialect puts them elsewhere.",
    page: include_str!("answer_on_stderr.md"),
    modes: &[3],
    requirements: &["F-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    // Some dialects have failures there; a program with failures on both streams is in none of them.
    let fails_on_stdout = evidence.json().any(|seen| {
        let answer = seen.reading.answer.as_ref();
        seen.reading.says_failure() == Some(true)
            && answer.is_some_and(|answer| answer.stream == Stream::Stdout)
    });
    for seen in evidence.json() {
        let has_answer = !seen.reading.stdout.documents.is_empty();
        let (stderr, content) = (&seen.run.transcript.stderr, &seen.reading.stderr);
        let answer = last_answer(stderr, &content.documents).filter(|_| !has_answer);
        if answer.is_some() || has_answer {
            builder.observe();
        }
        let Some((span, says)) = answer else { continue };
        // A piece of JSON in a message is not an answer: a failure says that it failed.
        let is_failure = says.says_failure() == Some(true);
        // A complete call may end with a status that says what it found; its results are not a
        // failure.
        let is_result = seen.run.probe.purpose == Purpose::Sample
            && says.says_failure().is_none()
            && says
                .answer
                .as_ref()
                .is_some_and(|it| it.keys.iter().any(|key| PAYLOADS.contains(&key.as_str())));
        let is_wrong = is_wrong_stream(seen)
            || is_result
            || (!is_failure && seen.exited_zero())
            || (is_failure && fails_on_stdout && seen.reading.dialect().is_none());
        if is_wrong && found.insert(dedup_key(seen)) {
            let message = format!("{} writes its answer to stderr", seen.called());
            builder.report(Finding::new(seen, message).at(seen, Stream::Stderr, span));
        }
    }
    builder.verdict("no run wrote a JSON document", None)
}

/// Whether the core knows the dialect, and that it has this outcome on the other stream.
fn is_wrong_stream(seen: &ObservedRun<'_>) -> bool {
    seen.reading.dialect().is_some()
        && seen.reading.opened.as_ref().is_some_and(|it| it.facts.has(FactKind::WrongStream))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::observe::run::Run;
    use crate::testing::{judge, ran};

    /// A failure of no known dialect.
    const UNKNOWN: &str = r#"{"success":false,"why":"m"}"#;

    fn on_stderr(text: &str, status: i32) -> Run {
        let mut run = ran(Purpose::Sample, "", status);
        run.transcript.stderr = text.into();
        run
    }

    #[test]
    fn a_success_there_is_always_wrong() {
        assert_eq!(judge(&RULE, &[on_stderr("{\"a\":1}\n", 0)]).as_str(), "failed");
        assert_eq!(judge(&RULE, &[on_stderr("notice\n{\"a\":1}\n", 0)]).as_str(), "failed");
    }

    #[test]
    fn results_there_are_wrong_whatever_the_status_means() {
        let results = r#"{"version":"2.2.4","data":[{"file":"a.js"}],"messages":[]}"#;
        assert_eq!(judge(&RULE, &[on_stderr(results, 13)]).as_str(), "failed");
        let failure = r#"{"statusCode":404,"message":"no such note"}"#;
        assert_ne!(judge(&RULE, &[on_stderr(failure, 1)]).as_str(), "failed");
    }

    #[test]
    fn a_failure_there_is_wrong_by_the_dialect_or_by_the_others() {
        assert_eq!(judge(&RULE, &[on_stderr(UNKNOWN, 1)]).as_str(), "passed");
        let runs = [on_stderr(UNKNOWN, 1), ran(Purpose::Missing, UNKNOWN, 1)];
        assert_eq!(judge(&RULE, &runs).as_str(), "failed");
        let envelope = r#"{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"m"},"warnings":[],"meta":{"duration_ms":1}}"#;
        assert_eq!(judge(&RULE, &[on_stderr(envelope, 5)]).as_str(), "failed");
    }

    #[test]
    fn logs_there_are_fine() {
        let mut run = ran(Purpose::Sample, "{}", 0);
        run.transcript.stderr = b"{\"level\":\"info\",\"msg\":\"x\"}\n".to_vec();
        assert_eq!(judge(&RULE, &[run]).as_str(), "passed");
        let only_a_log = on_stderr("{\"level\":\"info\",\"msg\":\"x\"}\n", 0);
        assert_eq!(judge(&RULE, &[only_a_log]).as_str(), "undecided");
    }
}
