//! `basecamp/1`: basecamp-cli: flat, an error is a text with a code beside it.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Null, Rest, Shape, Table, Test, Type, is,
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
    ..ExitTable::COARSE
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

const BREADCRUMBS: &[Test] = &[is("ok", Is::Flag), is("breadcrumbs", Is::Array)];

const SUMMARY: &[Test] = &[is("ok", Is::Flag), is("data", Is::Value), is("summary", Is::Text)];

const FLAT_ERROR: &[Test] = &[is("ok", Is::Flag), is("error", Is::Text), is("code", Is::Text)];

pub(super) static TABLE: Table = Table {
    id: "basecamp/1",
    summary: "basecamp-cli: flat, an error is a text beside a code",
    title: "basecamp/1",
    description: "One answer of basecamp-cli or of a program that uses basecamp/cli.",
    page: crate::table::described(include_str!("basecamp_1.md")),
    exits: &EXITS,
    codes: CODES,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        levels: &[
            Level::new(Confidence::Certain).all(BREADCRUMBS),
            Level::new(Confidence::Likely).all(SUMMARY),
            Level::new(Confidence::Certain).all(FLAT_ERROR),
        ],
        shapes: &[
            Shape { name: "breadcrumbs", own: true, all: BREADCRUMBS },
            Shape { name: "summary", own: true, all: SUMMARY },
            Shape { name: "flat error", own: true, all: FLAT_ERROR },
        ],
        ..Marks::NONE
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
    ..Table::PLAIN
};
