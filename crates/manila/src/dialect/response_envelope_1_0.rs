//! `response-envelope/1.0`: the first revision of CLI Agent Spec, and what manila itself speaks.

use super::{Dialect, DialectWriter};
use crate::envelope::{Content, Envelope};
use crate::exit::{Exit, RESPONSE_ENVELOPE_1_0};
use crate::json::{Document, ObjectWriter, Style};
use crate::table::{
    self, Claims, CodeSet, Confidence, Defaults, Field, Fields, Form, Is, Key, KindNames, Level,
    Marks, Match, Null, OutcomeFrom, Rest, Revision, Role, Schema, Shape, Table, Test, Type, is,
};
use crate::transcript::Stream;

pub(super) const KEYS: &[&str] = &["ok", "data", "error", "warnings", "meta"];

/// What only later revisions have.
pub(super) const NEWER: &[Test] = &[
    is("error.retry_after_ms", Is::Present),
    is("error.retry_strategy", Is::Present),
    is("error.fix_required", Is::Present),
    is("error.fix_command", Is::Present),
    is("meta.schema_version", Is::Matches(&["1.6", "1.6.#"])),
];

/// Keys that belong to other dialects.
pub(super) const FOREIGN: &[Test] = &[
    is("schema", Is::Present),
    is("type", Is::Present),
    is("kind", Is::Present),
    is("issues", Is::Present),
    is("apiVersion", Is::Present),
];

/// The same, where the marks of later revisions count as foreign too.
const FOREIGN_OR_NEWER: &[Test] = &[
    FOREIGN[0], FOREIGN[1], FOREIGN[2], FOREIGN[3], FOREIGN[4], NEWER[0], NEWER[1], NEWER[2],
    NEWER[3], NEWER[4],
];

pub(super) const SHAPES: &[Shape] = &[
    Shape {
        name: "five keys",
        own: true,
        all: &[
            is("data", Is::Present),
            is("error", Is::Present),
            is("warnings", Is::Present),
            is("meta", Is::Present),
        ],
    },
    Shape { name: "keys missing", own: true, all: &[] },
];

/// An error that is a text belongs to another dialect.
pub(super) const TEXT_ERROR: &[Test] = &[is("error", Is::Text)];

/// The codes that the specification names itself.
pub(super) static CODES: &[(&str, Exit)] = &[
    ("TOKEN_EXPIRED", Exit::AuthRequired),
    ("TOKEN_INVALID", Exit::AuthRequired),
    ("TOKEN_MISSING", Exit::AuthRequired),
    ("INVALID_ENVIRONMENT", Exit::ArgError),
    ("RATE_LIMIT_EXCEEDED", Exit::RateLimited),
    ("COMMAND_RENAMED", Exit::Redirected),
];

/// Both revisions state themselves at the same place.
pub(super) const REVISION: Revision =
    Revision { path: "meta.schema_version", known: &["1.0", "1.0.#", "1.6", "1.6.#"] };

pub(super) const OK: Key =
    Key::new("ok", Field::Ok, Type::Flag).required().doc("True if and only if the exit code is 0.");
pub(super) const DATA: Key = Key::new("data", Field::Data, Type::Container)
    .required()
    .null(Null::Nothing)
    .doc("Primary output; null on failure.");
pub(super) const WARNINGS: Key = Key::new("warnings", Field::Warnings, Type::Texts)
    .required()
    .null(Null::Odd)
    .doc("Non-fatal messages; may be empty, never null.");
pub(super) const CODE: Key = Key::new("code", Field::Code, Type::Text)
    .required()
    .doc("Stable machine-readable identifier; callers branch on it.");
pub(super) const MESSAGE: Key = Key::new("message", Field::Message, Type::Text)
    .required()
    .doc("Summary for people; may be localised, never parsed.");
pub(super) const DETAIL: Key =
    Key::new("detail", Field::Detail, Type::Text).doc("Stack context or the raw upstream error.");
pub(super) const PHASE: Key =
    Key::new("phase", Field::Phase, Type::OneOf(&["validation", "execution", "cleanup"]))
        .doc("Where it failed; validation guarantees no side effects.");
pub(super) const SUGGESTION: Key =
    Key::new("suggestion", Field::Suggestion, Type::Text).doc("An actionable next step.");
pub(super) const REDIRECT: Key = Key::new("redirect", Field::Redirect, Type::Object)
    .doc("The invocation that replaces this one; only with exit code REDIRECTED (13).")
    .keys(
        &[
            Key::new("command", Field::RedirectCommand, Type::Text)
                .required()
                .doc("Exact replacement invocation, used verbatim."),
            Key::new("permanent", Field::RedirectPermanent, Type::Flag)
                .required()
                .doc("True: remember it for every later call; false: for this call only."),
            Key::new(
                "reason",
                Field::RedirectReason,
                Type::OneOf(&["renamed", "restructured", "deprecated", "typo_corrected"]),
            )
            .doc("Why the command moved."),
        ],
        Rest::Odd,
    );
pub(super) const DETAILS: Key = Key::new("details", Field::Details, Type::Any);
pub(super) const OPERATION: Key = Key::new("operation", Field::Operation, Type::Text);
pub(super) const TARGET: Key = Key::new("target", Field::Target, Type::Text);
pub(super) const META: Key = Key::new("meta", Field::Meta, Type::Object)
    .required()
    .null(Null::Odd)
    .doc("About the reply itself; further keys are allowed.")
    .keys(
        &[
            Key::new("duration_ms", Field::DurationMs, Type::Count)
                .required()
                .doc("Wall-clock milliseconds from entry to the last byte."),
            Key::new("request_id", Field::RequestId, Type::Text)
                .doc("Correlation id for logs and traces."),
            Key::new("schema_version", Field::SchemaVersion, Type::Text)
                .doc("Version of the envelope, for example \"1.0\"."),
            Key::new("not_modified", Field::NotModified, Type::Flag)
                .doc("Cache hit: data is null on purpose."),
            Key::new("validation_only", Field::Extra, Type::Flag)
                .doc("Only the arguments were checked: data may be null."),
            Key::new("truncated", Field::Truncated, Type::Flag)
                .doc("The output was capped; fetch the rest before acting on it."),
            Key::new("cursor", Field::Cursor, Type::Text)
                .doc("Pass as --cursor to get the next page."),
            Key::new("timestamp", Field::Timestamp, Type::Text).role(Role::Undeclared),
            Key::new("cwd", Field::Cwd, Type::Text).role(Role::Undeclared),
            Key::new("kind", Field::Kind, Type::Text).role(Role::Undeclared),
            Key::new("missing", Field::Missing, Type::Text).role(Role::Undeclared),
            Key::new("issues", Field::Issues, Type::Issues).role(Role::Undeclared).keys(
                &[
                    Key::new("code", Field::IssueCode, Type::Text).required(),
                    Key::new(
                        "severity",
                        Field::IssueSeverity,
                        Type::OneOf(&["error", "warning", "info"]),
                    )
                    .required(),
                    Key::new("message", Field::IssueMessage, Type::Text),
                    Key::new("path", Field::IssuePath, Type::Text),
                    Key::new("link", Field::IssueLink, Type::Text),
                ],
                Rest::Allowed,
            ),
        ],
        Rest::Allowed,
    );

static TABLE: Table = Table {
    id: "response-envelope/1.0",
    summary: "CLI Agent Spec, first revision: five keys, always there",
    title: "Response envelope, revision 1.0",
    description: "One reply of a command: five keys, always present, on success and on failure.",
    page: crate::table::described(include_str!("response_envelope_1_0.md")),
    schema: Schema::Generated,
    exits: &RESPONSE_ENVELOPE_1_0,
    codes: CODES,
    code_set: CodeSet::Open,
    version: Some("1.0"),
    revision: Some(REVISION),
    has_meta: true,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: Style::COMPACT },
    failure: Form { stream: Stream::Stdout, style: Style::COMPACT },
    outcome: OutcomeFrom::Keys,
    marks: Marks {
        all: &[is("ok", Is::Flag)],
        none: TEXT_ERROR,
        never: &[],
        levels: &[
            Level::new(Confidence::Certain).least(5, KEYS).none(FOREIGN_OR_NEWER),
            Level::new(Confidence::Likely).least(5, KEYS).none(NEWER),
            Level::new(Confidence::Likely).least(3, KEYS).none(FOREIGN_OR_NEWER),
            Level::new(Confidence::Possible).least(5, KEYS),
            Level::new(Confidence::Possible).least(2, KEYS).none(FOREIGN),
        ],
        shapes: SHAPES,
    },
    keys: &[
        OK,
        DATA,
        Key::new("error", Field::Error, Type::Object)
            .required()
            .null(Null::Nothing)
            .doc("What went wrong; null on success.")
            .keys(
                &[
                    CODE,
                    MESSAGE,
                    DETAIL,
                    Key::new("retryable", Field::Retryable, Type::Flag)
                        .doc("Whether a retry may work; mirrors the entry of the exit code."),
                    Key::new("retry_after", Field::WaitSeconds, Type::Count)
                        .doc("Seconds to wait before a retry; only if retryable is true."),
                    PHASE,
                    SUGGESTION,
                    REDIRECT,
                    Key::new("retry_after_ms", Field::WaitMs, Type::Count).role(Role::Tolerated),
                    Key::new("retry_strategy", Field::Strategy, Type::Text).role(Role::Tolerated),
                    Key::new("fix_required", Field::FixRequired, Type::Text).role(Role::Tolerated),
                    Key::new("fix_command", Field::FixCommand, Type::Text).role(Role::Tolerated),
                    DETAILS.role(Role::Tolerated),
                    OPERATION.role(Role::Tolerated),
                    TARGET.role(Role::Tolerated),
                ],
                Rest::Odd,
            ),
        WARNINGS,
        META,
    ],
    lines: &[],
    rest: Rest::Odd,
    no_data: NO_DATA,
};

/// Answers to --validate-only and to counting tokens have no data.
pub(super) const NO_DATA: &[&str] = &["validation_only", "token_count"];

pub(super) struct ResponseEnvelope10;

impl DialectWriter for ResponseEnvelope10 {
    fn table(&self) -> &'static Table {
        &TABLE
    }

    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>) {
        table::write(&TABLE, envelope, defaults, document);
    }
}

impl Dialect for ResponseEnvelope10 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        table::detect(&TABLE, document)
    }

    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims) {
        open_either(&TABLE, top)
    }
}

/// Statuses 2 and 3 are ambiguous in a document that carries no mark of its revision.
pub(super) fn open_either(table: &Table, top: Fields<'_, '_>) -> (Content, Claims) {
    let error = top.find("error");
    let is_newer = |test: &Test| {
        let key = test.path.strip_prefix("error.");
        let value = error.zip(key).and_then(|(error, key)| table::value_at(error, key));
        value.is_some_and(|value| !value.is_null())
    };
    let is_marked = NEWER.iter().any(is_newer);
    let (content, mut claims) = table::open(table, top);
    let stated = content.meta.schema_version.as_deref();
    claims.ambiguous_revision = !is_marked && !stated.is_some_and(|it| REVISION.is_known(it));
    (content, claims)
}
