//! What the answer says: the envelope around the data, the error, and whether they agree.

pub(super) mod contradictory_outcome;
pub(super) mod contradictory_retry_advice;
pub(super) mod error_as_prose;
pub(super) mod error_shapes_differ;
pub(super) mod error_without_code;
pub(super) mod error_without_message;
pub(super) mod missing_field;
pub(super) mod mixed_dialects;
pub(super) mod names_another_command;
pub(super) mod null_out_of_place;
pub(super) mod retry_advice_missing;
pub(super) mod shape_differs_between_runs;
pub(super) mod unknown_field;
pub(crate) mod unstable_error_code;
pub(super) mod version_disagrees;
pub(super) mod wrong_type;

use crate::observe::probe::Purpose;
use crate::rule::envelope_shape::{EnvelopeShape, certain};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{Breach, BreachKind, ObjectAnswer, object_answers};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};

/// Judges all answers by one kind of breach of their envelope, leaving what others report.
fn judge_breaches(
    evidence: &Evidence<'_>,
    kind: BreachKind,
    is_left: fn(&ObjectAnswer<'_, '_>, &Breach) -> bool,
) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let answers = object_answers(evidence);
    if let Some(shape) = EnvelopeShape::of(&answers) {
        for answer in answers.iter().filter(|answer| !shape.is_foreign(answer)) {
            // A recorded run may be of any program, and is judged by itself.
            let is_recorded = answer.seen.run.probe.purpose == Purpose::Recorded;
            if is_recorded && certain(answer.seen).is_none() {
                continue;
            }
            builder.observe();
            for breach in shape.breaches(answer) {
                if breach.kind == kind && !is_left(answer, &breach) {
                    builder.report_once(found(answer, &breach.path, breach.why.clone()));
                }
            }
        }
    }
    builder.verdict(
        "no known dialect, and too few answers to infer a common shape",
        Some("program.json: the words that ask for JSON"),
    )
}

/// A finding about the value at this path of an answer.
pub(super) fn found(
    answer: &ObjectAnswer<'_, '_>,
    path: &[impl AsRef<str>],
    why: impl Into<String>,
) -> Finding {
    let names: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
    let finding = Finding::new(answer.seen, why).because_of(names.join("."));
    match answer.place(path) {
        Some((stream, span)) => finding.at(answer.seen, stream, span),
        None => finding,
    }
}

/// Commands whose answer has a format of its own.
const OWN: &[&str] = &[
    "manifest",
    "schema",
    "introspect",
    "describe",
    "completion",
    "completions",
    "openapi",
    "opencli",
    "help",
];

/// Whether a command describes the program, in a format that is fixed elsewhere.
fn has_own_format(evidence: &Evidence<'_>, path: &[String]) -> bool {
    let is_manifest =
        evidence.surface.manifest.as_ref().is_some_and(|manifest| manifest.args.starts_with(path));
    let last = path.last().map_or("", String::as_str);
    (is_manifest && !path.is_empty()) || OWN.contains(&last)
}
