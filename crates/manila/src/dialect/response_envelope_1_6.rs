//! `response-envelope/1.6`: the public specification today.

use super::response_envelope_1_0::{
    CODE, CODES, DATA, DETAIL, DETAILS, FOREIGN, KEYS, MESSAGE, META, NEWER, NO_DATA, OK,
    OPERATION, PHASE, REDIRECT, REVISION, SHAPES, SUGGESTION, TARGET, TEXT_ERROR, WARNINGS,
    open_either,
};
use super::{Dialect, DialectWriter};
use crate::envelope::{Content, Envelope};
use crate::exit::RESPONSE_ENVELOPE_1_6;
use crate::json::{Document, ObjectWriter, Style};
use crate::table::{
    self, Claims, CodeSet, Confidence, Defaults, Field, Fields, Form, Is, Key, KindNames, Level,
    Marks, Match, Null, OutcomeFrom, Rest, Role, Schema, Table, Type, is,
};
use crate::transcript::Stream;

static TABLE: Table = Table {
    id: "response-envelope/1.6",
    summary: "CLI Agent Spec today: 2 and 3 swapped, retry_after_ms",
    title: "Response envelope, revision 1.6",
    description: "One reply of a command, as the public specification has it today: milliseconds, and fixes to apply.",
    page: crate::table::described(include_str!("response_envelope_1_6.md")),
    schema: Schema::Generated,
    exits: &RESPONSE_ENVELOPE_1_6,
    codes: CODES,
    code_set: CodeSet::Open,
    version: Some("1.6"),
    revision: Some(REVISION),
    has_meta: true,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: Style::COMPACT },
    failure: Form { stream: Stream::Stdout, style: Style::COMPACT },
    outcome: OutcomeFrom::Keys,
    marks: Marks {
        all: &[is("ok", Is::Flag)],
        none: TEXT_ERROR,
        never: &[],
        levels: &[
            Level::new(Confidence::Certain).least(5, KEYS).any(NEWER).none(FOREIGN),
            Level::new(Confidence::Likely).least(5, KEYS).any(NEWER),
            Level::new(Confidence::Likely).least(3, KEYS).any(NEWER).none(FOREIGN),
            Level::new(Confidence::Possible).least(5, KEYS),
            Level::new(Confidence::Possible).least(2, KEYS).none(FOREIGN),
        ],
        shapes: SHAPES,
    },
    keys: &[
        OK,
        DATA,
        Key::new("error", Field::Error, Type::Object)
            .required()
            .null(Null::Nothing)
            .doc("What went wrong; null on success.")
            .keys(
                &[
                    CODE,
                    MESSAGE,
                    DETAIL,
                    Key::new("retryable", Field::Retryable, Type::Flag)
                        .doc("The identical call may work, and nothing has happened yet."),
                    Key::new("retry_after_ms", Field::WaitMs, Type::Count)
                        .doc("Milliseconds to wait before a retry; only if retryable is true."),
                    Key::new(
                        "retry_strategy",
                        Field::Strategy,
                        Type::OneOf(&["immediate", "linear_backoff", "exponential_backoff"]),
                    )
                    .doc("How to space further retries."),
                    Key::new("fix_required", Field::FixRequired, Type::Text)
                        .doc("The condition to put right before the call can work."),
                    Key::new("fix_command", Field::FixCommand, Type::Text)
                        .doc("A safe command, to be run verbatim, that puts it right."),
                    PHASE,
                    SUGGESTION,
                    REDIRECT,
                    DETAILS.role(Role::Undeclared),
                    OPERATION.role(Role::Undeclared),
                    TARGET.role(Role::Undeclared),
                    // The seconds of the older revision.
                    Key::new("retry_after", Field::WaitSeconds, Type::Count).role(Role::Forbidden),
                ],
                Rest::Allowed,
            ),
        WARNINGS,
        META,
    ],
    lines: &[],
    rest: Rest::Odd,
    no_data: NO_DATA,
};

pub(super) struct ResponseEnvelope16;

impl DialectWriter for ResponseEnvelope16 {
    fn table(&self) -> &'static Table {
        &TABLE
    }

    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>) {
        table::write(&TABLE, envelope, defaults, document);
    }
}

impl Dialect for ResponseEnvelope16 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        table::detect(&TABLE, document)
    }

    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims) {
        open_either(&TABLE, top)
    }
}
