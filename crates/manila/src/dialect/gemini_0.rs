//! `gemini/0`: gemini CLI's result, alone or as the last line.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Line, LineHolds, Marks, Null, OutcomeFrom, Rest, Role,
    Shape, Table, Test, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(41, Exit::AuthRequired, Retry::AfterFix, Effects::None),
        row(42, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(44, Exit::General, Retry::Depends, Effects::Unknown),
        row(52, Exit::Precondition, Retry::AfterFix, Effects::None),
        row(53, Exit::Precondition, Retry::AfterFix, Effects::None),
        row(54, Exit::General, Retry::Depends, Effects::Unknown),
        row(55, Exit::PermissionDenied, Retry::No, Effects::None),
        row(130, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("FatalAuthenticationError", Exit::AuthRequired),
    ("FatalInputError", Exit::ArgError),
    ("FatalConfigError", Exit::Precondition),
    ("FatalTurnLimitedError", Exit::Precondition),
    ("FatalUntrustedWorkspaceError", Exit::PermissionDenied),
    ("FatalSandboxError", Exit::General),
    ("FatalToolExecutionError", Exit::General),
    ("FatalCancellationError", Exit::General),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const RESPONSE: &[Test] =
    &[is("session_id", Is::Text), is("response", Is::Present), is("error", Is::Absent)];

const ERROR: &[Test] =
    &[is("session_id", Is::Text), is("error.type", Is::Text), is("error.message", Is::Text)];

const LAST_LINE: &[Test] = &[
    is("type", Is::Matches(&["result"])),
    is("status", Is::Matches(&["success", "error"])),
    is("timestamp", Is::Text),
    is("is_error", Is::Absent),
];

const RESPONSE_AND_STATS: &[Test] = &[is("response", Is::Text), is("stats", Is::Object)];

pub(super) static TABLE: Table = Table {
    id: "gemini/0",
    summary: "Gemini CLI's result, alone or as the last line",
    title: "gemini/0",
    description: "The result of gemini with --output-format json or stream-json.",
    page: crate::table::described(include_str!("gemini_0.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
    outcome: OutcomeFrom::Error,
    marks: Marks {
        levels: &[
            Level::new(Confidence::Likely).all(RESPONSE),
            Level::new(Confidence::Likely).all(ERROR),
            Level::new(Confidence::Likely).all(LAST_LINE),
            Level::new(Confidence::Possible).all(RESPONSE_AND_STATS),
        ],
        shapes: &[
            Shape { name: "response", own: true, all: RESPONSE },
            Shape { name: "error", own: true, all: ERROR },
            Shape { name: "last line", own: true, all: LAST_LINE },
            Shape { name: "response and stats", own: true, all: RESPONSE_AND_STATS },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new(
            "status",
            Field::Outcome,
            Type::Outcome { success: &["success"], failure: &["error"] },
        )
        .role(Role::Tolerated),
        Key::new("session_id", Field::Extra, Type::Text).required(),
        Key::new("response", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("type", Field::Code, Type::Text).required(),
                Key::new("message", Field::Message, Type::Text).required(),
            ],
            Rest::Kept,
        ),
        Key::new("warnings", Field::Warnings, Type::Texts),
        Key::new("timestamp", Field::Timestamp, Type::Text).role(Role::Tolerated),
    ],
    lines: &[
        Line {
            all: &[is("type", Is::Matches(&["message"])), is("role", Is::Matches(&["assistant"]))],
            holds: LineHolds::Data("content"),
        },
        Line {
            all: &[is("type", Is::Matches(&["error"])), is("severity", Is::Matches(&["error"]))],
            holds: LineHolds::Error("message"),
        },
        Line {
            all: &[is("type", Is::Matches(&["error"])), is("severity", Is::Text)],
            holds: LineHolds::Warning("message"),
        },
        Line {
            all: &[is("type", Is::Matches(&["init", "message", "tool_use", "tool_result"]))],
            holds: LineHolds::Progress,
        },
    ],
    ..Table::PLAIN
};
