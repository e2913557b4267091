//! `oclif/4`: oclif: bare data, or an error with a name.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, OutcomeFrom, Rest, Role, Shape, Table, Test,
    Type, is,
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
    ("ECONNREFUSED", Exit::Unavailable),
    ("ENOTFOUND", Exit::Unavailable),
    ("EAI_AGAIN", Exit::Unavailable),
    ("ECONNRESET", Exit::Unavailable),
    ("ETIMEDOUT", Exit::Timeout),
    ("NonExistentFlagsError", Exit::ArgError),
    ("FailedFlagValidationError", Exit::ArgError),
    ("RequiredArgsError", Exit::ArgError),
    ("UnexpectedArgsError", Exit::ArgError),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const OCLIF_ERROR: &[Test] = &[is("error.oclif", Is::Object), is("error.message", Is::Text)];

const NAMED_ERROR: &[Test] = &[is("error.name", Is::Text), is("error.message", Is::Text)];

pub(super) static TABLE: Table = Table {
    id: "oclif/4",
    summary: "oclif: bare data, or an error with a name",
    title: "oclif/4",
    description: "A failure of a program built with oclif, with --json.",
    page: crate::table::described(include_str!("oclif_4.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        never: &["ok", "success", "kind", "command"],
        levels: &[
            Level::new(Confidence::Certain).all(OCLIF_ERROR),
            Level::new(Confidence::Possible).all(NAMED_ERROR),
        ],
        shapes: &[
            Shape { name: "oclif error", own: true, all: OCLIF_ERROR },
            Shape { name: "named error", own: true, all: NAMED_ERROR },
        ],
        ..Marks::NONE
    },
    keys: &[Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
        &[
            Key::new("code", Field::Code, Type::Text).role(Role::Tolerated),
            Key::new("message", Field::Message, Type::Text).required(),
            Key::new("name", Field::Code, Type::Text).required(),
        ],
        Rest::Kept,
    )],
    rest: Rest::Payload,
    ..Table::PLAIN
};
