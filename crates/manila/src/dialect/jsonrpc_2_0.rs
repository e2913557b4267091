//! `jsonrpc/2.0`: a response of JSON-RPC 2.0.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::table::{
    Confidence, Field, Is, Key, Level, Marks, Null, OutcomeFrom, Rest, Shape, Table, Test, Type, is,
};

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("-32700", Exit::ArgError),
    ("-32600", Exit::ArgError),
    ("-32602", Exit::ArgError),
    ("-32601", Exit::NotFound),
    ("-32002", Exit::NotFound),
    ("-32603", Exit::General),
];

const ERROR: &[Test] = &[is("jsonrpc", Is::Matches(&["2.0"])), is("error", Is::Object)];

const RESULT: &[Test] =
    &[is("jsonrpc", Is::Matches(&["2.0"])), is("result", Is::Present), is("error", Is::Absent)];

pub(super) static TABLE: Table = Table {
    id: "jsonrpc/2.0",
    summary: "A response of JSON-RPC 2.0",
    title: "jsonrpc/2.0",
    description: "A response of JSON-RPC 2.0.",
    page: crate::table::described(include_str!("jsonrpc_2_0.md")),
    exits: &EXITS,
    codes: CODES,
    outcome: OutcomeFrom::Error,
    marks: Marks {
        never: &["method"],
        levels: &[
            Level::new(Confidence::Certain).all(ERROR),
            Level::new(Confidence::Certain).all(RESULT),
        ],
        shapes: &[
            Shape { name: "error", own: true, all: ERROR },
            Shape { name: "result", own: true, all: RESULT },
        ],
        ..Marks::NONE
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
    ..Table::PLAIN
};
