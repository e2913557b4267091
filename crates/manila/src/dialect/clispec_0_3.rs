//! `clispec/0.3`: the CLI Spec: bare data on stdout, an error with a kind on the last line of stderr.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::Style;
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, OutcomeFrom, Rest, Shape, Table, Test, Type, is,
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

static CODES: &[(&str, Exit)] = &[
    ("auth", Exit::AuthRequired),
    ("conflict", Exit::Conflict),
    ("confirmation_required", Exit::ArgError),
    ("tty_required", Exit::Precondition),
    ("usage", Exit::ArgError),
    ("parse", Exit::ArgError),
    ("io", Exit::General),
    ("rate_limit", Exit::RateLimited),
    ("timeout", Exit::Timeout),
    ("unavailable", Exit::Unavailable),
    ("internal", Exit::General),
];

const ERROR_KIND: &[Test] =
    &[is("error.kind", Is::Text), is("error.message", Is::Text), is("error.code", Is::Absent)];

pub(super) static TABLE: Table = Table {
    id: "clispec/0.3",
    summary: "The CLI Spec: bare data; errors on stderr have a kind",
    title: "clispec/0.3",
    description: "A failure of a program that follows The CLI Spec.",
    page: crate::table::described(include_str!("clispec_0_3.md")),
    exits: &EXITS,
    codes: CODES,
    failure: Form { stream: Stream::Stderr, style: Style::COMPACT },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        never: &[
            "ok",
            "success",
            "status",
            "type",
            "schema_version",
            "command",
            "timestamp",
            "exit_code",
            "meta",
        ],
        levels: &[Level::new(Confidence::Likely).all(ERROR_KIND)],
        shapes: &[Shape { name: "error kind", own: true, all: ERROR_KIND }],
        ..Marks::NONE
    },
    keys: &[Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
        &[
            Key::new("kind", Field::Code, Type::Text).required(),
            Key::new("message", Field::Message, Type::Text).required(),
            Key::new("hint", Field::Suggestion, Type::Text),
            Key::new("details", Field::Details, Type::Object),
        ],
        Rest::Kept,
    )],
    rest: Rest::Payload,
    ..Table::PLAIN
};
