//! `deel/1`: deel: data and a request on stdout, an error with what to do next on stderr.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Null, OutcomeFrom, Rest, Shape, Table, Test,
    Type, is,
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
    ("auth.missing", Exit::AuthRequired),
    ("auth.invalid", Exit::AuthRequired),
    ("auth.keychain", Exit::Precondition),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const DATA_AND_REQUEST: &[Test] =
    &[is("data", Is::Present), is("meta.request_id", Is::Text), is("error", Is::Absent)];

const ERROR_WITH_NEXT: &[Test] =
    &[is("error.code", Is::Text), is("error.message", Is::Text), is("error.next", Is::Text)];

const ERROR_WITH_REQUEST: &[Test] =
    &[is("error.code", Is::Text), is("error.message", Is::Text), is("error.request_id", Is::Text)];

pub(super) static TABLE: Table = Table {
    id: "deel/1",
    summary: "Deel: data and a request id; errors on stderr",
    title: "deel/1",
    description: "One answer of deel.",
    page: crate::table::described(include_str!("deel_1.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
    outcome: OutcomeFrom::Error,
    marks: Marks {
        never: &["ok", "success", "status", "errors", "command"],
        levels: &[
            Level::new(Confidence::Likely).all(DATA_AND_REQUEST),
            Level::new(Confidence::Likely).all(ERROR_WITH_NEXT),
            Level::new(Confidence::Likely).all(ERROR_WITH_REQUEST),
        ],
        shapes: &[
            Shape { name: "data and request", own: true, all: DATA_AND_REQUEST },
            Shape { name: "error with next", own: true, all: ERROR_WITH_NEXT },
            Shape { name: "error with request", own: true, all: ERROR_WITH_REQUEST },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("data", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Text).required(),
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("next", Field::Suggestion, Type::Text).required().empty_is_absent(),
                Key::new("request_id", Field::RequestId, Type::Text),
            ],
            Rest::Kept,
        ),
        Key::new("meta", Field::Meta, Type::Object)
            .required()
            .on_success()
            .keys(&[Key::new("request_id", Field::RequestId, Type::Text).required()], Rest::Kept),
    ],
    ..Table::PLAIN
};
