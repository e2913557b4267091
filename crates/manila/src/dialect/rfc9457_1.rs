//! `rfc9457/1`: problem Details for HTTP APIs: failures only.

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

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const PROBLEM_WITH_A_TYPE: &[Test] = &[
    is("type", Is::Text),
    is("title", Is::Text),
    is("status", Is::Matches(&["40#", "41#", "42#", "43#", "45#", "50#", "51#", "52#"])),
];

const PROBLEM: &[Test] = &[
    is("title", Is::Text),
    is("status", Is::Matches(&["40#", "41#", "42#", "43#", "45#", "50#", "51#", "52#"])),
];

const DETAIL: &[Test] = &[
    is("detail", Is::Text),
    is("status", Is::Matches(&["40#", "41#", "42#", "43#", "45#", "50#", "51#", "52#"])),
];

pub(super) static TABLE: Table = Table {
    id: "rfc9457/1",
    summary: "Problem Details for HTTP APIs: failures only",
    title: "rfc9457/1",
    description: "A problem of an HTTP API.",
    page: crate::table::described(include_str!("rfc9457_1.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        never: &["ok", "success", "error", "errors"],
        levels: &[
            Level::new(Confidence::Certain).all(PROBLEM_WITH_A_TYPE),
            Level::new(Confidence::Likely).all(PROBLEM),
            Level::new(Confidence::Possible).all(DETAIL),
        ],
        shapes: &[
            Shape { name: "problem with a type", own: true, all: PROBLEM_WITH_A_TYPE },
            Shape { name: "problem", own: true, all: PROBLEM },
            Shape { name: "detail", own: true, all: DETAIL },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("type", Field::None, Type::Const(&["about:blank"]))
            .on_failure()
            .role(Role::Tolerated),
        Key::new("type", Field::Code, Type::Text).required().on_failure(),
        Key::new("detail", Field::Message, Type::Text).required().on_failure(),
        Key::new("title", Field::Message, Type::Text).role(Role::Tolerated),
        Key::new("title", Field::Extra, Type::Text).required().on_failure(),
        Key::new("status", Field::HttpStatus, Type::Integer).required().on_failure(),
        Key::new("suggestion", Field::Suggestion, Type::Text).on_failure(),
        Key::new("retryable", Field::Retryable, Type::Flag).on_failure(),
        Key::new("retry_after", Field::WaitSeconds, Type::Count).on_failure(),
        Key::new("details", Field::Details, Type::Any).on_failure(),
    ],
    rest: Rest::Payload,
    ..Table::PLAIN
};
