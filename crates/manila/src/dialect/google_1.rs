//! `google/1`: google's services: bare data, or an error with an HTTP status.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Marks, OutcomeFrom, Rest, Role,
    Schema, Shape, Table, Type, is,
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
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
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
    page: include_str!("google_1.md"),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: None,
    revision: None,
    has_meta: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        all: &[],
        none: &[],
        never: &["jsonrpc"],
        levels: &[
            Level::new(Confidence::Certain).all(&[
                is("error.code", Is::Integer),
                is("error.message", Is::Text),
                is("error.status", Is::Text),
            ]),
            Level::new(Confidence::Certain).all(&[
                is("error.code", Is::Integer),
                is("error.message", Is::Text),
                is("error.reason", Is::Text),
            ]),
            Level::new(Confidence::Likely).all(&[
                is("error.code", Is::Integer),
                is("error.message", Is::Text),
                is("error.errors.0.reason", Is::Text),
            ]),
            Level::new(Confidence::Possible).all(&[
                is("error.code", Is::Integer),
                is("error.code", Is::Matches(&["40#", "41#", "42#", "50#"])),
                is("error.message", Is::Text),
            ]),
        ],
        shapes: &[
            Shape {
                name: "status",
                own: true,
                all: &[
                    is("error.code", Is::Integer),
                    is("error.message", Is::Text),
                    is("error.status", Is::Text),
                ],
            },
            Shape {
                name: "reason",
                own: true,
                all: &[
                    is("error.code", Is::Integer),
                    is("error.message", Is::Text),
                    is("error.reason", Is::Text),
                ],
            },
            Shape {
                name: "list of reasons",
                own: true,
                all: &[
                    is("error.code", Is::Integer),
                    is("error.message", Is::Text),
                    is("error.errors.0.reason", Is::Text),
                ],
            },
            Shape {
                name: "number",
                own: true,
                all: &[
                    is("error.code", Is::Integer),
                    is("error.code", Is::Matches(&["40#", "41#", "42#", "50#"])),
                    is("error.message", Is::Text),
                ],
            },
        ],
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
    lines: &[],
    rest: Rest::Payload,
    no_data: &[],
};
