//! The frame of a program's answers: what its dialect, or else its own habit, puts around the data,
//! and which answers break it.

use crate::evidence::{Evidence, Seen};
use crate::habit::Habit;
use crate::probe::Purpose;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use manila::json::{Limits, Reader};
use manila::{Confidence, Dialect, Stream};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;

/// An answer that is one JSON object.
pub(crate) struct Framed<'s, 'e> {
    /// The run that gave it.
    pub seen: &'s Seen<'e>,
    /// The object.
    pub document: &'s Value,
    /// Whether it is a failure: it says so, or else the exit status does.
    pub is_failure: bool,
}

/// How an answer breaks its frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// The way to the value, or to the one that should be there.
    pub path: Vec<String>,
    /// What is wrong there.
    pub kind: BreachKind,
    /// In words.
    pub why: String,
}

/// What is wrong with a value of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreachKind {
    /// The key is not there.
    Missing,
    /// It is null where it should be absent or hold something, or absent where it should be null.
    Null,
    /// Its type, or its form, is another one.
    Type,
}

/// Keys that belong to a frame in one dialect or another; whatever else stands at the top is payload.
pub(crate) const FRAME: &[&str] = &[
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

/// The usual answers of a program that are one object: those that were asked for JSON with nothing
/// special about them. What stands beside others on its stream is left to the rules for documents.
pub(crate) fn framed<'s, 'e>(evidence: &'s Evidence<'e>) -> Vec<Framed<'s, 'e>> {
    let is_usual = |seen: &&Seen<'_>| {
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

/// The answer of a run, if it is one object that stands alone.
pub(crate) fn of<'s, 'e>(seen: &'s Seen<'e>) -> Option<Framed<'s, 'e>> {
    let answer = seen.reading.answer.as_ref()?;
    if seen.reading.on(answer.stream).documents.len() != 1 {
        return None;
    }
    let document = seen.document()?;
    let is_failure = seen.reading.says_failure().unwrap_or(!seen.exited_zero());
    document.is_object().then_some(Framed { seen, document, is_failure })
}

impl Framed<'_, '_> {
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
pub(crate) fn place(seen: &Seen<'_>, path: &[impl AsRef<str>]) -> Option<(Stream, Range<usize>)> {
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

/// The dialect that a program certainly speaks: most of its answers carry all marks of it.
pub(crate) fn spoken(answers: &[Framed<'_, '_>]) -> Option<&'static dyn Dialect> {
    let mut counts: BTreeMap<&str, (usize, &'static dyn Dialect)> = BTreeMap::new();
    for dialect in answers.iter().filter_map(|answer| certain(answer.seen)) {
        counts.entry(dialect.id()).or_insert((0, dialect)).0 += 1;
    }
    let total: usize = counts.values().map(|(count, _)| count).sum();
    let id = |(_, dialect): &(usize, &'static dyn Dialect)| dialect.id();
    // One program's answers are of both revisions where only some carry a mark of the later one.
    let newer = counts.get("response-envelope/1.6").copied();
    let both = counts.values().filter(|it| id(it).starts_with("response-envelope/")).map(|it| it.0);
    let (count, dialect) = match newer {
        Some((_, newer)) => (both.sum(), newer),
        None => counts.into_values().max_by_key(|(count, _)| *count)?,
    };
    (count * 2 > answers.len() && count * 2 > total).then_some(dialect)
}

/// The dialect of an answer that carries all its marks, in the shape that the dialect's schema is of.
/// What else the core reads as it is a mixture of revisions, and no schema describes it.
pub(crate) fn certain(seen: &Seen<'_>) -> Option<&'static dyn Dialect> {
    const MIXTURES: &[&str] =
        &["flat with status and error_kind", "wrapped, schema_version 1.0", "payload under data"];
    let detection = &seen.reading.opened.as_ref()?.detection;
    let is_certain = detection.confidence == Confidence::Certain;
    (is_certain && !MIXTURES.contains(&detection.shape)).then_some(detection.dialect)
}

/// Whether two answers speak of the same dialect's revisions.
pub(crate) fn is_kin(one: &dyn Dialect, other: &dyn Dialect) -> bool {
    let name =
        |dialect: &dyn Dialect| dialect.id().split('/').next().unwrap_or_default().to_owned();
    name(one) == name(other)
}

/// The frame that a program's answers should have.
pub(crate) enum Frame {
    /// That of a dialect.
    Spoken(&'static dyn Dialect, Box<Validator>),
    /// What most of its own answers have in common.
    Habit(Habit),
}

impl Frame {
    /// The frame of these answers: of the dialect, else by habit. Answers of several recorded runs
    /// may be of several programs and have none in common.
    pub(crate) fn of(answers: &[Framed<'_, '_>]) -> Option<Frame> {
        if let Some(dialect) = spoken(answers) {
            let schema = manila::schema(dialect, None)?;
            let validator = jsonschema::validator_for(&schema).ok()?;
            return Some(Frame::Spoken(dialect, Box::new(validator)));
        }
        Habit::of(answers).map(Frame::Habit)
    }

    /// The keys of the top that an answer should have and has not.
    pub(crate) fn lacks(&self, answer: &Framed<'_, '_>) -> Vec<String> {
        let missing = |breach: &Breach| breach.kind != BreachKind::Type && breach.path.len() == 1;
        let absent = |breach: &Breach| answer.document.get(&breach.path[0]).is_none();
        let breaches = self.all_breaches(answer);
        breaches
            .into_iter()
            .filter(|breach| missing(breach) && absent(breach))
            .map(|mut breach| breach.path.remove(0))
            .collect()
    }

    /// Whether an answer has another frame altogether: most of what this one has at the top is not
    /// there. That is not a field missing but another dialect.
    pub(crate) fn is_foreign(&self, answer: &Framed<'_, '_>) -> bool {
        if let (Frame::Spoken(own, _), Some(other)) = (self, certain(answer.seen)) {
            return !is_kin(*own, other);
        }
        let lacks = self.lacks(answer).len();
        let has = FRAME.iter().filter(|key| answer.document.get(**key).is_some()).count();
        lacks > 0 && lacks >= has
    }

    /// How an answer breaks the frame; nothing if it has another one altogether.
    pub(crate) fn breaches(&self, answer: &Framed<'_, '_>) -> Vec<Breach> {
        if self.is_foreign(answer) { Vec::new() } else { self.all_breaches(answer) }
    }

    fn all_breaches(&self, answer: &Framed<'_, '_>) -> Vec<Breach> {
        match self {
            Frame::Spoken(dialect, validator) => {
                let errors: Vec<_> = validator.iter_errors(answer.document).collect();
                let mut breaches = Vec::new();
                for error in &errors {
                    collect(error, answer, *dialect, &mut breaches);
                }
                breaches
            }
            Frame::Habit(habit) => habit.breaches(answer),
        }
    }
}

/// What an error of the schema says about the frame, if it is about that.
fn collect(
    error: &ValidationError<'_>,
    answer: &Framed<'_, '_>,
    dialect: &dyn Dialect,
    into: &mut Vec<Breach>,
) {
    let mut path: Vec<String> = error.instance_path().iter().map(|it| it.to_string()).collect();
    let id = dialect.id();
    let name = |path: &[String]| path.join(".");
    match error.kind() {
        // A choice between outcomes: the one that is the least wrong is meant.
        ValidationErrorKind::AnyOf { context } if path.is_empty() => {
            let best = context.iter().min_by_key(|branch| branch.len());
            for error in best.into_iter().flatten() {
                collect(error, answer, dialect, into);
            }
        }
        ValidationErrorKind::Required { property } => {
            let Some(key) = property.as_str() else { return };
            path.push(key.to_owned());
            let is_null_elsewhere = path.len() == 1
                && ((key == "error" && !answer.is_failure) || (key == "data" && answer.is_failure));
            let (kind, why) = if is_null_elsewhere {
                (BreachKind::Null, format!("{key} is absent where {id} says null"))
            } else {
                (BreachKind::Missing, format!("{} is missing, which {id} requires", name(&path)))
            };
            into.push(Breach { path, kind, why });
        }
        ValidationErrorKind::Type { .. }
        | ValidationErrorKind::FalseSchema
        | ValidationErrorKind::Pattern { .. }
        | ValidationErrorKind::Minimum { .. } => {
            let is_null = error.instance().is_null();
            let top = path.first().map_or("", String::as_str);
            // Who says success and failure at once contradicts itself, which is another flaw.
            let is_outcome = path.len() == 1 && matches!(top, "error" | "data" | "type");
            let is_condition = error.schema_path().as_str().contains("/then/");
            if is_outcome && is_condition && !is_null {
                return;
            }
            if is_outcome && is_condition && top == "error" && answer.is_failure {
                return;
            }
            let (kind, why) = match is_null {
                true if matches!(error.kind(), ValidationErrorKind::FalseSchema) => {
                    (BreachKind::Null, format!("{} is null where {id} says absent", name(&path)))
                }
                true => (BreachKind::Null, format!("{} is null, which {id} forbids", name(&path))),
                false => {
                    let is = type_of(error.instance());
                    (BreachKind::Type, format!("{} is {is}, which {id} forbids", name(&path)))
                }
            };
            into.push(Breach { path, kind, why });
        }
        _ => {}
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;
    use crate::testing::{ran, surface};

    const RIGHT: &str =
        r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;

    fn breaches(last: &str) -> Vec<(BreachKind, String)> {
        let subject = Subject {
            argv: vec!["notes".into()],
            shown: vec!["notes".to_owned()],
            variables: Vec::new(),
            fixture: None,
        };
        let surface = surface();
        let runs = [
            ran(Purpose::Sample, RIGHT, 0),
            ran(Purpose::Empty, RIGHT, 0),
            ran(Purpose::Missing, last, 0),
        ];
        let evidence = Evidence::new(&subject, &surface, &runs);
        let answers = framed(&evidence);
        let frame = Frame::of(&answers).expect("a frame");
        let breaches = frame.breaches(&answers[2]);
        breaches.into_iter().map(|it| (it.kind, it.path.join("."))).collect()
    }

    #[test]
    fn what_a_dialect_requires_is_missed() {
        assert_eq!(breaches(RIGHT), []);
        let without = RIGHT.replace(r#""warnings":[],"#, "");
        assert_eq!(breaches(&without), [(BreachKind::Missing, "warnings".to_owned())]);
        let without = RIGHT.replace(r#""error":null,"#, "");
        assert_eq!(breaches(&without), [(BreachKind::Null, "error".to_owned())]);
        let deep = RIGHT.replace(r#""duration_ms":1"#, "");
        assert_eq!(breaches(&deep), [(BreachKind::Missing, "meta.duration_ms".to_owned())]);
    }

    #[test]
    fn types_and_nulls_are_told_apart() {
        let text = RIGHT.replace(r#""duration_ms":1"#, r#""duration_ms":"1""#);
        assert_eq!(breaches(&text), [(BreachKind::Type, "meta.duration_ms".to_owned())]);
        let null = RIGHT.replace("[]", "null");
        assert_eq!(breaches(&null), [(BreachKind::Null, "warnings".to_owned())]);
    }

    #[test]
    fn every_mixture_is_a_shape_that_the_core_knows() {
        let shape = |stdout: &str| {
            let reading = crate::reading::Reading::of(&ran(Purpose::Sample, stdout, 0).transcript);
            reading.opened.map(|opened| opened.detection.shape)
        };
        let claw = r#"{"error":"e","error_kind":"k","kind":"config","status":"error"}"#;
        assert_eq!(shape(claw), Some("flat with status and error_kind"));
        let wrapped = r#"{"timestamp":"t","command":"c","exit_code":0,"output_format":"json","schema_version":"1.0"}"#;
        assert_eq!(shape(wrapped), Some("wrapped, schema_version 1.0"));
        let below = wrapped.replace("1.0\"}", "2.0\",\"data\":{}}");
        assert_eq!(shape(&below), Some("payload under data"));
    }

    #[test]
    fn a_contradiction_and_another_dialect_are_left_to_others() {
        let both = RIGHT.replace("null", r#"{"code":"A","message":"m"}"#);
        assert_eq!(breaches(&both), []);
        assert_eq!(breaches(r#"{"items":[]}"#), []);
    }
}
