//! `basecamp/1`: basecamp-cli: flat, an error is a text with a code beside it.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Marks, Null, OutcomeFrom, Rest,
    Schema, Shape, Table, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(2, Exit::NotFound, Retry::No, Effects::None),
        row(3, Exit::AuthRequired, Retry::AfterFix, Effects::None),
        row(4, Exit::PermissionDenied, Retry::No, Effects::None),
        row(5, Exit::RateLimited, Retry::Yes, Effects::None),
        row(6, Exit::Unavailable, Retry::Yes, Effects::Unknown),
        row(7, Exit::General, Retry::Depends, Effects::Unknown),
        row(8, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(9, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(10, Exit::PaymentRequired, Retry::AfterFix, Effects::None),
    ],
    nearest: &[
        (Exit::Conflict, 7),
        (Exit::Timeout, 7),
        (Exit::Precondition, 7),
        (Exit::PartialFailure, 7),
        (Exit::Redirected, 7),
    ],
    grain: Grain::Coarse,
    signals: false,
};

static CODES: &[(&str, Exit)] = &[
    ("usage", Exit::ArgError),
    ("ambiguous", Exit::ArgError),
    ("validation", Exit::ArgError),
    ("auth_required", Exit::AuthRequired),
    ("forbidden", Exit::PermissionDenied),
    ("rate_limit", Exit::RateLimited),
    ("network", Exit::Unavailable),
    ("api_error", Exit::General),
    ("limit_exceeded", Exit::PaymentRequired),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "basecamp/1",
    summary: "basecamp-cli: flat, an error is a text beside a code",
    title: "basecamp/1",
    description: "One answer of basecamp-cli or of a program that uses basecamp/cli.",
    page: crate::table::described(include_str!("basecamp_1.md")),
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
    outcome: OutcomeFrom::Keys,
    marks: Marks {
        all: &[],
        none: &[],
        never: &[],
        levels: &[
            Level::new(Confidence::Certain)
                .all(&[is("ok", Is::Flag), is("breadcrumbs", Is::Array)]),
            Level::new(Confidence::Likely).all(&[
                is("ok", Is::Flag),
                is("data", Is::Value),
                is("summary", Is::Text),
            ]),
            Level::new(Confidence::Certain).all(&[
                is("ok", Is::Flag),
                is("error", Is::Text),
                is("code", Is::Text),
            ]),
        ],
        shapes: &[
            Shape {
                name: "breadcrumbs",
                own: true,
                all: &[is("ok", Is::Flag), is("breadcrumbs", Is::Array)],
            },
            Shape {
                name: "summary",
                own: true,
                all: &[is("ok", Is::Flag), is("data", Is::Value), is("summary", Is::Text)],
            },
            Shape {
                name: "flat error",
                own: true,
                all: &[is("ok", Is::Flag), is("error", Is::Text), is("code", Is::Text)],
            },
        ],
    },
    keys: &[
        Key::new("ok", Field::Ok, Type::Flag).required(),
        Key::new("data", Field::Data, Type::Any).on_success().null(Null::Value),
        Key::new("summary", Field::Extra, Type::Text).on_success(),
        Key::new("notice", Field::Extra, Type::Text).on_success(),
        Key::new("breadcrumbs", Field::Extra, Type::Array).required().on_success(),
        Key::new("context", Field::Extra, Type::Object).on_success(),
        Key::new("error", Field::Message, Type::Text).required().on_failure(),
        Key::new("code", Field::Code, Type::Text).required().on_failure(),
        Key::new("hint", Field::Suggestion, Type::Text).on_failure(),
        Key::new("meta", Field::Meta, Type::Object)
            .keys(&[Key::new("request_id", Field::RequestId, Type::Text)], Rest::Allowed),
    ],
    lines: &[],
    rest: Rest::Kept,
    no_data: &[],
};
