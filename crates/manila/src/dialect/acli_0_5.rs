//! `acli/0.5`: the ACLI specification: the command, data or an error with a hint, and meta.

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
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(3, Exit::NotFound, Retry::No, Effects::None),
        row(4, Exit::PermissionDenied, Retry::No, Effects::None),
        row(5, Exit::Conflict, Retry::No, Effects::None),
        row(6, Exit::Timeout, Retry::Depends, Effects::Partial),
        row(7, Exit::Unavailable, Retry::Yes, Effects::Unknown),
        row(8, Exit::Precondition, Retry::AfterFix, Effects::None),
        row(9, Exit::Success, Retry::NotNeeded, Effects::Complete),
    ],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("INVALID_ARGS", Exit::ArgError),
    ("UPSTREAM_ERROR", Exit::Unavailable),
    ("PRECONDITION_FAILED", Exit::Precondition),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const COMMAND_AND_META: &[Test] = &[
    is("ok", Is::Flag),
    is("command", Is::Text),
    is("meta.version", Is::Text),
    is("meta.duration_ms", Is::Integer),
];

const LAST_LINE: &[Test] = &[
    is("type", Is::Matches(&["result"])),
    is("ok", Is::Flag),
    is("is_error", Is::Absent),
    is("command", Is::Absent),
];

pub(super) static TABLE: Table = Table {
    id: "acli/0.5",
    summary: "The ACLI specification: command, data or error, and meta",
    title: "acli/0.5",
    description: "One answer of a program that follows the ACLI specification.",
    page: crate::table::described(include_str!("acli_0_5.md")),
    exits: &EXITS,
    codes: CODES,
    kind: KindNames::Command,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        levels: &[
            Level::new(Confidence::Certain).all(COMMAND_AND_META),
            Level::new(Confidence::Possible).all(LAST_LINE),
        ],
        shapes: &[
            Shape { name: "command and meta", own: true, all: COMMAND_AND_META },
            Shape { name: "last line", own: true, all: LAST_LINE },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("ok", Field::Ok, Type::Flag).required(),
        Key::new("command", Field::Kind, Type::Text).required(),
        Key::new("data", Field::Data, Type::Any).on_success().null(Null::Value),
        Key::new("planned_actions", Field::Data, Type::Array).role(Role::Tolerated),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Text).required(),
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("hint", Field::Suggestion, Type::Text),
                Key::new("hints", Field::Extra, Type::Texts),
                Key::new("docs", Field::Extra, Type::Text),
            ],
            Rest::Kept,
        ),
        Key::new("meta", Field::Meta, Type::Object).required().keys(
            &[
                Key::new("duration_ms", Field::DurationMs, Type::Count).required(),
                Key::new("version", Field::Extra, Type::Text).required(),
            ],
            Rest::Kept,
        ),
    ],
    lines: &[
        Line { all: &[is("type", Is::Matches(&["progress"]))], holds: LineHolds::Progress },
        Line {
            all: &[
                is("type", Is::Matches(&["result"])),
                is("ok", Is::Flag),
                is("command", Is::Absent),
            ],
            holds: LineHolds::Data(""),
        },
    ],
    ..Table::PLAIN
};
