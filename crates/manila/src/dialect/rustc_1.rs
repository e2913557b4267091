//! `rustc/1`: rustc's lines: one diagnostic each.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::Style;
use crate::table::{
    Confidence, Field, Form, Is, IssuePaths, Key, Level, Line, LineHolds, Marks, Rest, Shape,
    Table, Test, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(101, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

const DIAGNOSTIC: &[Test] = &[
    is("$message_type", Is::Matches(&["diagnostic"])),
    is("level", Is::Text),
    is("message", Is::Text),
];

pub(super) static TABLE: Table = Table {
    id: "rustc/1",
    summary: "rustc's lines: one diagnostic each",
    title: "rustc/1",
    description: "A diagnostic of rustc with --error-format json.",
    page: crate::table::described(include_str!("rustc_1.md")),
    exits: &EXITS,
    failure: Form { stream: Stream::Stderr, style: Style::COMPACT },
    marks: Marks {
        levels: &[Level::new(Confidence::Likely).all(DIAGNOSTIC)],
        shapes: &[Shape { name: "diagnostic", own: true, all: DIAGNOSTIC }],
        ..Marks::NONE
    },
    keys: &[
        Key::new("$message_type", Field::None, Type::Const(&["diagnostic"])).required(),
        Key::new("message", Field::Message, Type::Text).required(),
        Key::new("code", Field::None, Type::Object)
            .on_failure()
            .keys(&[Key::new("code", Field::Code, Type::Text)], Rest::Kept),
        Key::new(
            "level",
            Field::Outcome,
            Type::Outcome {
                success: &["note", "warning", "help", "failure-note"],
                failure: &["error"],
            },
        )
        .required(),
        Key::new("spans", Field::Extra, Type::Array).required(),
        Key::new("children", Field::Extra, Type::Array).required(),
        Key::new("rendered", Field::Extra, Type::Text).required(),
    ],
    lines: &[Line {
        all: &[is("$message_type", Is::Matches(&["diagnostic"])), is("level", Is::Text)],
        holds: LineHolds::Issue(IssuePaths {
            at: "",
            code: "code.code",
            severity: "level",
            message: "message",
        }),
    }],
    ..Table::PLAIN
};
