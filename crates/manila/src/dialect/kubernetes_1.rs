//! `kubernetes/1`: the Status object of the Kubernetes API.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Marks, OutcomeFrom, Rest, Schema,
    Shape, Table, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

static CODES: &[(&str, Exit)] = &[
    ("NotFound", Exit::NotFound),
    ("AlreadyExists", Exit::Conflict),
    ("Conflict", Exit::Conflict),
    ("Unauthorized", Exit::AuthRequired),
    ("Forbidden", Exit::PermissionDenied),
    ("Invalid", Exit::ArgError),
    ("BadRequest", Exit::ArgError),
    ("MethodNotAllowed", Exit::ArgError),
    ("NotAcceptable", Exit::ArgError),
    ("RequestEntityTooLarge", Exit::ArgError),
    ("UnsupportedMediaType", Exit::ArgError),
    ("TooManyRequests", Exit::RateLimited),
    ("Timeout", Exit::Timeout),
    ("ServerTimeout", Exit::Timeout),
    ("ServiceUnavailable", Exit::Unavailable),
    ("InternalError", Exit::General),
    ("StorageReadError", Exit::General),
    ("Gone", Exit::NotFound),
    ("Expired", Exit::Precondition),
];

const STYLE: Style = Style { layout: Layout::Compact, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "kubernetes/1",
    summary: "The Status object of the Kubernetes API",
    title: "kubernetes/1",
    description: "A Status of the Kubernetes API.",
    page: crate::table::described(include_str!("kubernetes_1.md")),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: None,
    revision: None,
    has_meta: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    outcome: OutcomeFrom::Keys,
    marks: Marks {
        all: &[],
        none: &[],
        never: &[],
        levels: &[Level::new(Confidence::Certain).all(&[
            is("kind", Is::Matches(&["Status"])),
            is("apiVersion", Is::Text),
            is("status", Is::Matches(&["Success", "Failure"])),
        ])],
        shapes: &[Shape {
            name: "Status",
            own: true,
            all: &[
                is("kind", Is::Matches(&["Status"])),
                is("apiVersion", Is::Text),
                is("status", Is::Matches(&["Success", "Failure"])),
            ],
        }],
    },
    keys: &[
        Key::new("kind", Field::None, Type::Const(&["Status"])).required(),
        Key::new("apiVersion", Field::None, Type::Const(&["v1"])).required(),
        Key::new("metadata", Field::Extra, Type::Object).required(),
        Key::new(
            "status",
            Field::Outcome,
            Type::Outcome { success: &["Success"], failure: &["Failure"] },
        )
        .required(),
        Key::new("message", Field::Message, Type::Text).required().on_failure(),
        Key::new("reason", Field::Code, Type::Text).required().on_failure(),
        Key::new("details", Field::Data, Type::Object)
            .keys(&[Key::new("retryAfterSeconds", Field::WaitSeconds, Type::Count)], Rest::Kept),
        Key::new("code", Field::HttpStatus, Type::Integer).required().on_failure(),
    ],
    lines: &[],
    rest: Rest::Kept,
    no_data: &[],
};
