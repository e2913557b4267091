//! `claw/2.0`: the target of claw's SCHEMAS.md, and the wrapped shape that the Python reference writes.
//!
//! The payload stands beside the envelope's own keys, and an entity that does not exist has a form of
//! its own: writing that takes code.

use super::{Dialect, DialectWriter, is_plain_payload};
use crate::envelope::{Content, Envelope, ErrorObject};
use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Document, Kind, Layout, ObjectWriter, Raw, Style};
use crate::table::{
    self, Claims, CodeSet, Confidence, Defaults, Field, Fields, Form, Is, Key, KindNames, Level,
    Marks, Match, OutcomeFrom, Rest, Revision, Role, Schema, Shape, Table, Test, Type, implied, is,
    is_not,
};
use crate::transcript::Stream;
use std::borrow::Cow;

pub(super) struct Claw20;

const VERSION: &str = "2.0";

/// The document names both.
pub(super) const REVISION: Revision = Revision { path: "schema_version", known: &["1.0", VERSION] };

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::Timeout, Retry::Depends, Effects::Partial),
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

/// The kinds of error of claw's SCHEMAS.md, the class each stands for, and the kind each class is written as:
/// the first that has it.
static CODES: &[(&str, Exit)] = &[
    ("unknown", Exit::General),
    ("filesystem", Exit::General),
    ("session", Exit::General),
    ("runtime", Exit::General),
    ("mcp", Exit::General),
    ("auth", Exit::AuthRequired),
    ("usage", Exit::ArgError),
    ("parse", Exit::ArgError),
    ("policy", Exit::PermissionDenied),
    ("delivery", Exit::Unavailable),
    ("command_not_found", Exit::NotFound),
    ("tool_not_found", Exit::NotFound),
    ("session_not_found", Exit::NotFound),
];

/// The kinds that say an entity does not exist.
const NOT_FOUND: [&str; 3] = ["command_not_found", "tool_not_found", "session_not_found"];

/// As the only program that ever wrote the wrapped shape spells it.
const FORM: Form =
    Form { stream: Stream::Stdout, style: Style { layout: Layout::Spaced, ascii: true } };

const COMMON: &[&str] = &["timestamp", "output_format", "schema_version"];
/// A record of another run is not an answer of the command itself.
const RECORDED: &[Test] =
    &[is("stdout", Is::Present), is("stderr", Is::Present), is("ok", Is::Present)];
/// An entity that does not exist has no call that failed.
const IS_FAILED_CALL: &[Test] = &[is_not("found", Is::False)];

const ERROR_KEYS: &[Key] = &[
    Key::new("kind", Field::Code, Type::Text).required(),
    Key::new("operation", Field::Operation, Type::Text)
        .required_if(IS_FAILED_CALL)
        .empty_is_absent(),
    Key::new("target", Field::Target, Type::Text).required_if(IS_FAILED_CALL).empty_is_absent(),
    Key::new("retryable", Field::Retryable, Type::Flag).required(),
    Key::new("message", Field::Message, Type::Text).required(),
    Key::new("hint", Field::Suggestion, Type::Text),
];

static TABLE: Table = Table {
    id: "claw/2.0",
    summary: "claw's target: five common fields and a typed error",
    title: "claw envelope, version 2.0",
    description: "One reply of a claw command: five common keys with the payload flat beside them.",
    page: crate::table::described(include_str!("claw_2_0.md")),
    // It describes the payload of each command.
    schema: Schema::Own(crate::table::described(include_str!("claw_2_0.schema.json"))),
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: Some(VERSION),
    revision: Some(REVISION),
    has_meta: false,
    kind: KindNames::Command,
    success: FORM,
    failure: FORM,
    outcome: OutcomeFrom::Keys,
    marks: Marks {
        all: &[is("exit_code", Is::Integer), is("command", Is::Text)],
        none: &[],
        never: &[],
        levels: &[
            Level::new(Confidence::Certain).least(3, COMMON),
            Level::new(Confidence::Certain).least(2, COMMON).none(RECORDED),
            Level::new(Confidence::Likely).least(1, COMMON).none(RECORDED),
        ],
        shapes: &[
            Shape {
                name: "wrapped, schema_version 1.0",
                own: false,
                all: &[is("schema_version", Is::Matches(&["1.0"]))],
            },
            Shape { name: "payload under data", own: false, all: &[is("data", Is::Present)] },
            Shape { name: "payload beside the common fields", own: true, all: &[] },
        ],
    },
    keys: &[
        Key::new("timestamp", Field::Timestamp, Type::Text).required(),
        Key::new("command", Field::Kind, Type::Text).required(),
        Key::new("exit_code", Field::Status, Type::Status).required(),
        Key::new("output_format", Field::None, Type::Const(&["json"])).required(),
        Key::new("schema_version", Field::SchemaVersion, Type::Text).required(),
        // Running out of time needs no error beside its number.
        Key::new("error", Field::Error, Type::Object)
            .required_if(&[is_not("exit_code", Is::Matches(&["2"]))])
            .on_failure()
            .keys(ERROR_KEYS, Rest::Allowed),
        Key::new("found", Field::Found, Type::Flag).on_failure().role(Role::Undeclared),
        Key::new("name", Field::Missing, Type::Text).on_failure().role(Role::Undeclared),
    ],
    lines: &[],
    rest: Rest::Payload,
    no_data: &[],
};

impl DialectWriter for Claw20 {
    fn table(&self) -> &'static Table {
        &TABLE
    }

    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>) {
        let content = envelope.content();
        let timestamp = content.meta.timestamp.as_deref().filter(|stamp| is_timestamp(stamp));
        document.scalar("timestamp", timestamp.unwrap_or(&defaults.timestamp));
        document.scalar("command", content.kind.as_deref().unwrap_or(&defaults.kind));
        document.scalar("exit_code", &defaults.status(&EXITS, envelope.exit()));
        document.scalar("output_format", "json");
        document.scalar("schema_version", VERSION);
        let missing = missing_entity(envelope);
        if let Some(name) = &missing {
            document.scalar("name", name);
            document.scalar("found", &false);
        }
        match &content.data {
            // A payload that names the entity itself need not name it twice.
            Some(data) if missing.is_some() && content.missing.is_none() && is_flat(data, true) => {
                document.members_of(data, |key| key != "name" && key != "found");
            }
            Some(data) if is_flat(data, envelope.ok()) => document.members_of(data, |_| true),
            Some(data) => document.raw("data", data),
            None => {}
        }
        // Running out of time needs no error object beside its number.
        let implied = implied(envelope.exit(), &content.issues);
        let says_more =
            |error: &&ErrorObject| envelope.exit() != Exit::Timeout || !error.says_only(implied);
        if let Some(error) = envelope.error().filter(says_more) {
            document.object("error", |out| write_error(envelope, error, missing.is_some(), out));
        }
    }
}

impl Dialect for Claw20 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        table::detect(&TABLE, document)
    }

    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims) {
        table::open(&TABLE, top)
    }
}

/// The entity that does not exist: its name, or what the payload or the error call it.
fn missing_entity(envelope: &Envelope) -> Option<String> {
    let error = envelope.error().filter(|_| envelope.exit() == Exit::NotFound)?;
    let content = envelope.content();
    if content.missing.is_some() || !NOT_FOUND.contains(&error.code.as_str()) {
        return content.missing.clone();
    }
    let payload = content.data.as_ref().map(Raw::value);
    let named = payload.and_then(|data| data.members().find(|member| member.is("name")));
    let name = named.and_then(|member| member.value.string()).map(Cow::into_owned);
    Some(name.or_else(|| error.target.clone()).unwrap_or_default())
}

fn write_error(
    envelope: &Envelope,
    error: &ErrorObject,
    missing: bool,
    out: &mut ObjectWriter<'_>,
) {
    let kinds = || CODES.iter().filter(|(kind, _)| !NOT_FOUND.contains(kind));
    let known = kinds().map(|(kind, _)| *kind).find(|kind| *kind == error.code);
    let absent = NOT_FOUND.iter().copied().find(|kind| *kind == error.code);
    let of_class = kinds().find(|(_, exit)| *exit == envelope.exit()).map(|(kind, _)| *kind);
    let kind = match envelope.exit() {
        _ if missing => absent.unwrap_or("session_not_found"),
        // It has a number of its own and no kind.
        Exit::Timeout => known.unwrap_or("runtime"),
        _ => known.or(of_class).unwrap_or("unknown"),
    };
    out.scalar("kind", kind);
    // Required of a failure, where nothing known is empty; left out of a missing entity.
    for (key, value) in [("operation", &error.operation), ("target", &error.target)] {
        let value = value.as_deref().unwrap_or_default();
        if !missing || !value.is_empty() {
            out.scalar(key, value);
        }
    }
    // Required; of the classes only this one promises that calling again is safe.
    let retryable = error.retryable.unwrap_or(envelope.exit() == Exit::RateLimited);
    out.scalar("retryable", &retryable);
    out.scalar("message", &error.message);
    out.scalar_if_some("hint", error.suggestion.as_ref());
    table::write_extra(&error.extra, ERROR_KEYS, out);
}

/// `2026-04-22T10:10:00Z`, with or without a fraction of the second.
fn is_timestamp(text: &str) -> bool {
    let pattern = b"0000-00-00T00:00:00";
    let Some((head, tail)) = text.as_bytes().split_at_checked(pattern.len()) else { return false };
    let fits = |(byte, model): (&u8, &u8)| match model {
        b'0' => byte.is_ascii_digit(),
        _ => byte == model,
    };
    let fraction = tail.strip_prefix(b".").and_then(|tail| tail.strip_suffix(b"Z"));
    head.iter().zip(pattern).all(fits)
        && (tail == b"Z"
            || fraction
                .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)))
}

/// Whether a payload can stand beside the common fields without a name clash.
fn is_flat(data: &Raw, ok: bool) -> bool {
    let common = ["timestamp", "command", "exit_code", "output_format", "schema_version", "error"];
    let foreign = ["schema", "ok", "error_kind"];
    let of_failure = ["name", "found"];
    let value = data.value();
    let mut members = value.members();
    let (first, second) = (members.next(), members.next());
    let only_data = second.is_none() && first.is_some_and(|member| member.is("data"));
    let is_taken = |key: &str| {
        common.contains(&key) || foreign.contains(&key) || (!ok && of_failure.contains(&key))
    };
    value.kind() == Kind::Object
        && !only_data
        && is_plain_payload(data)
        && !value.members().any(|member| is_taken(&member.key()))
}
