//! `vercel/1`: vercel for agents: a reason, a message and what to run next.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Null, Shape, Table, Test, Type, is,
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
    ("missing_arguments", Exit::ArgError),
    ("invalid_arguments", Exit::ArgError),
    ("confirmation_required", Exit::ArgError),
    ("missing_scope", Exit::ArgError),
    ("missing_requirements", Exit::ArgError),
    ("missing_name", Exit::ArgError),
    ("missing_value", Exit::ArgError),
    ("missing_environment", Exit::ArgError),
    ("git_branch_required", Exit::ArgError),
    ("login_required", Exit::AuthRequired),
    ("classic_token_required", Exit::AuthRequired),
    ("permission_denied", Exit::PermissionDenied),
    ("scope_not_accessible", Exit::PermissionDenied),
    ("not_linked", Exit::Precondition),
    ("project_settings_required", Exit::Precondition),
    ("env_file_exists", Exit::Conflict),
    ("has_resources", Exit::Conflict),
    ("payment_required", Exit::PaymentRequired),
    ("rate_limited", Exit::RateLimited),
    ("timeout", Exit::Timeout),
    ("api_error", Exit::General),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const ACTION_REQUIRED: &[Test] =
    &[is("status", Is::Matches(&["action_required"])), is("message", Is::Text)];

const ERROR_WITH_REASON: &[Test] =
    &[is("status", Is::Matches(&["error"])), is("reason", Is::Text), is("message", Is::Text)];

const SUCCESS_WITH_MESSAGE: &[Test] = &[
    is("status", Is::Matches(&["success", "ok"])),
    is("message", Is::Present),
    is("reason", Is::Text),
];

pub(super) static TABLE: Table = Table {
    id: "vercel/1",
    summary: "vercel for agents: reason, message, what to run next",
    title: "vercel/1",
    description: "What vercel prints with --non-interactive.",
    page: crate::table::described(include_str!("vercel_1.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        never: &["data", "version", "schemaVersion", "error"],
        levels: &[
            Level::new(Confidence::Likely).all(ACTION_REQUIRED),
            Level::new(Confidence::Likely).all(ERROR_WITH_REASON),
            Level::new(Confidence::Likely).all(SUCCESS_WITH_MESSAGE),
        ],
        shapes: &[
            Shape { name: "action required", own: true, all: ACTION_REQUIRED },
            Shape { name: "error with reason", own: true, all: ERROR_WITH_REASON },
            Shape { name: "success with message", own: true, all: SUCCESS_WITH_MESSAGE },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new(
            "status",
            Field::Outcome,
            Type::Outcome { success: &["success", "ok"], failure: &["error", "action_required"] },
        )
        .required(),
        Key::new("reason", Field::Code, Type::Text).required().on_failure(),
        Key::new("reason", Field::Kind, Type::Text).required().on_success(),
        Key::new("message", Field::Message, Type::Text).required().on_failure(),
        Key::new("message", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("hint", Field::Suggestion, Type::Text).on_failure(),
        Key::new("next", Field::Extra, Type::Array),
    ],
    ..Table::PLAIN
};
