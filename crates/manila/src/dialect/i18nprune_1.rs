//! `i18nprune/1`: the envelope of i18nprune's ADR 007.

use crate::exit::{Effects, Exit, ExitTable, Retry, row};
use crate::json::{Layout, Style};
use crate::table::{
    Confidence, Field, Form, Is, Key, KindNames, Level, Marks, Rest, Revision, Role, Shape, Table,
    Test, Type, is,
};
use crate::transcript::Stream;

const API_VERSION: &str = "1";
const MARKED: Test = is("meta.apiVersion", Is::Matches(&[API_VERSION]));

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
        row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
    ],
    ..ExitTable::COARSE
};

/// The codes whose class their name tells.
static CODES: &[(&str, Exit)] = &[
    ("i18nprune.cli.invalid_json_pretty", Exit::ArgError),
    ("i18nprune.generate.usage", Exit::ArgError),
    ("i18nprune.init.ambiguous_auto", Exit::ArgError),
    ("i18nprune.init.unknown_preset", Exit::ArgError),
    ("i18nprune.languages.unsupported_language_code", Exit::ArgError),
    ("i18nprune.locales.usage", Exit::ArgError),
    ("i18nprune.report.invalid_format", Exit::ArgError),
    ("i18nprune.translate.unknown_translation_provider", Exit::ArgError),
    ("i18nprune.config.invalid", Exit::Precondition),
    ("i18nprune.config.missing", Exit::Precondition),
    ("i18nprune.project.config_file_missing", Exit::Precondition),
    ("i18nprune.translate.missing_credentials", Exit::AuthRequired),
    ("i18nprune.generate.translate_rate_limited", Exit::RateLimited),
    ("i18nprune.generate.translate_network_error", Exit::Unavailable),
    ("i18nprune.share.remote_unavailable", Exit::Unavailable),
];

const FORM: Form =
    Form { stream: Stream::Stdout, style: Style { layout: Layout::Pretty, ascii: false } };

const ISSUES_AND_DATA: &[Test] = &[MARKED, is("data", Is::Present)];

pub(super) static TABLE: Table = Table {
    id: "i18nprune/1",
    summary: "i18nprune's ADR 007: failure is ok:false and issues",
    title: "i18nprune envelope, version 1",
    description: "One reply of an i18nprune command: one shape for success and failure, without an error member.",
    page: crate::table::described(include_str!("i18nprune_1.md")),
    exits: &EXITS,
    codes: CODES,
    revision: Some(Revision { path: "meta.apiVersion", known: &[API_VERSION] }),
    kind: KindNames::Command,
    success: FORM,
    failure: FORM,
    marks: Marks {
        all: &[
            is("ok", Is::Flag),
            is("issues", Is::Array),
            is("kind", Is::Text),
            is("meta.apiVersion", Is::Present),
        ],
        levels: &[
            Level::new(Confidence::Certain).all(ISSUES_AND_DATA),
            Level::new(Confidence::Likely).all(&[MARKED]),
            Level::new(Confidence::Possible),
        ],
        shapes: &[
            Shape { name: "issues and data", own: true, all: ISSUES_AND_DATA },
            Shape { name: "issues without data", own: true, all: &[MARKED] },
            Shape { name: "another apiVersion", own: true, all: &[] },
        ],
        ..Marks::NONE
    },
    keys: &[
        Key::new("ok", Field::Ok, Type::Flag)
            .required()
            .doc("False if the command failed; the issues say why."),
        Key::new("kind", Field::Kind, Type::Text)
            .required()
            .doc("Names the command, and with it the shape of data."),
        Key::new("data", Field::Data, Type::Container)
            .required()
            .empty_is_absent()
            .doc("Payload of the command; present on failure too, if only as {}."),
        Key::new("issues", Field::Issues, Type::Issues)
            .required()
            .doc("Everything found, on success and on failure; may be empty.")
            .keys(
                &[
                    Key::new(
                        "severity",
                        Field::IssueSeverity,
                        Type::OneOf(&["error", "warning", "info"]),
                    )
                    .required()
                    .doc("How much it matters; ok does not follow from it."),
                    Key::new("code", Field::IssueCode, Type::Text)
                        .required()
                        .doc("Stable identifier, for example \"i18nprune.config.missing\"."),
                    Key::new("message", Field::IssueMessage, Type::Text)
                        .doc("Description for people."),
                    Key::new("path", Field::IssuePath, Type::Text)
                        .doc("The file or key it is about."),
                    Key::new("docPath", Field::Extra, Type::Text)
                        .doc("Its page in the documentation directory."),
                    Key::new("docHref", Field::IssueLink, Type::Text).doc("Its page on the web."),
                ],
                Rest::Odd,
            ),
        Key::new("meta", Field::Meta, Type::Object)
            .required()
            .doc("About the reply itself; further keys are allowed.")
            .keys(
                &[
                    Key::new("apiVersion", Field::None, Type::Const(&[API_VERSION]))
                        .required()
                        .doc("Version of the envelope, not of the program."),
                    Key::new("cwd", Field::Cwd, Type::Text)
                        .required()
                        .empty_is_absent()
                        .doc("Directory the command ran in."),
                    Key::new("schemaVersion", Field::SchemaVersion, Type::Text)
                        .role(Role::Tolerated),
                ],
                Rest::Allowed,
            ),
    ],
    rest: Rest::Odd,
    ..Table::PLAIN
};
