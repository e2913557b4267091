//! `response-envelope/1.6`: the public specification today.

use super::response_envelope_1_0::{
    CODES, REVISION, detect_either, newer_marks, open_either, write_either, write_guidance,
};
use super::{
    About, Claims, Confidence, Defaults, Dialect, Form, KindNames, Match, Spoken, write_extra,
};
use crate::envelope::{Content, Envelope};
use crate::exit::RESPONSE_ENVELOPE_1_6;
use crate::json::{Document, ObjectWriter, Raw, Style};
use crate::open::{Fields, Unknown};
use crate::transcript::Stream;

pub(super) struct ResponseEnvelope16;

/// `retry_after` is the older revision's and must not come back as an extra key.
#[rustfmt::skip]
const ERROR_KEYS: &[&str] = &[
    "code", "message", "detail", "details", "retryable", "retry_after", "retry_after_ms",
    "retry_strategy", "fix_required", "fix_command", "phase", "suggestion", "redirect",
    "operation", "target",
];

static ABOUT: About = About {
    id: "response-envelope/1.6",
    summary: "CLI Agent Spec today: statuses 2 and 3 swapped, retry_after_ms, fix_required, fix_command",
    page: include_str!("response_envelope_1_6.md"),
    schema: include_str!("response_envelope_1_6.schema.json"),
    exits: &RESPONSE_ENVELOPE_1_6,
    codes: CODES,
    version: Some("1.6"),
    revision: Some(REVISION),
    roomy: true,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: Style::COMPACT },
    failure: Form { stream: Stream::Stdout, style: Style::COMPACT },
};

impl Spoken for ResponseEnvelope16 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn write(&self, envelope: &Envelope, _: &Defaults, document: &mut ObjectWriter<'_>) {
        write_either(envelope, "1.6", document, |failure, error| {
            error.scalar_if_some("detail", failure.detail.as_ref());
            error.scalar_if_some("retryable", failure.retryable.as_ref());
            if failure.retryable == Some(true) {
                error.scalar_if_some("retry_after_ms", failure.wait_ms.as_ref());
            }
            error.scalar_if_some("retry_strategy", failure.strategy.as_ref());
            error.scalar_if_some("fix_required", failure.fix.required.as_ref());
            error.scalar_if_some("fix_command", failure.fix.command.as_ref());
            write_guidance(envelope.exit(), failure, error);
            let says_something = |details: &&Raw| !details.value().is_null();
            if let Some(details) = failure.details.as_ref().filter(says_something) {
                error.raw("details", details);
            }
            error.scalar_if_some("operation", failure.operation.as_ref());
            error.scalar_if_some("target", failure.target.as_ref());
            write_extra(&failure.extra, ERROR_KEYS, error);
        });
    }
}

impl Dialect for ResponseEnvelope16 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        let found = detect_either(document)?;
        let confidence = match newer_marks(document) {
            0 => found.confidence.min(Confidence::Possible),
            _ => found.confidence,
        };
        Some(Match { confidence, ..found })
    }

    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims) {
        open_either(top, Unknown::Allowed)
    }
}
