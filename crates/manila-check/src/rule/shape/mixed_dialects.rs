//! Some commands answer in one frame and others in another, or in none.

use super::{found, has_own_format};
use crate::evidence::Evidence;
use crate::frame::{Frame, Framed, framed};
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Finding, Judging, Verdict};
use std::collections::BTreeMap;

pub(crate) static RULE: Rule = Rule {
    id: "mixed-dialects",
    family: Family::Shape,
    severity: Severity::Error,
    flaw: "Some commands answer in one dialect, others in another or in bare JSON.",
    fix: "Write every answer through the same few lines of code.",
    page: include_str!("mixed_dialects.md"),
    modes: &[2],
    requirements: &["F-004"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let answers = framed(evidence);
    let samples: Vec<&Framed<'_, '_>> = answers
        .iter()
        .filter(|it| it.seen.run.probe.purpose == Purpose::Sample && !it.is_failure)
        .filter(|it| !has_own_format(evidence, &it.seen.run.probe.command))
        .collect();
    let mut counts: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for answer in &samples {
        *counts.entry(outcome(answer)).or_default() += 1;
    }
    // An answer that only lacks the key for the outcome lacks a field and is of no other dialect.
    let frame = Frame::of(&answers);
    let usual = counts.iter().max_by_key(|(key, count)| (**count, key.is_some()));
    let usual = usual.filter(|_| samples.len() > 1).and_then(|(key, _)| *key);
    let Some(usual) = usual else {
        return judging.verdict("fewer than two commands answer in an envelope", None);
    };
    for answer in &samples {
        judging.look();
        let own = outcome(answer);
        let is_foreign = match &frame {
            Some(frame) => frame.is_foreign(answer),
            None => own != Some(usual),
        };
        if is_foreign {
            let why = match own {
                Some(own) if own != usual => {
                    format!("the outcome is in {own} here, and in {usual} in other commands")
                }
                _ => format!("bare JSON, where other commands answer with {usual} around it"),
            };
            judging.find(found(answer, &[""; 0], why));
        }
    }
    for seen in evidence.json().filter(|seen| seen.run.probe.is_plain()) {
        // A list at the top has no frame at all.
        let Some(answer) = &seen.reading.answer else { continue };
        let is_list =
            seen.run.transcript.stream(answer.stream)[answer.span.clone()].starts_with(b"[");
        let is_sample = seen.run.probe.purpose == Purpose::Sample && seen.exited_zero();
        let is_alone = seen.reading.on(answer.stream).documents.len() == 1;
        if is_list && is_sample && is_alone && !has_own_format(evidence, &seen.run.probe.command) {
            let why = format!("a bare list, where other commands answer with {usual} around it");
            judging.find(Finding::new(seen, why).at(seen, answer.stream, answer.span.clone()));
        }
    }
    judging.verdict("fewer than two commands answer in an envelope", None)
}

/// The key that tells the outcome, or the dialect's mark for it.
fn outcome<'a>(answer: &'a Framed<'_, '_>) -> Option<&'a str> {
    let read = answer.seen.reading.answer.as_ref()?;
    let by = read.ok_by.as_ref().map(|(key, _)| key.as_str());
    by.or_else(|| answer.seen.reading.dialect().map(<dyn manila::Dialect>::id))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::{Form, Probe, Purpose};
    use crate::surface::{Command, Surface};
    use crate::testing::{judge_with, run_of, surface};

    fn program(answers: &[&str]) -> &'static str {
        let mut surface = surface();
        let names = ["a", "b", "c", "d", "e", "f"];
        surface.commands = names
            .iter()
            .map(|name| Command { path: vec![(*name).to_owned()], ..Command::default() })
            .collect();
        let runs: Vec<_> = surface
            .commands
            .iter()
            .zip(answers)
            .map(|(command, stdout)| run_of(probe(&surface, command), *stdout, 0))
            .collect();
        judge_with(&RULE, &surface, &runs).word()
    }

    fn probe(surface: &Surface, command: &Command) -> Probe {
        Probe::new(command, Purpose::Sample, Form::Json, [""; 0], &surface.json)
    }

    #[test]
    fn a_command_without_the_frame_of_the_others_is_found() {
        let ok = r#"{"ok":true,"data":{},"meta":{}}"#;
        assert_eq!(program(&[ok, ok, ok, ok]), "holds");
        assert_eq!(program(&[ok, ok, ok, r#"{"items":[]}"#]), "violated");
        assert_eq!(program(&[ok, ok, "[]"]), "violated");
        assert_eq!(program(&[ok, ok, ok, ok, r#"{"success":true,"result":{}}"#]), "violated");
    }

    #[test]
    fn bare_json_everywhere_is_a_dialect_too_and_a_missing_field_is_no_dialect() {
        assert_eq!(program(&[r#"{"items":[]}"#, r#"{"id":1}"#, "[]"]), "undecided");
        let five = r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
        let four = r#"{"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
        assert_eq!(program(&[five, five, five, four]), "holds");
    }
}
