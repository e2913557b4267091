//! `codex/0`: codex's lines: the turn completed or failed.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Line, LineHolds, Marks,
    OutcomeFrom, Rest, Schema, Shape, Table, Type, is,
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
    id: "codex/0",
    summary: "codex's lines: the turn completed or failed",
    title: "codex/0",
    description: "The last line of codex exec --json.",
    page: include_str!("codex_0.md"),
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
        never: &[],
        levels: &[
            Level::new(Confidence::Likely)
                .all(&[is("type", Is::Matches(&["turn.failed"])), is("error.message", Is::Text)]),
            Level::new(Confidence::Likely).all(&[is("type", Is::Matches(&["turn.completed"]))]),
        ],
        shapes: &[
            Shape {
                name: "turn failed",
                own: true,
                all: &[is("type", Is::Matches(&["turn.failed"])), is("error.message", Is::Text)],
            },
            Shape {
                name: "turn completed",
                own: true,
                all: &[is("type", Is::Matches(&["turn.completed"]))],
            },
        ],
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
    rest: Rest::Kept,
    no_data: &[],
};
