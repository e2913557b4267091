//! A call ended by a signal leaves no answer, or part of one.

use super::plan_signals;
use crate::observe::probe::Purpose;
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::json::FlawKind;

pub(crate) static RULE: Rule = Rule {
    id: "signal-unanswered",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::JSON.relaxed(Profile::Json, Severity::Note),
    flaw: "A call ended by a signal leaves no answer, or part of one.",
    fix: "Answer a cancelled call with exactly one complete envelope.",
    page: include_str!("signal_unanswered.md"),
    modes: &[16],
    requirements: &["F-013", "F-069"],
    plan: plan_signals,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let dialect = evidence.dialect();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Slow) {
        let Some(signal) = seen.run.probe.setting.signal else { continue };
        if !seen.run.ended_by_itself() {
            continue;
        }
        let (name, called) = (signal.name(), seen.called());
        if let Some((span, flaw)) = &seen.reading.stdout.broken {
            // One that is whole and no JSON is about the document.
            if flaw.kind != FlawKind::UnexpectedEnd {
                continue;
            }
            builder.observe();
            let message = format!("{called} leaves half a document after {name}");
            builder.report_once(Finding::new(seen, message).at(
                seen,
                manila::Stream::Stdout,
                span.clone(),
            ));
            continue;
        }
        // A program that has no envelope otherwise need not have one here.
        let Some(dialect) = dialect else { continue };
        builder.observe();
        if seen.reading.answer.is_none() {
            let usual = dialect.id();
            let message =
                format!("{called} answers in {usual} and ends without an answer after {name}");
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict(super::NO_SLOW, super::DECLARE_SLOW)
}
