//! `paperfoot/1`: paperfoot: version, status and data on stdout, errors with a suggestion on stderr.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Marks, OutcomeFrom, Rest,
    Revision, Schema, Shape, Table, Type, is,
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
    grain: Grain::Coarse,
    signals: false,
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

pub(super) static TABLE: Table = Table {
    id: "paperfoot/1",
    summary: "paperfoot: version, status and data; errors on stderr",
    title: "paperfoot/1",
    description: "One answer of a program built with paperfoot's agent-cli-framework.",
    page: crate::table::described(include_str!("paperfoot_1.md")),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: None,
    revision: Some(Revision { path: "version", known: &["1"] }),
    has_meta: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
    outcome: OutcomeFrom::Keys,
    marks: Marks {
        all: &[],
        none: &[],
        never: &[],
        levels: &[Level::new(Confidence::Certain).all(&[
            is("version", Is::Text),
            is(
                "status",
                Is::Matches(&["success", "no_results", "partial_success", "all_failed", "error"]),
            ),
            is("schemaVersion", Is::Absent),
        ])],
        shapes: &[Shape {
            name: "version and status",
            own: true,
            all: &[
                is("version", Is::Text),
                is(
                    "status",
                    Is::Matches(&[
                        "success",
                        "no_results",
                        "partial_success",
                        "all_failed",
                        "error",
                    ]),
                ),
                is("schemaVersion", Is::Absent),
            ],
        }],
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
    lines: &[],
    rest: Rest::Kept,
    no_data: &[],
};
