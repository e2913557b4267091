//! `terraform-ui/1`: terraform's lines: the last summary, or an error.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, IssuePaths, Key, KindNames, Level, Line, LineHolds,
    Marks, Null, OutcomeFrom, Rest, Role, Schema, Shape, Table, Type, is,
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

const STYLE: Style = Style { layout: Layout::Compact, ascii: false };

pub(super) static TABLE: Table = Table {
    id: "terraform-ui/1",
    summary: "terraform's lines: the last summary, or an error",
    title: "terraform-ui/1",
    description: "The deciding line of terraform plan -json or apply -json.",
    page: crate::table::described(include_str!("terraform_ui_1.md")),
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
            Level::new(Confidence::Likely).all(&[
                is("@module", Is::Matches(&["terraform.ui"])),
                is("type", Is::Matches(&["diagnostic"])),
                is("diagnostic.severity", Is::Matches(&["error"])),
            ]),
            Level::new(Confidence::Likely).all(&[
                is("@module", Is::Matches(&["terraform.ui"])),
                is("type", Is::Matches(&["change_summary", "outputs"])),
            ]),
        ],
        shapes: &[
            Shape {
                name: "error",
                own: true,
                all: &[
                    is("@module", Is::Matches(&["terraform.ui"])),
                    is("type", Is::Matches(&["diagnostic"])),
                    is("diagnostic.severity", Is::Matches(&["error"])),
                ],
            },
            Shape {
                name: "summary",
                own: true,
                all: &[
                    is("@module", Is::Matches(&["terraform.ui"])),
                    is("type", Is::Matches(&["change_summary", "outputs"])),
                ],
            },
        ],
    },
    keys: &[
        Key::new("@level", Field::None, Type::Outcome { success: &["info"], failure: &["error"] })
            .required(),
        Key::new("@message", Field::Extra, Type::Text).required(),
        Key::new("@module", Field::None, Type::Const(&["terraform.ui"])).required(),
        Key::new("@timestamp", Field::Timestamp, Type::Text).required(),
        Key::new("outputs", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("changes", Field::Data, Type::Object).role(Role::Tolerated),
        Key::new("diagnostic", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("severity", Field::None, Type::Const(&["error"])).required(),
                Key::new("summary", Field::Message, Type::Text).required(),
                Key::new("detail", Field::Detail, Type::Text).required().empty_is_absent(),
            ],
            Rest::Kept,
        ),
        Key::new(
            "type",
            Field::Outcome,
            Type::Outcome { success: &["outputs", "change_summary"], failure: &["diagnostic"] },
        )
        .required(),
    ],
    lines: &[
        Line {
            all: &[is("@module", Is::Matches(&["terraform.ui"])), is("diagnostic", Is::Object)],
            holds: LineHolds::Issue(IssuePaths {
                at: "diagnostic",
                code: "",
                severity: "severity",
                message: "summary",
            }),
        },
        Line { all: &[is("@module", Is::Matches(&["terraform.ui"]))], holds: LineHolds::Progress },
    ],
    rest: Rest::Kept,
    no_data: &[],
};
