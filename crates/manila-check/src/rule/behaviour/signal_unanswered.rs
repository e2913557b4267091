//! A call that a signal ended leaves no answer, or half of one.

use super::plan_signals;
use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity};
use crate::verdict::{Finding, Judging, Verdict};
use manila::json::FlawKind;

pub(crate) static RULE: Rule = Rule {
    id: "signal-unanswered",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "A call that a signal ended leaves no answer, or half of one.",
    fix: "Answer a cancelled call with an envelope too, whole and once.",
    page: include_str!("signal_unanswered.md"),
    modes: &[16],
    requirements: &["F-013", "F-069"],
    plan: plan_signals,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let dialect = evidence.dialect();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Slow) {
        let Some(signal) = seen.run.probe.setting.disturbance else { continue };
        if !seen.run.ended_by_itself() {
            continue;
        }
        let (name, called) = (signal.name(), seen.called());
        if let Some((span, flaw)) = &seen.reading.stdout.broken {
            // One that is whole and no JSON is about the document.
            if flaw.kind != FlawKind::UnexpectedEnd {
                continue;
            }
            judging.look();
            let message = format!("{called} leaves half a document after {name}");
            judging.find_once(Finding::new(seen, message).at(
                seen,
                manila::Stream::Stdout,
                span.clone(),
            ));
            continue;
        }
        // Whoever has no envelope on other occasions cannot be asked for one here.
        let Some(dialect) = dialect else { continue };
        judging.look();
        if seen.reading.answer.is_none() {
            let usual = dialect.id();
            let message =
                format!("{called} answers in {usual} and ends without an answer after {name}");
            judging.find_once(Finding::new(seen, message));
        }
    }
    judging.verdict(super::NO_SLOW, super::DECLARE_SLOW)
}
