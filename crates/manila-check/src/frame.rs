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
    /// The frame has no such key.
    Unknown,
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

/// The dialect that a program certainly speaks: most of its answers carry all marks of it. Where only
/// its successes do, or only its failures, the others must at least look like it: an envelope that
/// loses keys in one of the two outcomes is still that envelope.
pub(crate) fn spoken(answers: &[Framed<'_, '_>]) -> Option<&'static dyn Dialect> {
    let all: Vec<_> = answers.iter().collect();
    if let Some((dialect, count)) = most_certain(&all)
        && count * 2 > all.len()
    {
        return Some(dialect);
    }
    [false, true].into_iter().find_map(|is_failure| {
        let group: Vec<_> = answers.iter().filter(|it| it.is_failure == is_failure).collect();
        let (dialect, count) = most_certain(&group)?;
        let alike = answers.iter().filter(|answer| is_like(answer.seen, dialect)).count();
        (count > 1 && count * 2 > group.len() && alike * 2 > answers.len()).then_some(dialect)
    })
}

/// The dialect that most of these answers are certainly in, of those that are certain at all, and how
/// many are.
fn most_certain(answers: &[&Framed<'_, '_>]) -> Option<(&'static dyn Dialect, usize)> {
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
    (count * 2 > total).then_some((dialect, count))
}

/// The dialect of an answer that carries all its marks, in the shape that the dialect's schema is of.
/// What else the core reads as it is a mixture of revisions, and no schema describes it.
pub(crate) fn certain(seen: &Seen<'_>) -> Option<&'static dyn Dialect> {
    const MIXTURES: &[&str] =
        &["flat with status and error_kind", "wrapped, schema_version 1.0", "payload under data"];
    let opened = seen.reading.opened.as_ref()?;
    let detection = &opened.detection;
    let stated = opened.envelope.content().meta.schema_version.as_deref();
    let is_certain = match detection.confidence {
        Confidence::Certain => true,
        // A key is missing or too many, and the dialect's own mark is there all the same.
        Confidence::Likely => {
            let names_revision = stated.is_some() && stated == detection.dialect.about().version;
            MARKED.contains(&detection.shape) || names_revision
        }
        Confidence::Possible => false,
    };
    (is_certain && !MIXTURES.contains(&detection.shape)).then_some(detection.dialect)
}

/// The core's names for shapes that no other dialect has: all keys of a response envelope with a further
/// one beside them, and an i18nprune envelope with its version but without its data.
const MARKED: &[&str] = &["five keys", "issues without data"];

/// Whether an answer could be of this dialect, or of another revision of it.
fn is_like(seen: &Seen<'_>, dialect: &dyn Dialect) -> bool {
    let Some(opened) = &seen.reading.opened else { return false };
    let others = opened.detection.others.iter().map(|(id, _)| *id);
    let mut ids = std::iter::once(opened.detection.dialect.id()).chain(others);
    ids.any(|id| family(id) == family(dialect.id()))
}

/// Whether two answers speak of the same dialect's revisions.
pub(crate) fn is_kin(one: &dyn Dialect, other: &dyn Dialect) -> bool {
    family(one.id()) == family(other.id())
}

/// The id of a dialect without its revision.
fn family(id: &str) -> &str {
    id.split('/').next().unwrap_or_default()
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
        // An error that says failure as the dialect does is of it, however much else is missing.
        let has_key = |key: &str| answer.document.get(key).is_some();
        if let Frame::Spoken(dialect, _) = self
            && is_like(answer.seen, *dialect)
            && answer.is_failure
            && has_key("error")
        {
            return false;
        }
        let lacks = self.lacks(answer).len();
        let has = FRAME.iter().filter(|key| has_key(key)).count();
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
            // Only one dialect writes null where there is nothing; the others have a value or no key.
            let has_null = family(id) == "response-envelope" && path.len() == 1;
            let is_null_elsewhere = has_null
                && ((key == "error" && !answer.is_failure) || (key == "data" && answer.is_failure));
            let (kind, why) = if is_null_elsewhere {
                (BreachKind::Null, format!("{key} is absent where {id} says null"))
            } else {
                (BreachKind::Missing, format!("{} is missing, which {id} requires", name(&path)))
            };
            into.push(Breach { path, kind, why });
        }
        ValidationErrorKind::AdditionalProperties { unexpected } if path.is_empty() => {
            into.extend(unexpected.iter().map(|key| Breach {
                path: vec![key.clone()],
                kind: BreachKind::Unknown,
                why: format!("{key} is no key of {id}"),
            }));
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
        assert_eq!(shape(RIGHT), Some(MARKED[0]));
        let i18nprune = r#"{"ok":true,"kind":"k","issues":[],"meta":{"apiVersion":"1"}}"#;
        assert_eq!(shape(i18nprune), Some(MARKED[1]));
    }

    #[test]
    fn a_contradiction_and_another_dialect_are_left_to_others() {
        let both = RIGHT.replace("null", r#"{"code":"A","message":"m"}"#);
        assert_eq!(breaches(&both), []);
        assert_eq!(breaches(r#"{"items":[]}"#), []);
    }
}
