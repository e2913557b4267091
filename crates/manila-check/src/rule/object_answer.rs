//! Answers that are one JSON object, and the ways in which one breaks the shape of the others.

use crate::observe::probe::Purpose;
use crate::rule::evidence::{Evidence, ObservedRun};
use manila::Stream;
use manila::json::{Limits, Reader};
use serde_json::Value;
use std::ops::Range;

/// An answer that is one JSON object.
pub(crate) struct ObjectAnswer<'s, 'e> {
    /// The run that gave it.
    pub seen: &'s ObservedRun<'e>,
    /// The object.
    pub document: &'s Value,
    /// Whether it is a failure: it says so, or else the exit status does.
    pub is_failure: bool,
}

/// How an answer breaks its envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// The way to the value, or to the one that should be there.
    pub path: Vec<String>,
    /// What is wrong there.
    pub kind: BreachKind,
    /// In words.
    pub why: String,
}

/// What is wrong with a value of an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreachKind {
    /// The key is not there.
    Missing,
    /// It is null where it should be absent or hold something, or absent where it should be null.
    Null,
    /// Its type, or its form, is another one.
    Type,
    /// The envelope has no such key.
    Unknown,
}

/// Keys that belong to the envelope in one dialect or another; everything else at the top is
/// payload.
pub(crate) const ENVELOPE_KEYS: &[&str] = &[
    "ok",
    "success",
    "status",
    "data",
    "result",
    "error",
    "warnings",
    "meta",
    "command",
    "schema",
    "schema_version",
    "version",
    "issues",
];

/// The usual answers of a program that are one object: those of ordinary calls that asked for JSON.
/// Streams with several documents are left to the rules for documents.
pub(crate) fn object_answers<'s, 'e>(evidence: &'s Evidence<'e>) -> Vec<ObjectAnswer<'s, 'e>> {
    let is_usual = |seen: &&ObservedRun<'_>| {
        let probe = &seen.run.probe;
        let is_aside = matches!(
            probe.purpose,
            Purpose::OddBytes
                | Purpose::ShellWords
                | Purpose::Mangled
                | Purpose::Extra
                | Purpose::Existence
        );
        probe.is_plain() && !is_aside && !seen.command.is_some_and(|command| command.streams)
    };
    evidence.json().filter(is_usual).filter_map(of).collect()
}

/// The answer of a run, if it is exactly one object.
pub(crate) fn of<'s, 'e>(seen: &'s ObservedRun<'e>) -> Option<ObjectAnswer<'s, 'e>> {
    let answer = seen.reading.answer.as_ref()?;
    if seen.reading.on(answer.stream).documents.len() != 1 {
        return None;
    }
    let document = seen.document()?;
    let is_failure = seen.reading.says_failure().unwrap_or(!seen.exited_zero());
    document.is_object().then_some(ObjectAnswer { seen, document, is_failure })
}

impl ObjectAnswer<'_, '_> {
    /// Where the value at this path stands; of what is not there, the nearest that is.
    pub(crate) fn place(&self, path: &[impl AsRef<str>]) -> Option<(Stream, Range<usize>)> {
        place(self.seen, path)
    }

    /// The value at this path.
    pub(crate) fn get(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(self.document, |value, key| value.get(key))
    }

    /// The text or the number at this path, which may lead through lists.
    pub(crate) fn text(&self, path: &[String]) -> Option<String> {
        let value = path.iter().try_fold(self.document, |value, key| {
            value.get(key).or_else(|| value.get(key.parse::<usize>().ok()?))
        })?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// The command and what was asked of it: one class of answer.
    pub(crate) fn class(&self) -> (&[String], Purpose) {
        (&self.seen.run.probe.command, self.seen.run.probe.purpose)
    }
}

/// Where the value at this path of a run's answer stands; of what is not there, the nearest that is.
pub(crate) fn place(
    seen: &ObservedRun<'_>,
    path: &[impl AsRef<str>],
) -> Option<(Stream, Range<usize>)> {
    let answer = seen.reading.answer.as_ref()?;
    let mut reader = Reader::new(Limits::default());
    let bytes = seen.run.transcript.stream(answer.stream);
    let document = reader.read_at(bytes, answer.span.start).ok()?;
    let mut value = document.root();
    for key in path {
        let key = key.as_ref();
        let found = key.parse().ok().and_then(|at| value.elements().nth(at)).or_else(|| {
            let members: Vec<_> = value.members().collect();
            members.iter().rfind(|member| member.is(key)).map(|member| member.value)
        });
        let Some(found) = found else { break };
        value = found;
    }
    Some((answer.stream, value.span()))
}

/// The word for a value's type, with its article.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
