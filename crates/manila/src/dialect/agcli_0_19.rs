//! `agcli/0.19`: agcli and Joel Hooks: the command, its result, and what to run next.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::table::{
    Confidence, Field, Is, Key, KindNames, Level, Line, LineHolds, Marks, Null, Rest, Shape, Table,
    Test, Type, is,
};

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(3, Exit::NotFound, Retry::No, Effects::None),
        row(4, Exit::AuthRequired, Retry::AfterFix, Effects::None),
        row(5, Exit::Unavailable, Retry::Yes, Effects::Unknown),
        row(7, Exit::RateLimited, Retry::Yes, Effects::None),
    ],
    grain: Grain::Fine,
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("PARSE_ERROR", Exit::ArgError),
    ("UNKNOWN_COMMAND", Exit::ArgError),
    ("UNKNOWN_SUBCOMMAND", Exit::ArgError),
    ("UNKNOWN_FLAG", Exit::ArgError),
    ("EXTRA_ARG", Exit::ArgError),
    ("MISSING_ARG", Exit::ArgError),
    ("INVALID_ARG", Exit::ArgError),
    ("INVALID_FLAG", Exit::ArgError),
    ("INVALID_ENV", Exit::ArgError),
    ("DRY_RUN_UNSUPPORTED", Exit::ArgError),
    ("HANDLER_PANIC", Exit::General),
    ("MISSING_HANDLER", Exit::General),
    ("STREAM_WRITE_FAILED", Exit::General),
    ("SERIALIZATION_FAILED", Exit::General),
    ("WRITE_FAILED", Exit::General),
];

const COMMAND_AND_RESULT: &[Test] = &[
    is("ok", Is::Flag),
    is("command", Is::Text),
    is("result", Is::Present),
    is("next_actions", Is::Array),
];

const COMMAND_AND_FIX: &[Test] =
    &[is("ok", Is::Flag), is("command", Is::Text), is("error", Is::Object), is("fix", Is::Text)];

const COMMAND_AND_NEXT_ACTIONS: &[Test] =
    &[is("ok", Is::Flag), is("command", Is::Text), is("next_actions", Is::Array)];

pub(super) static TABLE: Table = Table {
    id: "agcli/0.19",
    summary: "agcli and Joel Hooks: result, and what to run next",
    title: "agcli/0.19",
    description: "One answer of a program built with agcli.",
    page: crate::table::described(include_str!("agcli_0_19.md")),
    exits: &EXITS,
    codes: CODES,
    kind: KindNames::Command,
    marks: Marks {
        levels: &[
            Level::new(Confidence::Certain).all(COMMAND_AND_RESULT),
            Level::new(Confidence::Certain).all(COMMAND_AND_FIX),
            Level::new(Confidence::Likely).all(COMMAND_AND_NEXT_ACTIONS),
        ],
        shapes: &[
            Shape { name: "command and result", own: true, all: COMMAND_AND_RESULT },
            Shape { name: "command and fix", own: true, all: COMMAND_AND_FIX },
            Shape { name: "command and next actions", own: true, all: COMMAND_AND_NEXT_ACTIONS },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("ok", Field::Ok, Type::Flag).required(),
        Key::new("command", Field::Kind, Type::Text).required(),
        Key::new("timestamp", Field::Timestamp, Type::Text).required(),
        Key::new("exit_code", Field::Status, Type::Status).required(),
        Key::new("schema_version", Field::Extra, Type::Text),
        Key::new("result", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("code", Field::Code, Type::Text).required(),
                Key::new("retryable", Field::Retryable, Type::Flag).required(),
            ],
            Rest::Kept,
        ),
        Key::new("fix", Field::Suggestion, Type::Text).required().on_failure().empty_is_absent(),
        Key::new("data", Field::Data, Type::Any).on_failure(),
        Key::new("next_actions", Field::Extra, Type::Array).required(),
    ],
    lines: &[
        Line { all: &[is("type", Is::Matches(&["event"]))], holds: LineHolds::Data("data") },
        Line {
            all: &[is("type", Is::Matches(&["log"])), is("level", Is::Matches(&["warn", "error"]))],
            holds: LineHolds::Warning("message"),
        },
        Line {
            all: &[is("type", Is::Matches(&["start", "step", "progress", "log"]))],
            holds: LineHolds::Progress,
        },
    ],
    ..Table::PLAIN
};
