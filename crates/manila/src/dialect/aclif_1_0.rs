//! `aclif/1.0`: aclif: result and context, or an error with a working example.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, Level, Marks, Null, Rest, Revision, Shape, Table, Test, Type,
    is,
};
use crate::transcript::Stream;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(3, Exit::AuthRequired, Retry::AfterFix, Effects::None),
        row(130, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("NO_CREDENTIALS", Exit::AuthRequired),
    ("AUTHENTICATION_FAILED", Exit::AuthRequired),
    ("INSUFFICIENT_ACCESS", Exit::PermissionDenied),
    ("INVALID_USAGE", Exit::ArgError),
    ("CONFIRMATION_REQUIRED", Exit::ArgError),
    ("COMMAND_ERROR", Exit::General),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: false };

const RESULT_AND_CONTEXT: &[Test] = &[is("success", Is::Flag), is("_context", Is::Object)];

const ERROR: &[Test] = &[
    is("success", Is::Flag),
    is("error.code", Is::Text),
    is("error.message", Is::Text),
    is("data", Is::Absent),
    is("meta", Is::Absent),
];

pub(super) static TABLE: Table = Table {
    id: "aclif/1.0",
    summary: "aclif: result and context, or an error with an example",
    title: "aclif/1.0",
    description: "One answer of a program built with aclif.",
    page: crate::table::described(include_str!("aclif_1_0.md")),
    exits: &EXITS,
    codes: CODES,
    revision: Some(Revision { path: "_context.contract", known: &["1.*"] }),
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stdout, style: STYLE },
    marks: Marks {
        levels: &[
            Level::new(Confidence::Certain).all(RESULT_AND_CONTEXT),
            Level::new(Confidence::Likely).all(ERROR),
        ],
        shapes: &[
            Shape { name: "result and context", own: true, all: RESULT_AND_CONTEXT },
            Shape { name: "error", own: true, all: ERROR },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("success", Field::Ok, Type::Flag).required(),
        Key::new("result", Field::Data, Type::Any).required().on_success().null(Null::Value),
        Key::new("error", Field::Error, Type::Object).required().on_failure().keys(
            &[
                Key::new("code", Field::Code, Type::Text).required(),
                Key::new("message", Field::Message, Type::Text).required(),
                Key::new("syntaxGuide", Field::Suggestion, Type::Text),
                Key::new("correctedValue", Field::Extra, Type::Any),
                Key::new("workingExample", Field::Extra, Type::Text),
            ],
            Rest::Kept,
        ),
        Key::new("_context", Field::Meta, Type::Object).required().on_success().keys(
            &[Key::new("contract", Field::None, Type::Const(&["1.0.0"])).required()],
            Rest::Allowed,
        ),
    ],
    ..Table::PLAIN
};
