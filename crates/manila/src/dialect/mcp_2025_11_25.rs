//! `mcp/2025-11-25`: the result of a tool call in the Model Context Protocol.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::table::{
    Confidence, Field, Is, Key, Level, Marks, Rest, Role, Shape, Table, Test, Type, is,
};

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

const TOOL_RESULT: &[Test] = &[is("content", Is::Array), is("content.0.type", Is::Text)];

pub(super) static TABLE: Table = Table {
    id: "mcp/2025-11-25",
    summary: "The result of a tool call in the Model Context Protocol",
    title: "mcp/2025-11-25",
    description: "The result of a tool call.",
    page: crate::table::described(include_str!("mcp_2025_11_25.md")),
    exits: &EXITS,
    marks: Marks {
        never: &["role", "model", "jsonrpc"],
        levels: &[Level::new(Confidence::Likely).all(TOOL_RESULT)],
        shapes: &[Shape { name: "tool result", own: true, all: TOOL_RESULT }],
        ..Marks::NONE
    },
    keys: &[
        Key::new("content", Field::None, Type::Array).required().keys(
            &[Key::new("0", Field::None, Type::Object).required().keys(
                &[
                    Key::new("type", Field::None, Type::Const(&["text"])).required(),
                    Key::new("text", Field::Message, Type::Text).required(),
                ],
                Rest::Kept,
            )],
            Rest::Allowed,
        ),
        Key::new("structuredContent", Field::Data, Type::Object)
            .keys(&[Key::new("code", Field::Code, Type::Text).role(Role::Tolerated)], Rest::Kept),
        Key::new("isError", Field::Failed, Type::Flag),
        Key::new("_meta", Field::None, Type::Object).on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Text),
                Key::new("retryable", Field::Retryable, Type::Flag),
                Key::new("suggestion", Field::Suggestion, Type::Text),
            ],
            Rest::Kept,
        ),
    ],
    ..Table::PLAIN
};
