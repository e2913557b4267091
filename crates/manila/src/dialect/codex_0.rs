//! `codex/0`: codex's lines: the turn completed or failed.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::table::{
    Confidence, Field, Is, Key, Level, Line, LineHolds, Marks, Rest, Shape, Table, Test, Type, is,
};

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

const TURN_FAILED: &[Test] =
    &[is("type", Is::Matches(&["turn.failed"])), is("error.message", Is::Text)];

const TURN_COMPLETED: &[Test] = &[is("type", Is::Matches(&["turn.completed"]))];

pub(super) static TABLE: Table = Table {
    id: "codex/0",
    summary: "codex's lines: the turn completed or failed",
    title: "codex/0",
    description: "The last line of codex exec --json.",
    page: crate::table::described(include_str!("codex_0.md")),
    exits: &EXITS,
    marks: Marks {
        levels: &[
            Level::new(Confidence::Likely).all(TURN_FAILED),
            Level::new(Confidence::Likely).all(TURN_COMPLETED),
        ],
        shapes: &[
            Shape { name: "turn failed", own: true, all: TURN_FAILED },
            Shape { name: "turn completed", own: true, all: TURN_COMPLETED },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new(
            "type",
            Field::Outcome,
            Type::Outcome { success: &["turn.completed"], failure: &["turn.failed"] },
        )
        .required(),
        Key::new("error", Field::Error, Type::Object)
            .required()
            .on_failure()
            .keys(&[Key::new("message", Field::Message, Type::Text).required()], Rest::Kept),
        Key::new("usage", Field::Extra, Type::Object).required().on_success(),
    ],
    lines: &[
        Line {
            all: &[is("type", Is::Matches(&["item.completed"]))],
            holds: LineHolds::Data("item"),
        },
        Line { all: &[is("type", Is::Matches(&["error"]))], holds: LineHolds::Error("message") },
        Line {
            all: &[is(
                "type",
                Is::Matches(&["thread.started", "turn.started", "item.started", "item.updated"]),
            )],
            holds: LineHolds::Progress,
        },
    ],
    ..Table::PLAIN
};
