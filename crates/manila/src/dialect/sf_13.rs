//! `sf/13`: salesforce's sf: status and result, or the name of an error.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, KindNames, Level, Marks, Null, Shape, Table, Test, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(10, Exit::General, Retry::Depends, Effects::Unknown),
        row(20, Exit::Unavailable, Retry::Yes, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("NonExistentFlagsError", Exit::ArgError),
    ("FailedFlagValidationError", Exit::ArgError),
    ("RequiredArgsError", Exit::ArgError),
    ("UnexpectedArgsError", Exit::ArgError),
    ("FlagInvalidOptionError", Exit::ArgError),
    ("ArgInvalidOptionError", Exit::ArgError),
    ("MALFORMED_QUERY", Exit::ArgError),
    ("MALFORMED_ID", Exit::ArgError),
    ("INVALID_FIELD", Exit::ArgError),
    ("INVALID_TYPE", Exit::ArgError),
    ("NamedOrgNotFoundError", Exit::AuthRequired),
    ("AuthInfoCreationError", Exit::AuthRequired),
    ("RefreshTokenAuthError", Exit::AuthRequired),
    ("INVALID_SESSION_ID", Exit::AuthRequired),
    ("INVALID_LOGIN", Exit::AuthRequired),
    ("ERROR_HTTP_401", Exit::AuthRequired),
    ("INSUFFICIENT_ACCESS", Exit::PermissionDenied),
    ("ERROR_HTTP_403", Exit::PermissionDenied),
    ("ERROR_HTTP_404", Exit::NotFound),
    ("UNABLE_TO_LOCK_ROW", Exit::Conflict),
    ("REQUEST_LIMIT_EXCEEDED", Exit::RateLimited),
    ("ERROR_HTTP_429", Exit::RateLimited),
    ("SERVER_UNAVAILABLE", Exit::Unavailable),
    ("ERROR_HTTP_502", Exit::Unavailable),
    ("ERROR_HTTP_503", Exit::Unavailable),
    ("ERROR_HTTP_504", Exit::Timeout),
    ("QUERY_TIMEOUT", Exit::Timeout),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const COMMAND_ERROR: &[Test] = &[
    is("name", Is::Text),
    is("message", Is::Text),
    is("exitCode", Is::Integer),
    is("commandName", Is::Text),
];

const STATUS_AND_RESULT: &[Test] = &[
    is("status", Is::Matches(&["#"])),
    is("warnings", Is::Array),
    is("name", Is::Absent),
    is("errors", Is::Absent),
];

pub(super) static TABLE: Table = Table {
    id: "sf/13",
    summary: "Salesforce's sf: status and result, or an error's name",
    title: "sf/13",
    description: "One answer of sf with --json.",
    page: crate::table::described(include_str!("sf_13.md")),
    exits: &EXITS,
    codes: CODES,
    kind: KindNames::Command,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        levels: &[
            Level::new(Confidence::Likely).all(COMMAND_ERROR),
            Level::new(Confidence::Likely).all(STATUS_AND_RESULT),
        ],
        shapes: &[
            Shape { name: "command error", own: true, all: COMMAND_ERROR },
            Shape { name: "status and result", own: true, all: STATUS_AND_RESULT },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("status", Field::Status, Type::Status).required(),
        Key::new("result", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("name", Field::Code, Type::Text).required().on_failure(),
        Key::new("message", Field::Message, Type::Text).required().on_failure(),
        Key::new("exitCode", Field::Status, Type::Status).required().on_failure(),
        Key::new("actions", Field::Extra, Type::Texts).on_failure(),
        Key::new("context", Field::Extra, Type::Text).required().on_failure(),
        Key::new("code", Field::Extra, Type::Text).required().on_failure(),
        Key::new("commandName", Field::Kind, Type::Text).required().on_failure(),
        Key::new("warnings", Field::Warnings, Type::Texts).required(),
    ],
    ..Table::PLAIN
};
