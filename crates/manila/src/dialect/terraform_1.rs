//! `terraform/1`: terraform's documents: valid, and diagnostics.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, KindNames, Level, Marks, OutcomeFrom, Rest,
    Revision, Role, Schema, Shape, Table, Type, is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::Success, Retry::NotNeeded, Effects::Complete),
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "terraform/1",
    summary: "terraform's documents: valid, and diagnostics",
    title: "terraform/1",
    description: "The result of terraform validate -json, or terraform show -json.",
    page: crate::table::described(include_str!("terraform_1.md")),
    schema: Schema::Generated,
    exits: &EXITS,
    codes: &[],
    code_set: CodeSet::Open,
    version: Some("1.0"),
    revision: Some(Revision { path: "format_version", known: &["1.#"] }),
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
            Level::new(Confidence::Likely).all(&[
                is("format_version", Is::Text),
                is("valid", Is::Flag),
                is("diagnostics", Is::Array),
            ]),
            Level::new(Confidence::Likely)
                .all(&[is("format_version", Is::Text), is("terraform_version", Is::Text)]),
        ],
        shapes: &[
            Shape {
                name: "validation",
                own: true,
                all: &[
                    is("format_version", Is::Text),
                    is("valid", Is::Flag),
                    is("diagnostics", Is::Array),
                ],
            },
            Shape {
                name: "document",
                own: true,
                all: &[is("format_version", Is::Text), is("terraform_version", Is::Text)],
            },
        ],
    },
    keys: &[
        Key::new("format_version", Field::SchemaVersion, Type::Text).required(),
        Key::new("valid", Field::Ok, Type::Flag).required(),
        Key::new("error_count", Field::Extra, Type::Count).required(),
        Key::new("warning_count", Field::Extra, Type::Count).required(),
        Key::new("values", Field::Data, Type::Object).role(Role::Tolerated),
        Key::new("diagnostics", Field::Issues, Type::Issues).required().keys(
            &[
                Key::new("severity", Field::IssueSeverity, Type::Text).required(),
                Key::new("summary", Field::IssueMessage, Type::Text),
            ],
            Rest::Allowed,
        ),
    ],
    lines: &[],
    rest: Rest::Kept,
    no_data: &[],
};
