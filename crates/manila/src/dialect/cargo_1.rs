//! `cargo/1`: cargo's lines: the build finished, and how.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, IssuePaths, Key, KindNames, Level, Line, LineHolds,
    Marks, OutcomeFrom, Rest, Schema, Shape, Table, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(101, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    nearest: &[
        (Exit::NotFound, 101),
        (Exit::Conflict, 101),
        (Exit::PermissionDenied, 101),
        (Exit::AuthRequired, 101),
        (Exit::PaymentRequired, 101),
        (Exit::Timeout, 101),
        (Exit::RateLimited, 101),
        (Exit::Unavailable, 101),
        (Exit::Precondition, 101),
        (Exit::PartialFailure, 101),
        (Exit::Redirected, 101),
    ],
    grain: Grain::Coarse,
    signals: false,
};

const STYLE: Style = Style { layout: Layout::Compact, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "cargo/1",
    summary: "cargo's lines: the build finished, and how",
    title: "cargo/1",
    description: "The last line of cargo with --message-format json.",
    page: crate::table::described(include_str!("cargo_1.md")),
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
        levels: &[Level::new(Confidence::Likely)
            .all(&[is("reason", Is::Matches(&["build-finished"])), is("success", Is::Flag)])],
        shapes: &[Shape {
            name: "build finished",
            own: true,
            all: &[is("reason", Is::Matches(&["build-finished"])), is("success", Is::Flag)],
        }],
    },
    keys: &[
        Key::new("reason", Field::None, Type::Const(&["build-finished"])).required(),
        Key::new("success", Field::Ok, Type::Flag).required(),
    ],
    lines: &[
        Line {
            all: &[is("reason", Is::Matches(&["compiler-artifact", "build-script-executed"]))],
            holds: LineHolds::Data(""),
        },
        Line {
            all: &[is("reason", Is::Matches(&["compiler-message"]))],
            holds: LineHolds::Issue(IssuePaths {
                at: "message",
                code: "code.code",
                severity: "level",
                message: "message",
            }),
        },
    ],
    rest: Rest::Kept,
    no_data: &[],
};
