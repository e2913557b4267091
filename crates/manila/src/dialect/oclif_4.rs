//! `oclif/4`: oclif: bare data, or an error with a name.

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
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

static CODES: &[(&str, Exit)] = &[
    ("ECONNREFUSED", Exit::Unavailable),
    ("ENOTFOUND", Exit::Unavailable),
    ("EAI_AGAIN", Exit::Unavailable),
    ("ECONNRESET", Exit::Unavailable),
    ("ETIMEDOUT", Exit::Timeout),
    ("NonExistentFlagsError", Exit::ArgError),
    ("FailedFlagValidationError", Exit::ArgError),
    ("RequiredArgsError", Exit::ArgError),
    ("UnexpectedArgsError", Exit::ArgError),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "oclif/4",
    summary: "oclif: bare data, or an error with a name",
    title: "oclif/4",
    description: "A failure of a program built with oclif, with --json.",
    page: crate::table::described(include_str!("oclif_4.md")),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: None,
    revision: None,
    has_meta: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    outcome: OutcomeFrom::Failure,
    marks: Marks {
        all: &[],
        none: &[],
        never: &["ok", "success", "kind", "command"],
        levels: &[
            Level::new(Confidence::Certain)
                .all(&[is("error.oclif", Is::Object), is("error.message", Is::Text)]),
            Level::new(Confidence::Possible)
                .all(&[is("error.name", Is::Text), is("error.message", Is::Text)]),
        ],
        shapes: &[
            Shape {
                name: "oclif error",
                own: true,
                all: &[is("error.oclif", Is::Object), is("error.message", Is::Text)],
            },
            Shape {
                name: "named error",
                own: true,
                all: &[is("error.name", Is::Text), is("error.message", Is::Text)],
            },
        ],
    },
    keys: &[Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
        &[
            Key::new("code", Field::Code, Type::Text).role(Role::Tolerated),
            Key::new("message", Field::Message, Type::Text).required(),
            Key::new("name", Field::Code, Type::Text).required(),
        ],
        Rest::Kept,
    )],
    lines: &[],
    rest: Rest::Payload,
    no_data: &[],
};
