//! `kubernetes/1`: the Status object of the Kubernetes API.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::table::{Confidence, Field, Is, Key, Level, Marks, Rest, Shape, Table, Test, Type, is};

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
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

const STATUS: &[Test] = &[
    is("kind", Is::Matches(&["Status"])),
    is("apiVersion", Is::Text),
    is("status", Is::Matches(&["Success", "Failure"])),
];

pub(super) static TABLE: Table = Table {
    id: "kubernetes/1",
    summary: "The Status object of the Kubernetes API",
    title: "kubernetes/1",
    description: "A Status of the Kubernetes API.",
    page: crate::table::described(include_str!("kubernetes_1.md")),
    exits: &EXITS,
    codes: CODES,
    marks: Marks {
        levels: &[Level::new(Confidence::Certain).all(STATUS)],
        shapes: &[Shape { name: "Status", own: true, all: STATUS }],
        ..Marks::NONE
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
    ..Table::PLAIN
};
