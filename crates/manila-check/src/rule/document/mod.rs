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

use crate::blemish::{self, Look};
use crate::evidence::{Evidence, Seen};
use crate::plan::samples;
use crate::probe::{Form, Outlet, Plan, Setting};
use crate::rule::told_once;
use crate::surface::{Json, Surface};
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use manila::json::FactKind;
use std::collections::BTreeSet;

/// Why nothing can be told where no document was seen.
const NO_DOCUMENT: &str = "no run wrote a JSON document";
/// What would change that.
const DECLARE_JSON: Option<&str> = Some("program.json: the words that ask for JSON");

/// Judges the stream that the answer is on where JSON was asked for: standard output, or standard error
/// for a failure that some dialects write there. One finding for each command is enough, and
/// the plainest run comes first.
fn judge_each(
    evidence: &Evidence<'_>,
    find: impl Fn(&Seen<'_>, &Look) -> Option<Finding>,
) -> Verdict {
    judge_looks(evidence, |seen| seen.look_at_answer(), find)
}

/// The same for standard output alone: what may stand beside a document on standard error may not here.
fn judge_stdout(
    evidence: &Evidence<'_>,
    find: impl Fn(&Seen<'_>, &Look) -> Option<Finding>,
) -> Verdict {
    judge_looks(evidence, |seen| seen.look(), find)
}

fn judge_looks(
    evidence: &Evidence<'_>,
    look_at: for<'s, 'e> fn(&'s Seen<'e>) -> &'s Look,
    find: impl Fn(&Seen<'_>, &Look) -> Option<Finding>,
) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in answers(evidence) {
        let look = look_at(seen);
        if !look.has_json() {
            continue;
        }
        judging.look();
        if found.contains(&told_once(seen)) {
            continue;
        }
        if let Some(finding) = find(seen, look) {
            found.insert(told_once(seen));
            judging.find(finding);
        }
    }
    judging.verdict(NO_DOCUMENT, DECLARE_JSON)
}

/// The runs whose standard output should be a document. Who has no flag for JSON may answer people on
/// a terminal in another form.
fn answers<'s, 'e>(evidence: &'s Evidence<'e>) -> impl Iterator<Item = &'s Seen<'e>> {
    let is_asked = matches!(evidence.surface.json, Json::Asked(_));
    evidence.json().filter(move |seen| is_asked || !is_terminal(&seen.run.probe.setting))
}

/// Judges by what is odd about the documents.
fn judge_facts(
    evidence: &Evidence<'_>,
    kinds: &[FactKind],
    say: impl Fn(&Seen<'_>, &[u8], FactKind) -> String,
) -> Verdict {
    judge_each(evidence, |seen, look| {
        let facts = blemish::facts(seen, look);
        let fact = facts.iter().flatten().find(|fact| kinds.contains(&fact.kind))?;
        let bytes = seen.run.transcript.stream(look.stream).get(fact.span.clone())?;
        let message = say(seen, bytes, fact.kind) + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).at(seen, look.stream, fact.span.clone()))
    })
}

/// The same calls into a file, into a pipe that nobody reads for a while, and on a terminal.
fn plan_outlets(surface: &Surface, plan: &mut Plan) {
    for outlet in [Outlet::File, Outlet::SlowPipe, Outlet::Terminal { columns: 80 }] {
        plan.ask_each(samples(surface, Form::Json).map(|probe| probe.to(outlet)));
    }
}

/// The name of a stream, in a sentence.
fn named(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "standard output",
        Stream::Stderr => "standard error",
    }
}

fn is_terminal(setting: &Setting) -> bool {
    matches!(setting.outlet, Outlet::Terminal { .. })
}

/// What is special about the surroundings of a run, as the end of a sentence.
pub(super) fn circumstance(setting: &Setting) -> String {
    let outlet = match setting.outlet {
        Outlet::Pipe | Outlet::ClosedPipe { .. } => "",
        Outlet::Terminal { .. } => ", on a terminal",
        Outlet::File => ", when it goes to a file",
        Outlet::SlowPipe => ", when the reader is slow",
    };
    let names: Vec<&str> = setting.variables.keys().map(String::as_str).collect();
    if names.is_empty() {
        return outlet.to_owned();
    }
    format!("{outlet}, when {} is set", names.join(" or "))
}
