//! `gemini/0`: gemini CLI's result, alone or as the last line.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Line, LineHolds, Marks, Null,
    OutcomeFrom, Rest, Role, Schema, Shape, Table, Type, is,
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
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
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

pub(super) static TABLE: Table = Table {
    id: "gemini/0",
    summary: "Gemini CLI's result, alone or as the last line",
    title: "gemini/0",
    description: "The result of gemini with --output-format json or stream-json.",
    page: include_str!("gemini_0.md"),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: None,
    revision: None,
    has_meta: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
    outcome: OutcomeFrom::Error,
    marks: Marks {
        all: &[],
        none: &[],
        never: &[],
        levels: &[
            Level::new(Confidence::Likely).all(&[
                is("session_id", Is::Text),
                is("response", Is::Present),
                is("error", Is::Absent),
            ]),
            Level::new(Confidence::Likely).all(&[
                is("session_id", Is::Text),
                is("error.type", Is::Text),
                is("error.message", Is::Text),
            ]),
            Level::new(Confidence::Likely).all(&[
                is("type", Is::Matches(&["result"])),
                is("status", Is::Matches(&["success", "error"])),
                is("timestamp", Is::Text),
                is("is_error", Is::Absent),
            ]),
            Level::new(Confidence::Possible)
                .all(&[is("response", Is::Text), is("stats", Is::Object)]),
        ],
        shapes: &[
            Shape {
                name: "response",
                own: true,
                all: &[
                    is("session_id", Is::Text),
                    is("response", Is::Present),
                    is("error", Is::Absent),
                ],
            },
            Shape {
                name: "error",
                own: true,
                all: &[
                    is("session_id", Is::Text),
                    is("error.type", Is::Text),
                    is("error.message", Is::Text),
                ],
            },
            Shape {
                name: "last line",
                own: true,
                all: &[
                    is("type", Is::Matches(&["result"])),
                    is("status", Is::Matches(&["success", "error"])),
                    is("timestamp", Is::Text),
                    is("is_error", Is::Absent),
                ],
            },
            Shape {
                name: "response and stats",
                own: true,
                all: &[is("response", Is::Text), is("stats", Is::Object)],
            },
        ],
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
    rest: Rest::Kept,
    no_data: &[],
};
