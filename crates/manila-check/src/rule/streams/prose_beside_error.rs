//! Text is beside the error on stderr, where a dialect has its failures.

use crate::observe::text_kind::TextKind;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::envelope_shape::certain;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use std::ops::Range;

pub(crate) static RULE: Rule = Rule {
    id: "prose-beside-error",
    family: Family::Streams,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "There is text beside the error on stderr, in a dialect whose callers read that stream.",
    fix: "Put it into the error, or leave it out when JSON is asked for.",
    page: include_str!("prose_beside_error.md"),
    modes: &[3],
    requirements: &["F-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.json().filter(|seen| is_failure_on_stderr(seen)) {
        builder.observe();
        if let Some(span) = text(seen) {
            let message = format!("{} writes text beside its error on stderr", seen.called());
            builder.report_once(Finding::new(seen, message).at(seen, Stream::Stderr, span));
        }
    }
    builder.verdict("no call failed in a dialect that writes failures to stderr", None)
}

/// Whether this is a failure in a dialect whose callers read failures from stderr.
fn is_failure_on_stderr(seen: &ObservedRun<'_>) -> bool {
    seen.run.probe.is_plain()
        && certain(seen).is_some_and(|dialect| dialect.form(false).stream == Stream::Stderr)
        && seen.reading.answer.as_ref().is_some_and(|answer| answer.stream == Stream::Stderr)
}

/// The first stretch that no other rule is about.
fn text(seen: &ObservedRun<'_>) -> Option<Range<usize>> {
    let others = [TextKind::Trace, TextKind::Notice];
    let stderr = &seen.run.transcript.stderr;
    let mut stretches = seen.reading.stderr.text.iter();
    stretches.find(|span| !others.contains(&TextKind::of(&stderr[(*span).clone()]))).cloned()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    const ERROR: &str =
        r#"{"ok":false,"error":{"code":"NOT_FOUND","message":"m","suggestion":"s"}}"#;

    fn verdict(stderr: &str) -> &'static str {
        let mut run = ran(Purpose::Missing, "", 1);
        run.transcript.stderr = stderr.into();
        judge(&RULE, &[run]).as_str()
    }

    #[test]
    fn text_before_and_after_the_error_is_found() {
        assert_eq!(verdict(&format!("Warning: old\n{ERROR}\n")), "failed");
        assert_eq!(verdict(&format!("{ERROR}\nwaiting\n")), "failed");
        assert_eq!(verdict(&format!("{ERROR}\n")), "passed");
    }

    #[test]
    fn elsewhere_standard_error_is_free() {
        let bare = r#"{"error":{"kind":"not_found","message":"m"}}"#;
        assert_eq!(verdict(&format!("Warning: old\n{bare}\n")), "undecided");
        assert_eq!(verdict("no such note"), "undecided");
    }
}
