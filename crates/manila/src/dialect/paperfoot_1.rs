//! `paperfoot/1`: paperfoot: version, status and data on stdout, errors with a suggestion on stderr.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Rest, Revision, Shape, Table, Test, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::Unavailable, Retry::Yes, Effects::Unknown),
        row(2, Exit::Precondition, Retry::AfterFix, Effects::None),
        row(3, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(4, Exit::RateLimited, Retry::Yes, Effects::None),
    ],
    nearest: &[(Exit::General, 1)],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("invalid_input", Exit::ArgError),
    ("config_error", Exit::Precondition),
    ("rate_limited", Exit::RateLimited),
    ("transient_error", Exit::Unavailable),
    ("io_error", Exit::Unavailable),
    ("update_error", Exit::Unavailable),
    ("serialize", Exit::General),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const VERSION_AND_STATUS: &[Test] = &[
    is("version", Is::Text),
    is("status", Is::Matches(&["success", "no_results", "partial_success", "all_failed", "error"])),
    is("schemaVersion", Is::Absent),
];

pub(super) static TABLE: Table = Table {
    id: "paperfoot/1",
    summary: "paperfoot: version, status and data; errors on stderr",
    title: "paperfoot/1",
    description: "One answer of a program built with paperfoot's agent-cli-framework.",
    page: crate::table::described(include_str!("paperfoot_1.md")),
    exits: &EXITS,
    codes: CODES,
    revision: Some(Revision { path: "version", known: &["1"] }),
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
    marks: Marks {
        levels: &[Level::new(Confidence::Certain).all(VERSION_AND_STATUS)],
        shapes: &[Shape { name: "version and status", own: true, all: VERSION_AND_STATUS }],
        ..Marks::NONE
    },
    keys: &[
        Key::new("version", Field::None, Type::Const(&["1"])).required(),
        Key::new(
            "status",
            Field::Outcome,
            Type::Outcome {
                success: &["success", "no_results"],
                failure: &["error", "all_failed", "partial_success"],
            },
        )
        .required(),
        Key::new("data", Field::Data, Type::Any),
        Key::new("error", Field::Error, Type::Object).on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Text).required(),
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("suggestion", Field::Suggestion, Type::Text).required().empty_is_absent(),
            ],
            Rest::Kept,
        ),
    ],
    ..Table::PLAIN
};
