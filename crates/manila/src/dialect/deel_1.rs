//! `deel/1`: deel: data and a request on stdout, an error with what to do next on stderr.

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
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

static CODES: &[(&str, Exit)] = &[
    ("auth.missing", Exit::AuthRequired),
    ("auth.invalid", Exit::AuthRequired),
    ("auth.keychain", Exit::Precondition),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "deel/1",
    summary: "Deel: data and a request id; errors on stderr",
    title: "deel/1",
    description: "One answer of deel.",
    page: crate::table::described(include_str!("deel_1.md")),
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
        never: &["ok", "success", "status", "errors", "command"],
        levels: &[
            Level::new(Confidence::Likely).all(&[
                is("data", Is::Present),
                is("meta.request_id", Is::Text),
                is("error", Is::Absent),
            ]),
            Level::new(Confidence::Likely).all(&[
                is("error.code", Is::Text),
                is("error.message", Is::Text),
                is("error.next", Is::Text),
            ]),
            Level::new(Confidence::Likely).all(&[
                is("error.code", Is::Text),
                is("error.message", Is::Text),
                is("error.request_id", Is::Text),
            ]),
        ],
        shapes: &[
            Shape {
                name: "data and request",
                own: true,
                all: &[
                    is("data", Is::Present),
                    is("meta.request_id", Is::Text),
                    is("error", Is::Absent),
                ],
            },
            Shape {
                name: "error with next",
                own: true,
                all: &[
                    is("error.code", Is::Text),
                    is("error.message", Is::Text),
                    is("error.next", Is::Text),
                ],
            },
            Shape {
                name: "error with request",
                own: true,
                all: &[
                    is("error.code", Is::Text),
                    is("error.message", Is::Text),
                    is("error.request_id", Is::Text),
                ],
            },
        ],
    },
    keys: &[
        Key::new("data", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Text).required(),
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("next", Field::Suggestion, Type::Text).required().empty_is_absent(),
                Key::new("request_id", Field::RequestId, Type::Text),
            ],
            Rest::Kept,
        ),
        Key::new("meta", Field::Meta, Type::Object)
            .required()
            .on_success()
            .keys(&[Key::new("request_id", Field::RequestId, Type::Text).required()], Rest::Kept),
    ],
    lines: &[],
    rest: Rest::Kept,
    no_data: &[],
};
