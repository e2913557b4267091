//! `cargo/1`: cargo's lines: the build finished, and how.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::table::{
    Confidence, Field, Is, IssuePaths, Key, Level, Line, LineHolds, Marks, Shape, Table, Test,
    Type, is,
};

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
    ..ExitTable::COARSE
};

const BUILD_FINISHED: &[Test] =
    &[is("reason", Is::Matches(&["build-finished"])), is("success", Is::Flag)];

pub(super) static TABLE: Table = Table {
    id: "cargo/1",
    summary: "cargo's lines: the build finished, and how",
    title: "cargo/1",
    description: "The last line of cargo with --message-format json.",
    page: crate::table::described(include_str!("cargo_1.md")),
    exits: &EXITS,
    marks: Marks {
        levels: &[Level::new(Confidence::Likely).all(BUILD_FINISHED)],
        shapes: &[Shape { name: "build finished", own: true, all: BUILD_FINISHED }],
        ..Marks::NONE
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
    ..Table::PLAIN
};
