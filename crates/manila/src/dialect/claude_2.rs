//! `claude/2`: claude Code's result, alone or as the last line: `is_error` decides.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::table::{
    Confidence, Field, Is, Key, Level, Line, LineHolds, Marks, Null, Rest, Role, Shape, Table,
    Test, Type, is,
};

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("400", Exit::ArgError),
    ("405", Exit::ArgError),
    ("406", Exit::ArgError),
    ("413", Exit::ArgError),
    ("415", Exit::ArgError),
    ("422", Exit::ArgError),
    ("401", Exit::AuthRequired),
    ("402", Exit::PaymentRequired),
    ("403", Exit::PermissionDenied),
    ("404", Exit::NotFound),
    ("410", Exit::NotFound),
    ("408", Exit::Timeout),
    ("504", Exit::Timeout),
    ("409", Exit::Conflict),
    ("423", Exit::Conflict),
    ("412", Exit::Precondition),
    ("428", Exit::Precondition),
    ("429", Exit::RateLimited),
    ("500", Exit::General),
    ("502", Exit::Unavailable),
    ("503", Exit::Unavailable),
    ("529", Exit::Unavailable),
];

/// What `subtype` says of a failure, whatever `is_error` says.
const FAILED: &[&str] = &[
    "error_max_turns",
    "error_during_execution",
    "error_max_budget_usd",
    "error_max_structured_output_retries",
];

const RESULT: &[Test] =
    &[is("type", Is::Matches(&["result"])), is("subtype", Is::Text), is("is_error", Is::Flag)];

pub(super) static TABLE: Table = Table {
    id: "claude/2",
    summary: "Claude Code: one result object, is_error decides",
    title: "claude/2",
    description: "The result of claude -p with --output-format json or stream-json.",
    page: crate::table::described(include_str!("claude_2.md")),
    exits: &EXITS,
    codes: CODES,
    marks: Marks {
        levels: &[Level::new(Confidence::Likely).all(RESULT)],
        shapes: &[Shape { name: "result", own: true, all: RESULT }],
        ..Marks::NONE
    },
    keys: &[
        Key::new("type", Field::None, Type::Const(&["result"])).required(),
        Key::new("api_error_status", Field::Code, Type::Scalar).role(Role::Tolerated),
        Key::new("subtype", Field::None, Type::Const(&["success"])).required().on_success(),
        Key::new("subtype", Field::None, Type::Const(&["success"]))
            .on_failure()
            .role(Role::Tolerated),
        Key::new("subtype", Field::Code, Type::Text).on_failure(),
        Key::new("subtype", Field::Outcome, Type::Outcome { success: &[], failure: FAILED })
            .role(Role::Tolerated),
        Key::new("is_error", Field::Failed, Type::Flag).required(),
        Key::new("duration_ms", Field::DurationMs, Type::Count).required(),
        Key::new("duration_api_ms", Field::Extra, Type::Count).required(),
        Key::new("num_turns", Field::Extra, Type::Count).required(),
        Key::new("structured_output", Field::Data, Type::Any).role(Role::Tolerated),
        Key::new("result", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("errors", Field::None, Type::Array)
            .role(Role::Tolerated)
            .keys(&[Key::new("0", Field::Message, Type::Text)], Rest::Kept),
        Key::new("result", Field::Message, Type::Text).on_failure(),
        Key::new("session_id", Field::Extra, Type::Text).required(),
        Key::new("total_cost_usd", Field::Extra, Type::Any).required(),
    ],
    lines: &[Line {
        all: &[is(
            "type",
            Is::Matches(&["system", "assistant", "user", "stream_event", "rate_limit_event"]),
        )],
        holds: LineHolds::Progress,
    }],
    ..Table::PLAIN
};
