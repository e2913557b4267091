//! `animus/1`: the `animus.cli.v1` envelope.

use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::Style;
use crate::table::{
    CodeSet, Confidence, Field, Form, Is, Key, Level, Marks, Null, Rest, Revision, Shape, Table,
    Type, is,
};
use crate::transcript::Stream;

const SCHEMA: &str = "animus.cli.v1";
/// The name it had before the program was renamed; the version was not bumped.
const OLD_SCHEMA: &str = "ao.cli.v1";

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
        row(3, Exit::NotFound, Retry::No, Effects::None),
        row(4, Exit::Conflict, Retry::No, Effects::None),
        // The program files timeouts here too.
        row(5, Exit::Unavailable, Retry::Yes, Effects::Unknown),
    ],
    nearest: &[
        (Exit::Precondition, 4),
        (Exit::RateLimited, 5),
        (Exit::Timeout, 5),
        (Exit::Redirected, 2),
    ],
    grain: Grain::Fine,
    ..ExitTable::COARSE
};

static CODES: &[(&str, Exit)] = &[
    ("internal", Exit::General),
    ("invalid_input", Exit::ArgError),
    ("not_found", Exit::NotFound),
    ("conflict", Exit::Conflict),
    ("unavailable", Exit::Unavailable),
];

pub(super) static TABLE: Table = Table {
    id: "animus/1",
    summary: "animus.cli.v1: one line, errors on stderr, five classes",
    title: "animus envelope, version 1",
    description: "One reply of an animus command: schema and ok, then data or error.",
    page: crate::table::described(include_str!("animus_1.md")),
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Closed,
    // Other programs took the shape over, each with its own name in the schema.
    revision: Some(Revision { path: "schema", known: &["*.cli.v1"] }),
    success: Form { stream: Stream::Stdout, style: Style::COMPACT },
    failure: Form { stream: Stream::Stderr, style: Style::COMPACT },
    marks: Marks {
        all: &[is("schema", Is::Text)],
        levels: &[
            Level::new(Confidence::Certain)
                .all(&[is("schema", Is::Matches(&[SCHEMA, OLD_SCHEMA]))]),
            Level::new(Confidence::Likely)
                .all(&[is("schema", Is::Matches(&["*.cli.v1"])), is("ok", Is::Flag)]),
            Level::new(Confidence::Possible)
                .all(&[is("schema", Is::Matches(&["*.cli.v#*"])), is("ok", Is::Flag)]),
        ],
        shapes: &[
            Shape { name: SCHEMA, own: true, all: &[is("schema", Is::Matches(&[SCHEMA]))] },
            Shape { name: OLD_SCHEMA, own: true, all: &[is("schema", Is::Matches(&[OLD_SCHEMA]))] },
            Shape {
                name: "another program's .cli.v1",
                own: true,
                all: &[is("schema", Is::Matches(&["*.cli.v1"]))],
            },
            Shape { name: "another revision", own: false, all: &[] },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("schema", Field::None, Type::Const(&[SCHEMA, OLD_SCHEMA]))
            .required()
            .doc("Names the envelope and its version."),
        Key::new("ok", Field::Ok, Type::Flag).required().doc("True on success, false on failure."),
        Key::new("data", Field::Data, Type::Any)
            .required()
            .on_success()
            .null(Null::Value)
            .doc("Payload of the command: any JSON value; only on success."),
        Key::new("error", Field::Error, Type::Object)
            .required()
            .on_failure()
            .doc("What went wrong; only on failure.")
            .keys(
                &[
                    Key::new("code", Field::Code, Type::Text)
                        .required()
                        .doc("Category of the error."),
                    Key::new("message", Field::Message, Type::Text)
                        .required()
                        .doc("Description for people."),
                    Key::new("exit_code", Field::Status, Type::Status)
                        .required()
                        .doc("Exit code of the process, fixed by the code."),
                    Key::new("details", Field::Details, Type::Object)
                        .doc("Structured context; omitted if there is none."),
                ],
                Rest::Odd,
            ),
    ],
    rest: Rest::Odd,
    ..Table::PLAIN
};
