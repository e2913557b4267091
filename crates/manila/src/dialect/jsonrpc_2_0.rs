//! `jsonrpc/2.0`: a response of JSON-RPC 2.0.

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
    ("-32700", Exit::ArgError),
    ("-32600", Exit::ArgError),
    ("-32602", Exit::ArgError),
    ("-32601", Exit::NotFound),
    ("-32002", Exit::NotFound),
    ("-32603", Exit::General),
];

const STYLE: Style = Style { layout: Layout::Compact, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "jsonrpc/2.0",
    summary: "A response of JSON-RPC 2.0",
    title: "jsonrpc/2.0",
    description: "A response of JSON-RPC 2.0.",
    page: crate::table::described(include_str!("jsonrpc_2_0.md")),
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
    outcome: OutcomeFrom::Error,
    marks: Marks {
        all: &[],
        none: &[],
        never: &["method"],
        levels: &[
            Level::new(Confidence::Certain)
                .all(&[is("jsonrpc", Is::Matches(&["2.0"])), is("error", Is::Object)]),
            Level::new(Confidence::Certain).all(&[
                is("jsonrpc", Is::Matches(&["2.0"])),
                is("result", Is::Present),
                is("error", Is::Absent),
            ]),
        ],
        shapes: &[
            Shape {
                name: "error",
                own: true,
                all: &[is("jsonrpc", Is::Matches(&["2.0"])), is("error", Is::Object)],
            },
            Shape {
                name: "result",
                own: true,
                all: &[
                    is("jsonrpc", Is::Matches(&["2.0"])),
                    is("result", Is::Present),
                    is("error", Is::Absent),
                ],
            },
        ],
    },
    keys: &[
        Key::new("jsonrpc", Field::None, Type::Const(&["2.0"])).required(),
        Key::new("id", Field::Extra, Type::Any).required(),
        Key::new("result", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Integer).required(),
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("data", Field::Details, Type::Any),
            ],
            Rest::Kept,
        ),
    ],
    lines: &[],
    rest: Rest::Kept,
    no_data: &[],
};
