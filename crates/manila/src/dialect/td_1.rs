//! `td/1`: the envelope of td's ADR-0002.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Rest, Shape, Table, Test, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
    ],
    ..ExitTable::COARSE
};

/// The document's codes, then the program's own.
static CODES: &[(&str, Exit)] = &[
    ("not_found", Exit::NotFound),
    ("ambiguous_match", Exit::ArgError),
    ("api_error", Exit::General),
    ("AUTH_MISSING", Exit::AuthRequired),
    ("AUTH_INVALID", Exit::AuthRequired),
    ("TASK_NOT_FOUND", Exit::NotFound),
    ("PROJECT_NOT_FOUND", Exit::NotFound),
    ("SECTION_NOT_FOUND", Exit::NotFound),
    ("LABEL_NOT_FOUND", Exit::NotFound),
    ("VALIDATION_ERROR", Exit::ArgError),
    ("DUPLICATE_TASK", Exit::Conflict),
    ("API_ERROR", Exit::General),
    ("API_RATE_LIMIT", Exit::RateLimited),
    ("API_FORBIDDEN", Exit::PermissionDenied),
    ("API_TIMEOUT", Exit::Timeout),
    ("API_SERVER_ERROR", Exit::Unavailable),
    ("NETWORK_ERROR", Exit::Unavailable),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: true };

const TYPED: &[Test] = &[is("type", Is::Text), is("data", Is::Present), is("error", Is::Absent)];
const TYPED_WITH_NULL: &[Test] =
    &[is("type", Is::Text), is("data", Is::Present), is("error", Is::Null)];
const FAILED: &[Test] = &[
    is("data", Is::Absent),
    is("error", Is::Object),
    is("error.code", Is::Present),
    is("error.message", Is::Present),
];

const ERROR_WITH_SUGGESTION: &[Test] = &[is("error.suggestion", Is::Present)];

pub(super) static TABLE: Table = Table {
    id: "td/1",
    summary: "td's ADR-0002: ok, type and data; errors on stderr",
    title: "td envelope, version 1",
    description: "One reply of a td command: ok, then type and data, or error.",
    page: crate::table::described(include_str!("td_1.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
    marks: Marks {
        all: &[is("ok", Is::Flag)],
        never: &["schema", "meta", "issues", "warnings", "kind", "command"],
        levels: &[
            Level::new(Confidence::Certain).all(TYPED),
            Level::new(Confidence::Possible).all(TYPED_WITH_NULL),
            Level::new(Confidence::Certain).all(FAILED).any(ERROR_WITH_SUGGESTION),
            Level::new(Confidence::Possible).all(FAILED),
        ],
        shapes: &[
            Shape { name: "typed data", own: true, all: &[is("data", Is::Present)] },
            Shape { name: "error with suggestion", own: true, all: ERROR_WITH_SUGGESTION },
            Shape { name: "error without suggestion", own: true, all: &[] },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("ok", Field::Ok, Type::Flag).required().doc("True on success, false on failure."),
        Key::new("type", Field::Kind, Type::Text)
            .required()
            .on_success()
            .doc("Names the shape of data, for example \"task_list\"; only on success."),
        Key::new("data", Field::Data, Type::Container)
            .required()
            .on_success()
            .doc("Payload of that type; only on success."),
        Key::new("error", Field::Error, Type::Object)
            .required()
            .on_failure()
            .doc("What went wrong; only on failure.")
            .keys(
                &[
                    Key::new("code", Field::Code, Type::Text)
                        .required()
                        .doc("Stable machine-readable identifier."),
                    Key::new("message", Field::Message, Type::Text)
                        .required()
                        .doc("Description for people."),
                    Key::new("suggestion", Field::Suggestion, Type::Text)
                        .required()
                        .empty_is_absent()
                        .doc("What to do next; empty if there is nothing to say."),
                    Key::new("details", Field::Details, Type::Object)
                        .empty_is_absent()
                        .doc("Structured context."),
                ],
                Rest::Odd,
            ),
    ],
    rest: Rest::Odd,
    ..Table::PLAIN
};
