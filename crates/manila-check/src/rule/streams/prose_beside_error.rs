//! Text stands beside the error on standard error, where a dialect has its failures.

use crate::evidence::{Evidence, Seen};
use crate::frame::certain;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::talk::Talk;
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use std::ops::Range;

pub(crate) static RULE: Rule = Rule {
    id: "prose-beside-error",
    family: Family::Streams,
    severity: Severity::Error,
    flaw: "Text stands beside the error on standard error, in a dialect whose callers read that stream.",
    fix: "Say it in the error, or keep it to yourself when JSON is asked for.",
    page: include_str!("prose_beside_error.md"),
    modes: &[3],
    requirements: &["F-006"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in evidence.json().filter(|seen| is_failure_on_stderr(seen)) {
        judging.look();
        if let Some(span) = text(seen) {
            let message =
                format!("{} writes text beside its error on standard error", seen.called());
            judging.find_once(Finding::new(seen, message).at(seen, Stream::Stderr, span));
        }
    }
    judging.verdict("no call failed in a dialect that has its failures on standard error", None)
}

/// Whether this is a failure in a dialect whose callers read failures from standard error.
fn is_failure_on_stderr(seen: &Seen<'_>) -> bool {
    seen.run.probe.is_plain()
        && certain(seen).is_some_and(|dialect| dialect.form(false).stream == Stream::Stderr)
        && seen.reading.answer.as_ref().is_some_and(|answer| answer.stream == Stream::Stderr)
}

/// The first stretch that no other rule is about.
fn text(seen: &Seen<'_>) -> Option<Range<usize>> {
    let others = [Talk::Trace, Talk::Notice];
    let stderr = &seen.run.transcript.stderr;
    let mut stretches = seen.reading.stderr.text.iter();
    stretches.find(|span| !others.contains(&Talk::of(&stderr[(*span).clone()]))).cloned()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    const ERROR: &str =
        r#"{"ok":false,"error":{"code":"NOT_FOUND","message":"m","suggestion":"s"}}"#;

    fn verdict(stderr: &str) -> &'static str {
        let mut run = ran(Purpose::Missing, "", 1);
        run.transcript.stderr = stderr.into();
        judge(&RULE, &[run]).word()
    }

    #[test]
    fn text_before_and_after_the_error_is_found() {
        assert_eq!(verdict(&format!("Warning: old\n{ERROR}\n")), "violated");
        assert_eq!(verdict(&format!("{ERROR}\nwaiting\n")), "violated");
        assert_eq!(verdict(&format!("{ERROR}\n")), "holds");
    }

    #[test]
    fn elsewhere_standard_error_is_free() {
        let bare = r#"{"error":{"kind":"not_found","message":"m"}}"#;
        assert_eq!(verdict(&format!("Warning: old\n{bare}\n")), "undecided");
        assert_eq!(verdict("no such note"), "undecided");
    }
}
