//! From one dialect to another, with a list of what the other could not say.
//!
//! The list is not kept by hand: what was written is opened again and compared, field by field,
//! with what was meant. A conversion without losses is therefore one that opens to the same
//! envelope.

use crate::detect::{Options, Scope};
use crate::dialect::{Dialect, DialectWriter};
use crate::envelope::{Content, Envelope, ErrorObject, Fix, Meta};
use crate::error::Error;
use crate::json::{FactKind, Layout, Limits, Members, Raw, Writer};
use crate::open::{Opened, Span, open};
use crate::table::{Defaults, Form, Place};
use crate::transcript::{Status, Stream, Transcript};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// One answer in one dialect, ready to be emitted.
///
/// ```
/// use manila::{Defaults, Envelope, ErrorObject, Exit, dialects, write};
///
/// let failure = Envelope::failure(Exit::NotFound, ErrorObject::new("NO_SUCH_NOTE", "there is no note 7"));
/// let written = write(&failure, dialects::TD_1, &Defaults::default());
/// assert_eq!(written.stream, manila::Stream::Stderr);
/// assert_eq!(written.status, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The document, with the newline that ends it.
    pub document: Vec<u8>,
    /// The stream it belongs on.
    pub stream: Stream,
    /// The status that the process must end with.
    pub status: i32,
}

/// What became of something that a dialect cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is gone.
    Dropped,
    /// It is said, but differently.
    Changed(Raw),
    /// It was not said, the dialect requires it, and this was written.
    Invented(Raw),
}

/// Something that a dialect could not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The field of the normal form, such as `error.suggestion`.
    pub field: String,
    /// Its value; for something invented, null.
    pub value: Raw,
    /// What became of it.
    pub fate: Fate,
    /// Where the value stood in the stream it was read from, if it was read.
    pub place: Option<Range<usize>>,
}

impl Fate {
    /// Its word, and what is said now.
    fn parts(&self) -> (&'static str, Option<&Raw>) {
        match self {
            Fate::Dropped => ("dropped", None),
            Fate::Changed(now) => ("changed", Some(now)),
            Fate::Invented(now) => ("invented", Some(now)),
        }
    }
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (fate, now) = self.fate.parts();
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("field", &self.field)?;
        map.serialize_entry("fate", fate)?;
        map.serialize_entry("value", &self.value)?;
        map.serialize_entry("now", &now)?;
        map.serialize_entry("span", &self.place.as_ref().map(Span::from))?;
        map.end()
    }
}

/// A written answer and what it could not say.
///
/// See [`convert`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The answer.
    pub written: Written,
    /// What is not in it as it was meant.
    pub losses: Vec<Loss>,
}

/// Writes an envelope in a dialect.
pub fn write(envelope: &Envelope, dialect: &dyn DialectWriter, defaults: &Defaults) -> Written {
    write_into(Vec::with_capacity(512), envelope, dialect, defaults, Lines::AsUsual)
}

/// Over how many lines a document goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// As the dialect lays it out.
    AsUsual,
    /// One, whatever the dialect's layout is: the last of a stream of lines.
    One,
}

/// The same, into memory that is already there. While that has room nothing is allocated, if the
/// envelope is a failure without data: a program can say so in a signal handler.
pub fn write_into(
    memory: Vec<u8>,
    envelope: &Envelope,
    dialect: &dyn DialectWriter,
    defaults: &Defaults,
    lines: Lines,
) -> Written {
    let Form { stream, mut style } = dialect.form(envelope.ok());
    if lines == Lines::One && style.layout == Layout::Pretty {
        style.layout = Layout::Compact;
    }
    let document = Writer::reusing(style, memory)
        .document(|document| dialect.write(envelope, defaults, document));
    let status = defaults.status(dialect.table().exits, envelope.exit());
    Written { document, stream, status }
}

/// Writes an envelope in a dialect and lists what that could not say.
///
/// ```
/// use manila::{Defaults, Options, Status, Transcript, convert, dialect, open};
///
/// let answer = br#"{"ok":false,"data":null,"error":{"code":"GONE","message":"no such note","retryable":false},
///     "warnings":[],"meta":{"duration_ms":6,"schema_version":"1.0"}}"#;
/// let opened = open(&Transcript::from_stdout(*answer, Status::Exited(5)), &Options::default())?;
/// let td = dialect("td/1").expect("it is built in");
/// let conversion = convert(&opened.envelope, td, &Defaults::default())?;
/// assert!(conversion.written.document.starts_with(b"{\n  \"ok\": false"));
/// assert!(conversion.losses.iter().any(|loss| loss.field == "error.retryable"));
/// # Ok::<(), manila::Error>(())
/// ```
pub fn convert(
    envelope: &Envelope,
    dialect: &'static dyn Dialect,
    defaults: &Defaults,
) -> Result<Conversion, Error> {
    let mut written = write(envelope, dialect, defaults);
    let mut transcript =
        Transcript { status: Status::Exited(written.status), ..Transcript::default() };
    let stream = match written.stream {
        Stream::Stdout => &mut transcript.stdout,
        Stream::Stderr => &mut transcript.stderr,
    };
    *stream = std::mem::take(&mut written.document);
    // What could be read with wider limits must be readable here too.
    let limits = Limits { bytes: usize::MAX, depth: usize::MAX };
    let again =
        open(&transcript, &Options { limits, dialect: Some(dialect), scope: Scope::Named })?;
    written.document = match written.stream {
        Stream::Stdout => transcript.stdout,
        Stream::Stderr => transcript.stderr,
    };
    Ok(Conversion { written, losses: losses(&fields(envelope), &fields(&again.envelope)) })
}

impl Opened {
    /// Writes what was opened in another dialect, each loss with its place in the original.
    pub fn convert(
        &self,
        dialect: &'static dyn Dialect,
        defaults: &Defaults,
    ) -> Result<Conversion, Error> {
        let mut conversion = convert(&self.envelope, dialect, defaults)?;
        let places = spans(&self.places);
        for loss in &mut conversion.losses {
            loss.place = places.get(loss.field.as_str()).cloned();
        }
        conversion.losses.extend(self.unknown_revision(dialect));
        conversion.losses.extend(self.torn_text());
        Ok(conversion)
    }

    /// The revision that the document states and that is not known here: what it means by its keys is
    /// not known either.
    fn unknown_revision(&self, dialect: &dyn Dialect) -> Option<Loss> {
        let fact = self.facts.iter().find(|fact| fact.kind == FactKind::UnknownRevision)?;
        let text = |text: &str| Raw::from_serialize(text).unwrap_or_else(|_| Raw::null());
        Some(Loss {
            field: "meta.schema_version".to_owned(),
            value: text(fact.subject.as_deref().unwrap_or_default()),
            fate: dialect.table().version.map_or(Fate::Dropped, |now| Fate::Changed(text(now))),
            place: Some(fact.span.clone()),
        })
    }

    /// The strings that were already changed when they were read, because they were invalid: half a
    /// surrogate pair is not a character. Strings that are not interpreted, such as in the payload,
    /// keep it.
    fn torn_text(&self) -> Vec<Loss> {
        let torn: Vec<_> =
            self.facts.iter().filter(|fact| fact.kind == FactKind::LoneSurrogate).collect();
        let is_torn = |span: &Range<usize>| {
            torn.iter().any(|fact| span.start <= fact.span.start && fact.span.end <= span.end)
        };
        let texts =
            self.places.iter().filter(|place| is_text(&place.field) && is_torn(&place.span));
        texts
            .map(|Place { field, span }| Loss {
                field: field.to_string(),
                value: Raw::null(),
                fate: Fate::Changed(
                    Raw::from_serialize("\u{fffd}").unwrap_or_else(|_| Raw::null()),
                ),
                place: Some(span.clone()),
            })
            .collect()
    }
}

/// Whether a field is text of its own: not a container of others, and not kept as it was spelled.
fn is_text(field: &str) -> bool {
    let containers = ["error", "meta", "issues", "warnings", "data", "error.details"];
    let as_spelled = ["extra.", "error.extra.", "meta.extra."];
    let of_element = field.contains("].");
    let spelled = of_element || as_spelled.iter().any(|prefix| field.starts_with(prefix));
    !containers.contains(&field) && !spelled
}

/// Where each field stood, from the first of its pieces to the last.
fn spans(places: &[Place]) -> HashMap<&str, Range<usize>> {
    let mut spans: HashMap<&str, Range<usize>> = HashMap::with_capacity(places.len());
    for Place { field, span } in places {
        let all = spans.entry(field).or_insert_with(|| span.clone());
        *all = all.start.min(span.start)..all.end.max(span.end);
    }
    spans
}

fn losses(meant: &[Field<'_>], said: &[Field<'_>]) -> Vec<Loss> {
    let (all_meant, all_said) = (by_name(meant), by_name(said));
    let gone_or_changed = meant.iter().filter_map(|(field, value)| {
        let fate = match all_said.get(field.as_str()) {
            Some(other) if **other == **value => return None,
            Some(other) => Fate::Changed(Raw::clone(other)),
            None => Fate::Dropped,
        };
        Some(Loss { field: field.clone(), value: Raw::clone(value), fate, place: None })
    });
    let invented = said.iter().filter(|(field, _)| !all_meant.contains_key(field.as_str())).map(
        |(field, value)| Loss {
            field: field.clone(),
            value: Raw::null(),
            fate: Fate::Invented(Raw::clone(value)),
            place: None,
        },
    );
    gone_or_changed.chain(invented).collect()
}

/// A field of the normal form and what it says.
type Field<'a> = (String, Cow<'a, Raw>);

fn by_name<'a>(fields: &'a [Field<'_>]) -> HashMap<&'a str, &'a Raw> {
    fields.iter().map(|(field, value)| (field.as_str(), value.as_ref())).collect()
}

/// Everything an envelope says, field by field. The status number and the contract version are
/// not among them: each dialect has its own.
///
/// Each part is taken apart completely, so that a field which is forgotten here does not compile.
fn fields(envelope: &Envelope) -> Vec<Field<'_>> {
    let Content { kind, data, error, issues, warnings, missing, meta, extra } = envelope.content();
    let mut list = Fields(Vec::new());
    list.add("exit", &envelope.exit());
    list.add_some("kind", kind.as_ref());
    list.add_raw("data", data.as_ref());
    list.add_some("missing", missing.as_ref());
    if let Some(error) = error {
        list.add_error(error);
    }
    for (index, issue) in issues.iter().enumerate() {
        list.add(&format!("issues[{index}]"), issue);
    }
    for (index, warning) in warnings.iter().enumerate() {
        list.add(&format!("warnings[{index}]"), warning);
    }
    list.add_meta(meta);
    list.add_members("extra", extra);
    list.0
}

struct Fields<'a>(Vec<Field<'a>>);

impl<'a> Fields<'a> {
    fn add<T: Serialize + ?Sized>(&mut self, field: &str, value: &T) {
        let value = Raw::from_serialize(value).unwrap_or_else(|_| Raw::null());
        self.0.push((field.to_owned(), Cow::Owned(value)));
    }

    fn add_raw(&mut self, field: &str, value: Option<&'a Raw>) {
        self.0.extend(value.map(|value| (field.to_owned(), Cow::Borrowed(value))));
    }

    fn add_some<T: Serialize>(&mut self, field: &str, value: Option<&T>) {
        if let Some(value) = value {
            self.add(field, value);
        }
    }

    fn add_error(&mut self, error: &'a ErrorObject) {
        #[rustfmt::skip]
        let ErrorObject {
            code, message, detail, details, retryable, wait_ms, strategy, phase, suggestion,
            redirect, operation, target, fix: Fix { required, command }, extra,
        } = error;
        self.add("error.code", code);
        self.add("error.message", message);
        self.add_some("error.detail", detail.as_ref());
        self.add_raw("error.details", details.as_ref());
        self.add_some("error.retryable", retryable.as_ref());
        self.add_some("error.wait_ms", wait_ms.as_ref());
        self.add_some("error.strategy", strategy.as_ref());
        self.add_some("error.phase", phase.as_ref());
        self.add_some("error.suggestion", suggestion.as_ref());
        self.add_some("error.redirect", redirect.as_ref());
        self.add_some("error.operation", operation.as_ref());
        self.add_some("error.target", target.as_ref());
        self.add_some("error.fix.required", required.as_ref());
        self.add_some("error.fix.command", command.as_ref());
        self.add_members("error.extra", extra);
    }

    fn add_meta(&mut self, meta: &'a Meta) {
        #[rustfmt::skip]
        let Meta {
            duration_ms, request_id, schema_version: _, not_modified, truncated, cursor, timestamp,
            cwd, extra,
        } = meta;
        self.add_some("meta.duration_ms", duration_ms.as_ref());
        self.add_some("meta.request_id", request_id.as_ref());
        self.add_some("meta.not_modified", not_modified.then_some(&true));
        self.add_some("meta.truncated", truncated.then_some(&true));
        self.add_some("meta.cursor", cursor.as_ref());
        self.add_some("meta.timestamp", timestamp.as_ref());
        self.add_some("meta.cwd", cwd.as_ref());
        self.add_members("meta.extra", extra);
    }

    /// Equal keys are distinguished by their order.
    fn add_members(&mut self, field: &str, members: &'a Members) {
        let mut met: HashMap<&str, usize> = HashMap::new();
        for (key, value) in members.iter() {
            let times = met.entry(key).or_default();
            let name = match *times {
                0 => format!("{field}.{key}"),
                again => format!("{field}.{key}[{again}]"),
            };
            *times += 1;
            self.add_raw(&name, Some(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DIALECTS;
    use crate::exit::Exit;
    use crate::known::dialect;

    fn not_found() -> Envelope {
        let error = ErrorObject {
            suggestion: Some("look elsewhere".to_owned()),
            ..ErrorObject::new("TASK_NOT_FOUND", "no task 7")
        };
        let meta = Meta { duration_ms: Some(3), ..Meta::default() };
        let content = Content { error: Some(error), meta, ..Content::default() };
        Envelope::new(Exit::NotFound, content).expect("an envelope")
    }

    fn fates(id: &str) -> Vec<(String, Fate)> {
        let dialect = dialect(id).expect("a dialect");
        let conversion = convert(&not_found(), dialect, &Defaults::default()).expect("converts");
        conversion.losses.into_iter().map(|loss| (loss.field, loss.fate)).collect()
    }

    #[test]
    fn what_a_dialect_can_say_is_no_loss() {
        assert_eq!(fates("response-envelope/1.0"), []);
        assert_eq!(fates("response-envelope/1.6"), []);
        let dropped = |field: &str| (field.to_owned(), Fate::Dropped);
        assert_eq!(fates("td/1"), [dropped("meta.duration_ms")]);
    }

    #[test]
    fn a_closed_set_of_codes_changes_the_code() {
        let changed = Fate::Changed(Raw::parse("\"not_found\"").expect("valid"));
        assert_eq!(
            fates("animus/1"),
            [
                ("error.code".to_owned(), changed),
                ("error.suggestion".to_owned(), Fate::Dropped),
                ("meta.duration_ms".to_owned(), Fate::Dropped),
            ]
        );
    }

    #[test]
    fn streams_and_numbers_are_the_dialects_own() {
        for (id, stream, status) in [
            ("response-envelope/1.0", Stream::Stdout, 5),
            ("animus/1", Stream::Stderr, 3),
            ("td/1", Stream::Stderr, 1),
            ("claw/2.0", Stream::Stdout, 1),
        ] {
            let dialect = dialect(id).expect("a dialect");
            let written = write(&not_found(), dialect, &Defaults::default());
            assert_eq!((written.stream, written.status), (stream, status), "{id}");
        }
    }

    #[test]
    fn every_dialect_writes_what_it_can_open() {
        for dialect in DIALECTS {
            assert!(convert(&not_found(), *dialect, &Defaults::default()).is_ok(), "{dialect:?}");
        }
    }
}
