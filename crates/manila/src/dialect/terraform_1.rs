//! `terraform/1`: terraform's documents: valid, and diagnostics.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Rest, Revision, Role, Shape, Table, Test, Type,
    is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::Success, Retry::NotNeeded, Effects::Complete),
    ],
    ..ExitTable::COARSE
};

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const VALIDATION: &[Test] =
    &[is("format_version", Is::Text), is("valid", Is::Flag), is("diagnostics", Is::Array)];

const DOCUMENT: &[Test] = &[is("format_version", Is::Text), is("terraform_version", Is::Text)];

pub(super) static TABLE: Table = Table {
    id: "terraform/1",
    summary: "terraform's documents: valid, and diagnostics",
    title: "terraform/1",
    description: "The result of terraform validate -json, or terraform show -json.",
    page: crate::table::described(include_str!("terraform_1.md")),
    exits: &EXITS,
    version: Some("1.0"),
    revision: Some(Revision { path: "format_version", known: &["1.#"] }),
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        levels: &[
            Level::new(Confidence::Likely).all(VALIDATION),
            Level::new(Confidence::Likely).all(DOCUMENT),
        ],
        shapes: &[
            Shape { name: "validation", own: true, all: VALIDATION },
            Shape { name: "document", own: true, all: DOCUMENT },
        ],
        ..Marks::NONE
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
    ..Table::PLAIN
};
