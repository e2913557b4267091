//! `mcp/2025-11-25`: the result of a tool call in the Model Context Protocol.

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
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

const STYLE: Style = Style { layout: Layout::Compact, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "mcp/2025-11-25",
    summary: "The result of a tool call in the Model Context Protocol",
    title: "mcp/2025-11-25",
    description: "The result of a tool call.",
    page: crate::table::described(include_str!("mcp_2025_11_25.md")),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: &[],
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
        never: &["role", "model", "jsonrpc"],
        levels: &[Level::new(Confidence::Likely)
            .all(&[is("content", Is::Array), is("content.0.type", Is::Text)])],
        shapes: &[Shape {
            name: "tool result",
            own: true,
            all: &[is("content", Is::Array), is("content.0.type", Is::Text)],
        }],
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
    lines: &[],
    rest: Rest::Kept,
    no_data: &[],
};
