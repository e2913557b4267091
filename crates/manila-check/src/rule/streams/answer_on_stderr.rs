//! The answer stands on standard error.

use super::last_answer;
use crate::evidence::{Evidence, Seen};
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use manila::json::FactKind;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "answer-on-stderr",
    family: Family::Streams,
    severity: Severity::Error,
    flaw: "The answer is on standard error, where nobody looks for it.",
    fix: "Write the answer to standard output, failures too unless the dialect has them elsewhere.",
    page: include_str!("answer_on_stderr.md"),
    modes: &[3],
    requirements: &["F-006"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    // Some dialects have failures there; who has some failures there and some not has none of them.
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
            judging.look();
        }
        let Some((span, says)) = answer else { continue };
        // A piece of JSON in a message is no answer: who fails says so.
        let is_failure = says.says_failure() == Some(true);
        let is_wrong = is_wrong_stream(seen)
            || (!is_failure && seen.exited_zero())
            || (is_failure && fails_on_stdout && seen.reading.dialect().is_none());
        if is_wrong && found.insert(told_once(seen)) {
            let message = format!("{} writes its answer to standard error", seen.called());
            judging.find(Finding::new(seen, message).at(seen, Stream::Stderr, span));
        }
    }
    judging.verdict("no run wrote a JSON document", None)
}

/// Whether the core knows the dialect, and that it has this outcome on the other stream.
fn is_wrong_stream(seen: &Seen<'_>) -> bool {
    seen.reading.dialect().is_some()
        && seen.reading.opened.as_ref().is_some_and(|it| it.facts.has(FactKind::WrongStream))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::run::Run;
    use crate::testing::{judge, ran};

    const CLISPEC: &str = r#"{"error":{"kind":"not_found","message":"m"}}"#;

    fn on_stderr(text: &str, status: i32) -> Run {
        let mut run = ran(Purpose::Sample, "", status);
        run.transcript.stderr = text.into();
        run
    }

    #[test]
    fn a_success_there_is_always_wrong() {
        assert_eq!(judge(&RULE, &[on_stderr("{\"a\":1}\n", 0)]).word(), "violated");
        assert_eq!(judge(&RULE, &[on_stderr("notice\n{\"a\":1}\n", 0)]).word(), "violated");
    }

    #[test]
    fn a_failure_there_is_wrong_by_the_dialect_or_by_the_others() {
        assert_eq!(judge(&RULE, &[on_stderr(CLISPEC, 1)]).word(), "holds");
        let runs = [on_stderr(CLISPEC, 1), ran(Purpose::Missing, CLISPEC, 1)];
        assert_eq!(judge(&RULE, &runs).word(), "violated");
        let envelope = r#"{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"m"},"warnings":[],"meta":{"duration_ms":1}}"#;
        assert_eq!(judge(&RULE, &[on_stderr(envelope, 5)]).word(), "violated");
    }

    #[test]
    fn logs_there_are_fine() {
        let mut run = ran(Purpose::Sample, "{}", 0);
        run.transcript.stderr = b"{\"level\":\"info\",\"msg\":\"x\"}\n".to_vec();
        assert_eq!(judge(&RULE, &[run]).word(), "holds");
        let only_a_log = on_stderr("{\"level\":\"info\",\"msg\":\"x\"}\n", 0);
        assert_eq!(judge(&RULE, &[only_a_log]).word(), "undecided");
    }
}
