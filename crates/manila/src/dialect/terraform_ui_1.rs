//! `terraform-ui/1`: terraform's lines: the last summary, or an error.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::table::{
    Confidence, Field, Is, IssuePaths, Key, Level, Line, LineHolds, Marks, Null, Rest, Role, Shape,
    Table, Test, Type, is,
};

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::Success, Retry::NotNeeded, Effects::Complete),
    ],
    ..ExitTable::COARSE
};

const ERROR: &[Test] = &[
    is("@module", Is::Matches(&["terraform.ui"])),
    is("type", Is::Matches(&["diagnostic"])),
    is("diagnostic.severity", Is::Matches(&["error"])),
];

const SUMMARY: &[Test] = &[
    is("@module", Is::Matches(&["terraform.ui"])),
    is("type", Is::Matches(&["change_summary", "outputs"])),
];

pub(super) static TABLE: Table = Table {
    id: "terraform-ui/1",
    summary: "terraform's lines: the last summary, or an error",
    title: "terraform-ui/1",
    description: "The deciding line of terraform plan -json or apply -json.",
    page: crate::table::described(include_str!("terraform_ui_1.md")),
    exits: &EXITS,
    marks: Marks {
        levels: &[
            Level::new(Confidence::Likely).all(ERROR),
            Level::new(Confidence::Likely).all(SUMMARY),
        ],
        shapes: &[
            Shape { name: "error", own: true, all: ERROR },
            Shape { name: "summary", own: true, all: SUMMARY },
        ],
        ..Marks::NONE
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
    ..Table::PLAIN
};
