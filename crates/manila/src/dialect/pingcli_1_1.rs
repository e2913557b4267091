//! `pingcli/1.1`: ping Identity's pingcli: seven keys, always there.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Null, Rest, Revision, Role, Shape, Table, Test,
    Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::Success, Retry::NotNeeded, Effects::Complete),
    ],
    ..ExitTable::COARSE
};

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const ENVELOPE: &[Test] = &[
    is("schemaVersion", Is::Text),
    is("status", Is::Matches(&["success", "warning", "error"])),
    is("meta", Is::Object),
];

pub(super) static TABLE: Table = Table {
    id: "pingcli/1.1",
    summary: "Ping Identity's pingcli: seven keys, always there",
    title: "pingcli/1.1",
    description: "One answer of pingcli with -O json.",
    page: crate::table::described(include_str!("pingcli_1_1.md")),
    exits: &EXITS,
    version: Some("1.1"),
    revision: Some(Revision { path: "schemaVersion", known: &["1.0", "1.1"] }),
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        levels: &[Level::new(Confidence::Certain).all(ENVELOPE)],
        shapes: &[Shape { name: "envelope", own: true, all: ENVELOPE }],
        ..Marks::NONE
    },
    keys: &[
        Key::new("schemaVersion", Field::SchemaVersion, Type::Text).required(),
        Key::new(
            "status",
            Field::Outcome,
            Type::Outcome { success: &["success", "warning"], failure: &["error"] },
        )
        .required(),
        Key::new("errors", Field::None, Type::Array).required().on_failure().keys(
            &[Key::new("0", Field::None, Type::Object).required().keys(
                &[
                    Key::new("code", Field::Code, Type::Text).required(),
                    Key::new("category", Field::Extra, Type::Text).required(),
                    Key::new("message", Field::Message, Type::Text).role(Role::Tolerated),
                    Key::new("retryable", Field::Retryable, Type::Flag).role(Role::Tolerated),
                ],
                Rest::Kept,
            )],
            Rest::Kept,
        ),
        Key::new("message", Field::Message, Type::Text).required(),
        Key::new("data", Field::Data, Type::Any).required().null(Null::Value),
        Key::new("meta", Field::Meta, Type::Object).required(),
        Key::new("warnings", Field::Warnings, Type::Texts).required(),
    ],
    ..Table::PLAIN
};
