//! What one run shows: its outcome, the facts of its answer and the shape of its document.

use super::layout::layout;
use super::plan::Call;
use super::{Sample, volatile};
use crate::join::Join;
use crate::lock::{Answer, Attribute, Facts, Failure, Group, Lock, Outcome};
use crate::shape::{Shape, Step, Volatile, names, shape_of};
use manila::{Confidence, Opened, Status, Stream, fingerprint};
use manila_check::internal::{Content, Ended, Form, Place, Purpose, Reading, Run, Tool, Waiting};
use manila_pack::Packs;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What one run shows.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) outcome: Outcome,
    group: Option<Group>,
    input: u64,
    round: u8,
    documents: Vec<Value>,
    dialect: Option<String>,
    /// Of the command, the answer and the failure.
    of_command: Facts,
    of_answer: Facts,
    of_failure: Facts,
}

/// Keys that distinguish the records of a stream.
const RECORDS: &[&str] = &["type", "event", "kind", "reason"];

pub(super) fn seen(call: &Call, run: &Run, round: u8, packs: &Packs) -> Seen {
    let input: Vec<u8> = format!("{:?}{:?}", call.command, call.probe.args).into_bytes();
    #[expect(clippy::cast_possible_truncation, reason = "half of a fingerprint is one")]
    let input = fingerprint(&input) as u64;
    let mut of_command = Facts::new();
    around(run, &mut of_command);
    let mut seen = Seen {
        outcome: Outcome::Ok,
        group: None,
        input,
        round,
        documents: Vec::new(),
        dialect: None,
        of_command,
        of_answer: Facts::new(),
        of_failure: Facts::new(),
    };
    match (run.ended, run.transcript.status) {
        (Ended::AtLimit(waiting), _) => {
            if matches!(waiting, Waiting::ForInput | Waiting::ForTerminal) {
                put(&mut seen.of_command, Attribute::Input, "waits");
            }
            seen.outcome = Outcome::Hangs;
        }
        (Ended::Flooding | Ended::Oversized, _) => seen.outcome = Outcome::Floods,
        (_, Status::Signaled(signal)) => seen.outcome = Outcome::Signal(signal),
        (_, status) => answered(call, run, status.code().unwrap_or_default(), packs, &mut seen),
    }
    seen
}

fn put(facts: &mut Facts, attribute: Attribute, value: impl Into<String>) {
    facts.entry(attribute).or_default().insert(value.into());
}

/// What a run does beside answering.
fn around(run: &Run, facts: &mut Facts) {
    for written in &run.wrote {
        let place = match written.place {
            Place::Home => "home",
            Place::Temporary => "temporary",
            Place::Working => "working-directory",
            Place::Host => "host",
        };
        put(facts, Attribute::Writes, place);
    }
    for started in &run.started {
        let tool = match started.tool {
            Tool::Pager => "pager",
            Tool::Editor => "editor",
            Tool::Browser => "browser",
        };
        put(facts, Attribute::Starts, tool);
    }
}

/// What an answer shows.
fn answered(call: &Call, run: &Run, status: i32, packs: &Packs, seen: &mut Seen) {
    let transcript = &run.transcript;
    let reading = Reading::of(transcript);
    let sure = |it: &&Opened| it.detection.confidence > Confidence::Possible;
    let opened = reading.opened.as_ref().filter(sure);
    let by_pack = manila_pack::read_call(transcript, packs);
    let is_benign = by_pack.class.is_some_and(manila::Exit::is_success);
    let is_failure = match reading.says_failure().filter(|_| call.probe.form == Form::Json) {
        Some(says) => says,
        None => status != 0 && !is_benign,
    };
    seen.documents = documents(run, &reading);
    seen.dialect = opened.map(|it| it.detection.dialect.id().to_owned());
    let class = opened
        .map(|it| it.envelope.exit().name())
        .or_else(|| (by_pack.class_name() != "UNKNOWN").then(|| by_pack.class_name()));
    if is_failure {
        let error = opened.and_then(|it| it.envelope.error());
        let code = error.map(|it| it.code.as_str());
        let stated =
            reading.answer.as_ref().and_then(|it| it.code.as_ref()).map(|it| it.0.as_str());
        let code = code.or(stated).filter(|code| is_code(code));
        seen.outcome = Outcome::Failed(match code {
            Some(code) => Failure::Code(code.to_owned()),
            None => Failure::Exit(status),
        });
        put(&mut seen.of_failure, Attribute::Status, status.to_string());
        if let Some(class) = class {
            put(&mut seen.of_failure, Attribute::Class, class);
        }
        advice(opened, seen.documents.last(), &mut seen.of_failure);
    }
    seen.group = match (call.probe.form, is_failure) {
        (Form::Json, false) => Some(Group::Ok),
        (Form::Json, true) => Some(Group::Failure),
        (Form::Text, false) => Some(Group::Text),
        (Form::Text, true) => None,
    };
    let facts = &mut seen.of_answer;
    if !is_failure {
        put(facts, Attribute::Status, status.to_string());
    }
    put(facts, Attribute::Stdout, content(&reading.stdout));
    put(facts, Attribute::Stderr, content(&reading.stderr));
    for stream in [Stream::Stdout, Stream::Stderr] {
        if transcript.stream(stream).contains(&0x1b) {
            put(facts, Attribute::Escapes, stream.as_str());
        }
    }
    if call.probe.form == Form::Text {
        // Without a document in mind only the kind of output is a promise, and its columns.
        seen.documents.clear();
        let is_text = call.is_all_text && reading.stdout.documents.is_empty();
        if is_text
            && !is_failure
            && call.probe.purpose != Purpose::Version
            && let Some(layout) = layout(&transcript.stdout)
        {
            put(&mut seen.of_answer, Attribute::Layout, layout);
        }
        return;
    }
    if let Some(answer) = reading.answer.as_ref().filter(|_| !seen.documents.is_empty()) {
        put(facts, Attribute::Stream, answer.stream.as_str());
    }
    if let Some(dialect) = &seen.dialect {
        put(facts, Attribute::Dialect, dialect.clone());
    }
    if let Some(version) = seen.documents.last().and_then(version) {
        put(facts, Attribute::Version, version);
    }
    if is_failure {
        return;
    }
    if let Some(kind) =
        opened.and_then(|it| it.envelope.content().kind.as_deref()).filter(|it| is_code(it))
    {
        put(facts, Attribute::Kind, kind);
    }
    let has_cursor =
        seen.documents.iter().any(|document| member(document, names::CURSORS).is_some());
    if has_cursor || manila_pack::paging(&transcript.argv, packs).is_some() {
        put(facts, Attribute::Paging, "cursor");
    }
    records(&seen.documents, facts);
}

/// Whether a text is an identifier and not a sentence, a path or a value.
fn is_code(text: &str) -> bool {
    const LONGEST: usize = 64;
    let is_letter = |it: char| it.is_ascii_alphanumeric() || "_-.:".contains(it);
    !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_letter)
}

/// What a failure says the caller should do.
fn advice(opened: Option<&Opened>, document: Option<&Value>, facts: &mut Facts) {
    let error = document.and_then(|it| it.get("error")).filter(|it| it.is_object());
    let places: Vec<&Value> = error.into_iter().chain(document).collect();
    let find = |names: &[&str]| {
        places.iter().find_map(|place| {
            names.iter().find_map(|name| place.get(name).filter(|it| !it.is_null()))
        })
    };
    let failure = opened.and_then(|it| it.envelope.error());
    let stated = find(names::RETRYABLE).and_then(Value::as_bool);
    if let Some(retryable) = failure.and_then(|it| it.retryable).or(stated) {
        put(facts, Attribute::Retryable, retryable.to_string());
    }
    if find(names::MILLISECONDS).is_some() {
        put(facts, Attribute::RetryAfter, "milliseconds");
    } else if find(names::WAITS).is_some() {
        put(facts, Attribute::RetryAfter, "seconds");
    }
    let has_suggestion = failure.is_some_and(|it| it.suggestion.is_some());
    if has_suggestion || find(names::SUGGESTIONS).is_some() {
        put(facts, Attribute::Suggestion, "given");
    }
    if let Some(phase) = failure.and_then(|it| it.phase) {
        put(facts, Attribute::Phase, phase.as_str());
    }
    if failure.is_some_and(|it| it.redirect.is_some()) {
        put(facts, Attribute::Redirect, "given");
    }
}

/// What is on a stream, in a word.
fn content(content: &Content) -> &'static str {
    let documents = content.documents.len();
    match (documents, content.text.is_empty(), content.broken.is_some()) {
        _ if content.is_empty => "nothing",
        (_, _, true) => "broken",
        (0, ..) => "text",
        (1, true, _) => "document",
        (_, true, _) => "lines",
        (_, false, _) => "documents-and-text",
    }
}

/// The documents of an answer, without the name of the run's own directory.
fn documents(run: &Run, reading: &Reading) -> Vec<Value> {
    let Some(answer) = &reading.answer else { return Vec::new() };
    let on = reading.on(answer.stream);
    let bytes = run.transcript.stream(answer.stream);
    let spans = if on.documents.len() > 1 && on.text.is_empty() {
        on.documents.clone()
    } else {
        vec![answer.span.clone()]
    };
    let read =
        |span: &std::ops::Range<usize>| serde_json::from_slice(bytes.get(span.clone())?).ok();
    let mut documents: Vec<Value> = spans.iter().filter_map(read).collect();
    if !run.directory.is_empty() {
        documents.iter_mut().for_each(|document| hide(document, &run.directory));
    }
    documents
}

/// Puts a word in the place of a directory.
fn hide(value: &mut Value, directory: &str) {
    match value {
        Value::String(text) if text.contains(directory) => *text = text.replace(directory, "<run>"),
        Value::Array(elements) => elements.iter_mut().for_each(|it| hide(it, directory)),
        Value::Object(members) => members.values_mut().for_each(|it| hide(it, directory)),
        _ => {}
    }
}

/// A member of the document or of its `meta`.
fn member<'v>(document: &'v Value, names: &[&str]) -> Option<&'v Value> {
    let places = [Some(document), document.get("meta"), document.get("data")];
    places.into_iter().flatten().find_map(|place| names.iter().find_map(|name| place.get(name)))
}

/// The version that a document states.
fn version(document: &Value) -> Option<String> {
    let places = [Some(document), document.get("meta")];
    let stated = places
        .into_iter()
        .flatten()
        .find_map(|place| names::VERSIONS.iter().find_map(|name| place.get(name)))?;
    let text = match stated {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "._-/:".contains(it);
    (text.len() <= 64 && !text.is_empty() && text.chars().all(is_plain)).then_some(text)
}

/// The types of the records of a stream.
fn records(documents: &[Value], facts: &mut Facts) {
    if documents.len() < 2 {
        return;
    }
    let types = RECORDS.iter().find_map(|key| {
        let of = |document: &Value| {
            document.get(key)?.as_str().filter(|it| is_code(it)).map(str::to_owned)
        };
        documents.iter().map(of).collect::<Option<Vec<String>>>()
    });
    let Some(types) = types else { return };
    if let Some(last) = types.last() {
        put(facts, Attribute::Last, last.clone());
    }
    types.into_iter().for_each(|it| put(facts, Attribute::Record, it));
}

/// Adds what the runs of one call show.
pub(super) fn add(
    lock: &mut Lock,
    command: &[String],
    name: &str,
    runs: &[Seen],
) -> Option<Sample> {
    let own = lock.commands.entry(command.to_vec()).or_default();
    let documents: Vec<Cow<'_, Value>> = runs
        .iter()
        .filter(|seen| !seen.documents.is_empty())
        .map(|seen| match seen.documents.as_slice() {
            [one] => Cow::Borrowed(one),
            many => Cow::Owned(Value::Array(many.to_vec())),
        })
        .collect();
    let volatile = volatile(&documents.iter().map(AsRef::as_ref).collect::<Vec<_>>());
    for seen in runs {
        own.facts.join(&seen.of_command);
        let outcomes = own.calls.entry(name.to_owned()).or_default();
        Arc::make_mut(outcomes).insert(seen.outcome.clone());
        if let Outcome::Failed(failure) = &seen.outcome {
            let known = own.failures.entry(failure.clone()).or_default();
            Arc::make_mut(known).join(&seen.of_failure);
        }
        let Some(group) = seen.group else { continue };
        let mut body = Shape::default();
        for (at, document) in (0..).zip(&seen.documents) {
            body.join(&shape_of(document, seen.input, u64::from(seen.round) + 16 * at));
        }
        body.mark_volatile(&inside(&volatile, seen.documents.len() > 1));
        let answer = Answer { facts: Arc::new(seen.of_answer.clone()), body };
        own.answers.entry(group).or_default().join(&Arc::new(answer));
    }
    let first = runs.iter().find(|seen| !seen.documents.is_empty())?;
    Some(Sample {
        command: command.to_vec(),
        call: name.to_owned(),
        dialect: first.dialect.clone(),
        document: documents.into_iter().next()?.into_owned(),
        volatile,
    })
}

/// The paths within each record, if the answer is a stream of them.
fn inside(paths: &Volatile, is_stream: bool) -> Volatile {
    if !is_stream {
        return paths.clone();
    }
    let within = paths.iter().filter(|path| path.first() == Some(&Step::Item));
    within.map(|path| path[1..].to_vec()).collect::<BTreeSet<_>>()
}
