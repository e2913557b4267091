//! `google/1`: google's services: bare data, or an error with an HTTP status.

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
        row(2, Exit::AuthRequired, Retry::AfterFix, Effects::None),
        row(3, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(4, Exit::Unavailable, Retry::Yes, Effects::Unknown),
        row(5, Exit::General, Retry::Depends, Effects::Unknown),
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
    ("INVALID_ARGUMENT", Exit::ArgError),
    ("OUT_OF_RANGE", Exit::ArgError),
    ("badRequest", Exit::ArgError),
    ("validationError", Exit::ArgError),
    ("401", Exit::AuthRequired),
    ("UNAUTHENTICATED", Exit::AuthRequired),
    ("authError", Exit::AuthRequired),
    ("402", Exit::PaymentRequired),
    ("403", Exit::PermissionDenied),
    ("accessNotConfigured", Exit::PermissionDenied),
    ("domainPolicy", Exit::PermissionDenied),
    ("404", Exit::NotFound),
    ("410", Exit::NotFound),
    ("notFound", Exit::NotFound),
    ("408", Exit::Timeout),
    ("504", Exit::Timeout),
    ("DEADLINE_EXCEEDED", Exit::Timeout),
    ("409", Exit::Conflict),
    ("423", Exit::Conflict),
    ("ALREADY_EXISTS", Exit::Conflict),
    ("ABORTED", Exit::Conflict),
    ("412", Exit::Precondition),
    ("428", Exit::Precondition),
    ("FAILED_PRECONDITION", Exit::Precondition),
    ("429", Exit::RateLimited),
    ("RESOURCE_EXHAUSTED", Exit::RateLimited),
    ("rateLimitExceeded", Exit::RateLimited),
    ("userRateLimitExceeded", Exit::RateLimited),
    ("dailyLimitExceeded", Exit::PaymentRequired),
    ("500", Exit::General),
    ("502", Exit::Unavailable),
    ("503", Exit::Unavailable),
    ("529", Exit::Unavailable),
    ("discoveryError", Exit::Unavailable),
    ("backendError", Exit::Unavailable),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const STATUS: &[Test] =
    &[is("error.code", Is::Integer), is("error.message", Is::Text), is("error.status", Is::Text)];

const REASON: &[Test] =
    &[is("error.code", Is::Integer), is("error.message", Is::Text), is("error.reason", Is::Text)];

const LIST_OF_REASONS: &[Test] = &[
    is("error.code", Is::Integer),
    is("error.message", Is::Text),
    is("error.errors.0.reason", Is::Text),
];

const NUMBER: &[Test] = &[
    is("error.code", Is::Integer),
    is("error.code", Is::Matches(&["40#", "41#", "42#", "50#"])),
    is("error.message", Is::Text),
];

/// One of the details may be a `google.rpc.RetryInfo`.
const DETAILS: &[Key] = &[detail("0"), detail("1"), detail("2"), detail("3")];

const fn detail(number: &'static str) -> Key {
    Key::new(number, Field::None, Type::Object).role(Role::Tolerated).keys(RETRY_INFO, Rest::Kept)
}

const RETRY_INFO: &[Key] =
    &[Key::new("retryDelay", Field::WaitText, Type::Text).role(Role::Tolerated)];

pub(super) static TABLE: Table = Table {
    id: "google/1",
    summary: "Google's services: bare data, or an error and a status",
    title: "google/1",
    description: "A failure of a Google API, as gws and others pass it on.",
    page: crate::table::described(include_str!("google_1.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        never: &["jsonrpc"],
        levels: &[
            Level::new(Confidence::Certain).all(STATUS),
            Level::new(Confidence::Certain).all(REASON),
            Level::new(Confidence::Likely).all(LIST_OF_REASONS),
            Level::new(Confidence::Possible).all(NUMBER),
        ],
        shapes: &[
            Shape { name: "status", own: true, all: STATUS },
            Shape { name: "reason", own: true, all: REASON },
            Shape { name: "list of reasons", own: true, all: LIST_OF_REASONS },
            Shape { name: "number", own: true, all: NUMBER },
        ],
        ..Marks::NONE
    },
    keys: &[Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
        &[
            Key::new("code", Field::HttpStatus, Type::Integer).required(),
            Key::new("message", Field::Message, Type::Text).required(),
            Key::new("status", Field::Code, Type::Text),
            Key::new("reason", Field::Code, Type::Text).role(Role::Tolerated),
            Key::new("errors", Field::None, Type::Array).role(Role::Tolerated).keys(
                &[Key::new("0", Field::None, Type::Object).role(Role::Tolerated).keys(
                    &[Key::new("reason", Field::Code, Type::Text).role(Role::Tolerated)],
                    Rest::Kept,
                )],
                Rest::Kept,
            ),
            Key::new("details", Field::Details, Type::Any).keys(DETAILS, Rest::Kept),
        ],
        Rest::Kept,
    )],
    rest: Rest::Payload,
    ..Table::PLAIN
};
