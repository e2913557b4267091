//! `clispec/0.3`: the CLI Spec: bare data on stdout, an error with a kind on the last line of stderr.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Marks, OutcomeFrom, Rest, Schema,
    Shape, Table, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

static CODES: &[(&str, Exit)] = &[
    ("auth", Exit::AuthRequired),
    ("conflict", Exit::Conflict),
    ("confirmation_required", Exit::ArgError),
    ("tty_required", Exit::Precondition),
    ("usage", Exit::ArgError),
    ("parse", Exit::ArgError),
    ("io", Exit::General),
    ("rate_limit", Exit::RateLimited),
    ("timeout", Exit::Timeout),
    ("unavailable", Exit::Unavailable),
    ("internal", Exit::General),
];

const STYLE: Style = Style { layout: Layout::Compact, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "clispec/0.3",
    summary: "The CLI Spec: bare data; errors on stderr have a kind",
    title: "clispec/0.3",
    description: "A failure of a program that follows The CLI Spec.",
    page: crate::table::described(include_str!("clispec_0_3.md")),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: None,
    revision: None,
    has_meta: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        all: &[],
        none: &[],
        never: &[
            "ok",
            "success",
            "status",
            "type",
            "schema_version",
            "command",
            "timestamp",
            "exit_code",
            "meta",
        ],
        levels: &[Level::new(Confidence::Likely).all(&[
            is("error.kind", Is::Text),
            is("error.message", Is::Text),
            is("error.code", Is::Absent),
        ])],
        shapes: &[Shape {
            name: "error kind",
            own: true,
            all: &[
                is("error.kind", Is::Text),
                is("error.message", Is::Text),
                is("error.code", Is::Absent),
            ],
        }],
    },
    keys: &[Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
        &[
            Key::new("kind", Field::Code, Type::Text).required(),
            Key::new("message", Field::Message, Type::Text).required(),
            Key::new("hint", Field::Suggestion, Type::Text),
            Key::new("details", Field::Details, Type::Object),
        ],
        Rest::Kept,
    )],
    lines: &[],
    rest: Rest::Payload,
    no_data: &[],
};
