//! A call succeeds and its answer is nothing at all.

use super::last_answer;
use crate::observe::probe::{Purpose, Stdout};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::refusal::owes_json;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "empty-success",
    family: Family::Streams,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A call ends with exit status 0 and writes no document although JSON was asked for.",
    fix: "Always write a document, and fail if it cannot be written.",
    page: include_str!("empty_success.md"),
    modes: &[40],
    requirements: &["F-049"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in evidence.json() {
        let probe = &seen.run.probe;
        let is_meant = matches!(
            probe.purpose,
            Purpose::Sample | Purpose::Empty | Purpose::Missing | Purpose::Recorded
        );
        let is_stream = seen.command.is_some_and(|command| command.streams);
        // What arrives through a pipe and nowhere else differs by the stdout.
        if !is_meant || is_stream || probe.setting.stdout != Stdout::Pipe || !seen.exited_zero() {
            continue;
        }
        // A program that is never asked for JSON owes it where it gives it.
        if probe.purpose != Purpose::Recorded && !owes_json(evidence, &probe.command) {
            continue;
        }
        builder.observe();
        // An answer on the other stream, or words there, are other flaws.
        let has_answer =
            last_answer(&seen.run.transcript.stderr, &seen.reading.stderr.documents).is_some();
        let is_silent = seen.reading.stdout.is_empty && !has_answer;
        let tells_error = crate::observe::text_kind::error(&seen.run.transcript.stderr).is_some();
        if is_silent && !tells_error && found.insert(dedup_key(seen)) {
            let message = format!("{} ends with 0 and writes no document", seen.called());
            builder.report(Finding::new(seen, message));
        }
    }
    builder.verdict(
        "no call for JSON succeeded",
        Some("commands.\"…\".effects = \"none\", and args if it needs any"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::surface::model::Json;
    use crate::testing::{judge, judge_with, ran, surface};

    #[test]
    fn a_command_that_prints_text_owes_no_document() {
        let mut surface = surface();
        surface.json = Json::Always;
        let (nothing, text) = (ran(Purpose::Missing, "", 0), ran(Purpose::Sample, "CREATE", 0));
        let document = ran(Purpose::Sample, "[1]", 0);
        assert_eq!(judge_with(&RULE, &surface, &[text, nothing.clone()]).as_str(), "undecided");
        assert_eq!(judge_with(&RULE, &surface, &[document, nothing]).as_str(), "failed");
    }

    #[test]
    fn nothing_is_no_document() {
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "", 0)]).as_str(), "failed");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "\n", 0)]).as_str(), "failed");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "[]", 0)]).as_str(), "passed");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "", 1)]).as_str(), "undecided");
    }
}
