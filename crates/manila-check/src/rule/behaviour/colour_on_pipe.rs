//! Text is coloured although it goes to a pipe.

use super::{DECLARE_SAMPLE, NO_SAMPLE, colour};
use crate::observe::probe::Form;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use std::ops::Range;

pub(crate) static RULE: Rule = Rule {
    id: "colour-on-pipe",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "Text is coloured although it goes to a pipe.",
    fix: "Colour only what a terminal shows.",
    page: include_str!("colour_on_pipe.md"),
    modes: &[8],
    requirements: &["F-008"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // Colour in JSON is about the document.
    for seen in evidence.plain() {
        for stream in [Stream::Stdout, Stream::Stderr] {
            if stream == Stream::Stdout && seen.run.probe.form == Form::Json {
                continue;
            }
            builder.observe();
            let found = colour(seen.run.transcript.stream(stream));
            if let Some(span) = found.filter(|span| !is_in_answer(seen, stream, span)) {
                let message = format!("{} colours {stream} although it is a pipe", seen.called());
                let finding = Finding::new(seen, message).on_pipe(seen);
                builder.report_once(finding.at(seen, stream, span));
            }
        }
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

/// Whether it is part of the document of a failure that is written there.
fn is_in_answer(seen: &ObservedRun<'_>, stream: Stream, span: &Range<usize>) -> bool {
    let answer = seen.reading.answer.as_ref().filter(|_| seen.run.probe.form == Form::Json);
    answer.is_some_and(|answer| {
        answer.stream == stream && answer.span.start <= span.start && span.end <= answer.span.end
    })
}
