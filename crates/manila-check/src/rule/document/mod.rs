//! The bytes of the answer: one document, whole, from the first byte, valid, the same everywhere.

pub(super) mod broken_line;
pub(super) mod byte_order_mark;
pub(super) mod carriage_return;
pub(super) mod differs_by_outlet;
pub(super) mod duplicate_key;
pub(super) mod escape_in_document;
pub(super) mod escape_in_string;
pub(super) mod invalid_json;
pub(super) mod invalid_utf8;
pub(super) mod log_record_on_stdout;
pub(super) mod lone_surrogate;
pub(super) mod lossy_number;
pub(super) mod progress_on_stdout;
pub(super) mod prose_on_stdout;
pub(super) mod several_documents;
pub(super) mod truncated_document;

use crate::observe::defect::{self, StreamScan};
use crate::observe::probe::{Form, Setting, Stdout};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::surface::model::Surface;
use manila::Stream;
use manila::json::FactKind;
use std::collections::BTreeSet;

/// Why a rule is undecided where no document was seen.
const NO_DOCUMENT: &str = "no run wrote a JSON document";
/// What would change that.
const DECLARE_JSON: Option<&str> = Some("program.json: the words that ask for JSON");

/// Judges the stream that the answer is on where JSON was asked for: stdout, or stderr
/// for a failure that some dialects write there. One finding for each command is enough, and
/// the plainest run comes first.
fn judge_each(
    evidence: &Evidence<'_>,
    find: impl Fn(&ObservedRun<'_>, &StreamScan) -> Option<Finding>,
) -> Verdict {
    judge_scans(evidence, |seen| seen.scan_of_answer(), find)
}

/// The same for stdout alone: what may be beside a document on stderr may not be here.
fn judge_stdout(
    evidence: &Evidence<'_>,
    find: impl Fn(&ObservedRun<'_>, &StreamScan) -> Option<Finding>,
) -> Verdict {
    judge_scans(evidence, |seen| seen.scan(), find)
}

fn judge_scans(
    evidence: &Evidence<'_>,
    scan_of: for<'s, 'e> fn(&'s ObservedRun<'e>) -> &'s StreamScan,
    find: impl Fn(&ObservedRun<'_>, &StreamScan) -> Option<Finding>,
) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in answers(evidence) {
        let scan = scan_of(seen);
        if !scan.has_json() {
            continue;
        }
        builder.observe();
        if found.contains(&dedup_key(seen)) {
            continue;
        }
        if let Some(finding) = find(seen, scan) {
            found.insert(dedup_key(seen));
            builder.report(finding);
        }
    }
    builder.verdict(NO_DOCUMENT, DECLARE_JSON)
}

/// The runs whose stdout should be a document. A program without a flag for JSON may answer in
/// another form on a terminal.
fn answers<'s, 'e>(evidence: &'s Evidence<'e>) -> impl Iterator<Item = &'s ObservedRun<'e>> {
    let is_asked = evidence.surface.json.is_asked();
    evidence.json().filter(move |seen| is_asked || !is_terminal(&seen.run.probe.setting))
}

/// Judges by what is odd about the documents.
fn judge_facts(
    evidence: &Evidence<'_>,
    kinds: &[FactKind],
    say: impl Fn(&ObservedRun<'_>, &[u8], FactKind) -> String,
) -> Verdict {
    judge_each(evidence, |seen, scan| {
        let facts = defect::facts(
            seen.run.transcript.stream(scan.stream),
            seen.reading.on(scan.stream),
            scan,
        );
        let fact = facts.iter().flatten().find(|fact| kinds.contains(&fact.kind))?;
        let bytes = seen.run.transcript.stream(scan.stream).get(fact.span.clone())?;
        let message = say(seen, bytes, fact.kind) + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).at(seen, scan.stream, fact.span.clone()))
    })
}

/// The same calls into a file, into a pipe with a slow reader, and on a terminal.
fn plan_stdouts(surface: &Surface, plan: &mut Plan) {
    for stdout in [Stdout::File, Stdout::SlowPipe, Stdout::Terminal { columns: 80 }] {
        plan.ask_each(samples(surface, Form::Json).map(|probe| probe.with_stdout(stdout)));
    }
}

/// The name of a stream, in a sentence.
fn named(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    }
}

fn is_terminal(setting: &Setting) -> bool {
    matches!(setting.stdout, Stdout::Terminal { .. })
}

/// What is special about the surroundings of a run, as the end of a sentence.
pub(super) fn circumstance(setting: &Setting) -> String {
    let stdout = match setting.stdout {
        Stdout::Pipe | Stdout::ClosedPipe { .. } => "",
        Stdout::Terminal { .. } => ", on a terminal",
        Stdout::File => ", when it goes to a file",
        Stdout::SlowPipe => ", when the reader is slow",
    };
    let names: Vec<&str> = setting.variables.keys().map(String::as_str).collect();
    if names.is_empty() {
        return stdout.to_owned();
    }
    format!("{stdout}, when {} is set", names.join(" or "))
}

#[cfg(test)]
mod tests {
    use crate::rule::rule;
    use manila::json::FactKind;

    #[test]
    fn a_flaw_has_the_id_that_the_fact_about_it_has() {
        for fact in [
            FactKind::ByteOrderMark,
            FactKind::DuplicateKey,
            FactKind::EscapeInDocument,
            FactKind::EscapeInString,
            FactKind::LoneSurrogate,
            FactKind::MissingField,
            FactKind::NullOutOfPlace,
            FactKind::SeveralDocuments,
            FactKind::TruncatedDocument,
        ] {
            assert!(rule(fact.id()).is_some(), "{}", fact.id());
        }
    }
}
