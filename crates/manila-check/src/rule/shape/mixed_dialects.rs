//! Some commands answer in one envelope and others in another, or in none.

use super::has_own_format;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::envelope_shape::{EnvelopeShape, is_kin};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::object_answer::{ENVELOPE_KEYS, ObjectAnswer, object_answers};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use std::ops::Range;

pub(crate) static RULE: Rule = Rule {
    id: "mixed-dialects",
    family: Family::Shape,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "Some commands answer in one dialect, others in another or in bare JSON.",
    fix: "Write every answer through the same few lines of code.",
    page: include_str!("mixed_dialects.md"),
    modes: &[2],
    requirements: &["F-004"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let answers = object_answers(evidence);
    let samples = samples(evidence, &answers);
    let Some(usual) = usual(&samples) else {
        return builder.verdict("fewer than two commands answer in an envelope", None);
    };
    let shape = EnvelopeShape::of(&answers);
    for sample in &samples {
        builder.observe();
        if let Some(why) = otherwise(sample, &usual, &samples, shape.as_ref()) {
            let whole = Finding::new(sample.seen, why);
            builder.report(whole.at(sample.seen, sample.stream, sample.span.clone()));
        }
    }
    builder.verdict("fewer than two commands answer in an envelope", None)
}

/// The answer of a call that worked.
struct Sample<'s, 'e> {
    seen: &'s ObservedRun<'e>,
    stream: Stream,
    span: Range<usize>,
    /// As an object; a list at the top has no envelope at all.
    object_answers: Option<&'s ObjectAnswer<'s, 'e>>,
    /// What states the outcome: a key, or the mark of a dialect.
    outcome: Option<&'s str>,
}

/// How most commands answer.
struct Usual<'s> {
    /// What states the outcome there; nothing if they answer in bare JSON.
    outcome: Option<&'s str>,
    /// How many do. Where as many answer in another way, it is not known which of them is meant.
    count: usize,
}

fn samples<'s, 'e>(
    evidence: &'s Evidence<'e>,
    answers: &'s [ObjectAnswer<'s, 'e>],
) -> Vec<Sample<'s, 'e>> {
    let is_sample = |seen: &&ObservedRun<'_>| {
        let probe = &seen.run.probe;
        probe.is_plain()
            && probe.purpose == Purpose::Sample
            && !seen.command.is_some_and(|command| command.streams)
            && !has_own_format(evidence, &probe.command)
    };
    let of = |seen: &'s ObservedRun<'e>| {
        let answer = seen.reading.answer.as_ref()?;
        let (stream, span) = (answer.stream, answer.span.clone());
        let object_answers = answers.iter().find(|it| std::ptr::eq(it.seen, seen));
        let is_list = seen.run.transcript.stream(stream)[span.clone()].starts_with(b"[");
        let is_alone = seen.reading.on(stream).documents.len() == 1;
        let has_worked = object_answers.map_or(seen.exited_zero(), |it| !it.is_failure);
        let is_meant = has_worked && (object_answers.is_some() || (is_list && is_alone));
        let outcome = object_answers.and_then(outcome);
        is_meant.then_some(Sample { seen, stream, span, object_answers, outcome })
    };
    evidence.json().filter(is_sample).filter_map(of).collect()
}

/// How most commands answer, where at least one answers in an envelope and another one at all.
fn usual<'s>(samples: &[Sample<'s, '_>]) -> Option<Usual<'s>> {
    // What is of one dialect is one way, whatever else is in it.
    let mut counts: Vec<(&Sample<'s, '_>, usize)> = Vec::new();
    for sample in samples {
        match counts.iter_mut().find(|(known, _)| is_same_way(known, sample)) {
            Some((_, count)) => *count += 1,
            None => counts.push((sample, 1)),
        }
    }
    counts.sort_by_key(|(sample, count)| {
        std::cmp::Reverse((*count, sample.outcome.is_some(), sample.outcome))
    });
    let (first, count) = counts.first()?;
    (samples.len() > 1 && samples.iter().any(is_enveloped))
        .then_some(Usual { outcome: first.outcome, count: *count })
}

fn is_same_way(one: &Sample<'_, '_>, other: &Sample<'_, '_>) -> bool {
    let dialects = one.seen.reading.dialect().zip(other.seen.reading.dialect());
    one.outcome == other.outcome || dialects.is_some_and(|(one, other)| is_kin(one, other))
}

/// Whether there is an envelope around the data, and not only a word in them: `"status": "ok"` may be what
/// was asked for.
fn is_enveloped(sample: &Sample<'_, '_>) -> bool {
    const AROUND: &[&str] = &["data", "result", "payload", "error", "meta"];
    let has = |object_answers: &ObjectAnswer<'_, '_>| {
        AROUND.iter().any(|key| object_answers.get(&[key]).is_some())
    };
    let is_word = |outcome: &str| matches!(outcome, "status" | "outcome");
    sample.outcome.is_some_and(|it| !is_word(it) || sample.object_answers.is_some_and(has))
}

/// How a command answers otherwise than most, if it does.
fn otherwise(
    sample: &Sample<'_, '_>,
    usual: &Usual<'_>,
    samples: &[Sample<'_, '_>],
    shape: Option<&EnvelopeShape>,
) -> Option<String> {
    let like = samples.iter().find(|it| it.outcome == usual.outcome)?;
    let is_odd = match (sample.outcome, usual.outcome) {
        (Some(_), Some(_)) if !is_same_way(sample, like) => true,
        (Some(_), None) => is_enveloped(sample),
        (None, None) => false,
        // An answer that only lacks the key for the outcome lacks a field and is of no other dialect.
        (_, Some(_)) => {
            sample.object_answers.is_none_or(|it| shape.is_some_and(|shape| shape.is_foreign(it)))
                || (sample.outcome.is_none() && !shares_envelope(sample, like))
        }
    };
    let (here, there) = (named(sample.outcome), named(usual.outcome));
    let here = if sample.object_answers.is_none() { "a bare list".to_owned() } else { here };
    let is_tie = samples.iter().filter(|it| is_same_way(it, sample)).count() == usual.count;
    is_odd.then(|| {
        if is_tie {
            let other = like.seen.called();
            format!(
                "{here}, and {there} in {other}: as many commands answer one way as the other, so \
                 which is the odd one is not known"
            )
        } else {
            format!("{here}, and {there} in other commands")
        }
    })
}

/// Whether an answer has at least half of what another has around its data.
fn shares_envelope(sample: &Sample<'_, '_>, like: &Sample<'_, '_>) -> bool {
    let (Some(own), Some(like)) = (sample.object_answers, like.object_answers) else {
        return false;
    };
    let keys: Vec<&&str> = ENVELOPE_KEYS.iter().filter(|key| like.get(&[key]).is_some()).collect();
    let shared = keys.iter().filter(|key| own.get(&[key]).is_some()).count();
    shared * 2 >= keys.len()
}

fn named(outcome: Option<&str>) -> String {
    match outcome {
        Some(dialect) if dialect.contains('/') => format!("an answer in {dialect}"),
        Some(key) => format!("an envelope with {key:?}"),
        None => "bare JSON".to_owned(),
    }
}

/// The key that states the outcome, or the dialect's mark for it.
fn outcome<'a>(answer: &'a ObjectAnswer<'_, '_>) -> Option<&'a str> {
    let read = answer.seen.reading.answer.as_ref()?;
    let by = read.ok_by.as_ref().map(|(key, _)| key.as_str());
    by.or_else(|| answer.seen.reading.dialect().map(<dyn manila::Dialect>::id))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Form, Probe, Purpose};
    use crate::rule::verdict::Verdict;
    use crate::surface::model::{Command, Surface};
    use crate::testing::{judge_with, run_of, surface};

    fn program(answers: &[&str]) -> &'static str {
        verdict(answers).as_str()
    }

    fn verdict(answers: &[&str]) -> Verdict {
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
        judge_with(&RULE, &surface, &runs)
    }

    fn probe(surface: &Surface, command: &Command) -> Probe {
        Probe::new(command, Purpose::Sample, Form::Json, [""; 0], &surface.json)
    }

    #[test]
    fn a_command_without_the_envelope_of_the_others_is_found() {
        let ok = r#"{"ok":true,"data":{},"meta":{}}"#;
        assert_eq!(program(&[ok, ok, ok, ok]), "passed");
        assert_eq!(program(&[ok, ok, ok, r#"{"items":[]}"#]), "failed");
        assert_eq!(program(&[ok, ok, "[]"]), "failed");
        assert_eq!(program(&[ok, ok, ok, ok, r#"{"success":true,"result":{}}"#]), "failed");
    }

    #[test]
    fn bare_json_everywhere_is_a_dialect_too_and_a_missing_field_is_no_dialect() {
        assert_eq!(program(&[r#"{"items":[]}"#, r#"{"id":1}"#, "[]"]), "undecided");
        let five = r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
        let four = r#"{"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
        assert_eq!(program(&[five, five, five, four]), "passed");
    }
    #[test]
    fn of_two_commands_either_may_be_the_odd_one() {
        let ok = r#"{"ok":true,"data":{}}"#;
        for other in [r#"{"success":true,"result":{}}"#, r#"{"id":1,"text":"t"}"#, "[]"] {
            let Verdict::Failed(findings) = verdict(&[ok, other]) else {
                panic!("{other} is fine");
            };
            assert_eq!(findings.len(), 1);
            assert!(findings[0].message.contains("is not known"), "{}", findings[0].message);
        }
        assert_eq!(program(&[ok, ok]), "passed");
        assert_eq!(program(&[r#"{"id":1}"#, "[]"]), "undecided");
        assert_eq!(program(&[r#"{"status":"ok","disk":3}"#, "[]"]), "undecided");
    }

    #[test]
    fn where_most_are_bare_an_envelope_is_odd_and_a_status_is_not() {
        let enveloped = r#"{"ok":true,"data":{}}"#;
        assert_eq!(program(&["[]", r#"{"id":1}"#, enveloped]), "failed");
        assert_eq!(program(&["[]", r#"{"id":1}"#, r#"{"status":"ok","disk":3}"#]), "undecided");
    }
}
