//! `npm/11`: npm with --json: bare data, or an error with a summary.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, OutcomeFrom, Rest, Shape, Table, Test, Type, is,
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
    ("E400", Exit::ArgError),
    ("E405", Exit::ArgError),
    ("E406", Exit::ArgError),
    ("E413", Exit::ArgError),
    ("E415", Exit::ArgError),
    ("E422", Exit::ArgError),
    ("EUSAGE", Exit::ArgError),
    ("E401", Exit::AuthRequired),
    ("ENEEDAUTH", Exit::AuthRequired),
    ("E402", Exit::PaymentRequired),
    ("E403", Exit::PermissionDenied),
    ("E404", Exit::NotFound),
    ("E410", Exit::NotFound),
    ("E408", Exit::Timeout),
    ("E504", Exit::Timeout),
    ("ETIMEDOUT", Exit::Timeout),
    ("E409", Exit::Conflict),
    ("E423", Exit::Conflict),
    ("EPUBLISHCONFLICT", Exit::Conflict),
    ("E412", Exit::Precondition),
    ("E428", Exit::Precondition),
    ("ELSPROBLEMS", Exit::Precondition),
    ("ERESOLVE", Exit::Precondition),
    ("ENOLOCK", Exit::Precondition),
    ("E429", Exit::RateLimited),
    ("E502", Exit::Unavailable),
    ("E503", Exit::Unavailable),
    ("E529", Exit::Unavailable),
    ("E500", Exit::Unavailable),
    ("ECONNREFUSED", Exit::Unavailable),
    ("ECONNRESET", Exit::Unavailable),
    ("ENOTFOUND", Exit::Unavailable),
    ("EAI_AGAIN", Exit::Unavailable),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const ERROR_WITH_SUMMARY: &[Test] = &[is("error.code", Is::Text), is("error.summary", Is::Text)];

pub(super) static TABLE: Table = Table {
    id: "npm/11",
    summary: "npm with --json: bare data, or an error with a summary",
    title: "npm/11",
    description: "A failure of npm with --json.",
    page: crate::table::described(include_str!("npm_11.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        levels: &[Level::new(Confidence::Likely).all(ERROR_WITH_SUMMARY)],
        shapes: &[Shape { name: "error with summary", own: true, all: ERROR_WITH_SUMMARY }],
        ..Marks::NONE
    },
    keys: &[Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
        &[
            Key::new("code", Field::Code, Type::Text).required(),
            Key::new("summary", Field::Message, Type::Text).required(),
            Key::new("detail", Field::Detail, Type::Text).required().empty_is_absent(),
        ],
        Rest::Kept,
    )],
    rest: Rest::Payload,
    ..Table::PLAIN
};
