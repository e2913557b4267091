//! `incur/0.7`: incur by wevm: data or an error, and the command with its duration.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, KindNames, Level, Line, LineHolds, Marks, Null, Rest, Role,
    Shape, Table, Test, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("VALIDATION_ERROR", Exit::ArgError),
    ("COMMAND_NOT_FOUND", Exit::ArgError),
    ("HTTP_400", Exit::ArgError),
    ("HTTP_405", Exit::ArgError),
    ("HTTP_406", Exit::ArgError),
    ("HTTP_413", Exit::ArgError),
    ("HTTP_415", Exit::ArgError),
    ("HTTP_422", Exit::ArgError),
    ("UNKNOWN", Exit::General),
    ("HTTP_500", Exit::General),
    ("HTTP_401", Exit::AuthRequired),
    ("HTTP_402", Exit::PaymentRequired),
    ("HTTP_403", Exit::PermissionDenied),
    ("HTTP_404", Exit::NotFound),
    ("HTTP_410", Exit::NotFound),
    ("HTTP_408", Exit::Timeout),
    ("HTTP_504", Exit::Timeout),
    ("HTTP_409", Exit::Conflict),
    ("HTTP_423", Exit::Conflict),
    ("HTTP_412", Exit::Precondition),
    ("HTTP_428", Exit::Precondition),
    ("HTTP_429", Exit::RateLimited),
    ("HTTP_502", Exit::Unavailable),
    ("HTTP_503", Exit::Unavailable),
    ("HTTP_529", Exit::Unavailable),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const COMMAND_AND_DURATION: &[Test] =
    &[is("ok", Is::Flag), is("meta.command", Is::Text), is("meta.duration", Is::Text)];

pub(super) static TABLE: Table = Table {
    id: "incur/0.7",
    summary: "incur by wevm: data or an error, command and duration",
    title: "incur/0.7",
    description: "One answer of a program built with incur, with --full-output.",
    page: crate::table::described(include_str!("incur_0_7.md")),
    exits: &EXITS,
    codes: CODES,
    kind: KindNames::Command,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        levels: &[Level::new(Confidence::Certain).all(COMMAND_AND_DURATION)],
        shapes: &[Shape { name: "command and duration", own: true, all: COMMAND_AND_DURATION }],
        ..Marks::NONE
    },
    keys: &[
        Key::new("ok", Field::Ok, Type::Flag).required(),
        Key::new("data", Field::Data, Type::Any).on_success().null(Null::Value),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Text).required(),
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("retryable", Field::Retryable, Type::Flag),
                Key::new("fieldErrors", Field::Details, Type::Any),
            ],
            Rest::Kept,
        ),
        Key::new("meta", Field::Meta, Type::Object).required().keys(
            &[
                Key::new("command", Field::Kind, Type::Text).required(),
                Key::new("duration", Field::Extra, Type::Text).required(),
                Key::new("cta", Field::Extra, Type::Object),
                Key::new("nextOffset", Field::Cursor, Type::Integer).role(Role::Tolerated),
            ],
            Rest::Kept,
        ),
    ],
    lines: &[Line { all: &[is("type", Is::Matches(&["chunk"]))], holds: LineHolds::Data("data") }],
    ..Table::PLAIN
};
