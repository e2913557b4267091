//! `td/1`: the envelope of td's ADR-0002.

use super::{
    About, Claims, Confidence, Defaults, Dialect, Form, KindNames, Match, Spoken, write_container,
};
use crate::envelope::{Content, Envelope, Failure};
use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Document, Kind, Layout, ObjectWriter, Raw, Style};
use crate::open::{Fields, Unknown};
use crate::transcript::Stream;

pub(super) struct Td1;

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

/// The document's codes, then the program's own.
static CODES: &[(&str, Exit)] = &[
    ("not_found", Exit::NotFound),
    ("ambiguous_match", Exit::ArgError),
    ("api_error", Exit::General),
    ("AUTH_MISSING", Exit::AuthRequired),
    ("AUTH_INVALID", Exit::AuthRequired),
    ("TASK_NOT_FOUND", Exit::NotFound),
    ("PROJECT_NOT_FOUND", Exit::NotFound),
    ("SECTION_NOT_FOUND", Exit::NotFound),
    ("LABEL_NOT_FOUND", Exit::NotFound),
    ("VALIDATION_ERROR", Exit::ArgError),
    ("DUPLICATE_TASK", Exit::Conflict),
    ("API_ERROR", Exit::General),
    ("API_RATE_LIMIT", Exit::RateLimited),
    ("API_FORBIDDEN", Exit::PermissionDenied),
    ("API_TIMEOUT", Exit::Timeout),
    ("API_SERVER_ERROR", Exit::Unavailable),
    ("NETWORK_ERROR", Exit::Unavailable),
];

const STYLE: Style = Style { layout: Layout::Pretty, ascii: true };

static ABOUT: About = About {
    id: "td/1",
    summary: "td's ADR-0002: ok, type and data on stdout, errors with a suggestion on stderr",
    page: include_str!("td_1.md"),
    schema: include_str!("td_1.schema.json"),
    exits: &EXITS,
    codes: CODES,
    version: None,
    revision: None,
    roomy: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: STYLE },
    failure: Form { stream: Stream::Stderr, style: STYLE },
};

impl Spoken for Td1 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>) {
        let content = envelope.content();
        document.scalar("ok", &envelope.ok());
        let Some(failure) = envelope.error() else {
            document.scalar("type", content.kind.as_deref().unwrap_or(&defaults.kind));
            return write_container(content.data.as_ref(), document);
        };
        document.object("error", |error| {
            error.scalar("code", &failure.code);
            error.scalar("message", &failure.message);
            error.scalar("suggestion", failure.suggestion.as_deref().unwrap_or_default());
            let is_full = |details: &&Raw| {
                details.value().kind() == Kind::Object && !details.is_empty_container()
            };
            if let Some(details) = failure.details.as_ref().filter(is_full) {
                error.raw("details", details);
            }
        });
    }
}

impl Dialect for Td1 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        let ok = document.get("ok")?.bool()?;
        let foreign = ["schema", "meta", "issues", "warnings", "kind", "command"];
        if foreign.iter().any(|key| document.get(key).is_some()) {
            return None;
        }
        let typed = document.get("type").is_some_and(|kind| kind.kind() == Kind::String);
        let found = |shape, confidence| Some(Match { shape, confidence, ok: Some(ok) });
        match (typed, document.get("data"), document.get("error")) {
            (true, Some(_), None) => found("typed data", Confidence::Certain),
            (true, Some(_), Some(error)) if error.is_null() => {
                found("typed data", Confidence::Possible)
            }
            (_, None, Some(error)) if error.kind() == Kind::Object => {
                let has = |key: &str| error.members().any(|member| member.is(key));
                match (has("code") && has("message"), has("suggestion")) {
                    (true, true) => found("error with suggestion", Confidence::Certain),
                    (true, false) => found("error without suggestion", Confidence::Possible),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn open(&self, mut top: Fields<'_, '_>) -> (Content, Claims) {
        let claims = Claims { ok: top.flag("ok", "ok"), ..Claims::default() };
        let error = top.error(|mut error| {
            error.require(&["code", "message", "suggestion"]);
            Failure {
                code: error.text("code", "error.code").unwrap_or_default(),
                message: error.text("message", "error.message").unwrap_or_default(),
                suggestion: error.text_or_empty("suggestion", "error.suggestion"),
                details: error.full_object("details", "error.details"),
                extra: error.rest("error.extra", Unknown::Odd),
                ..Failure::default()
            }
        });
        if error.is_none() {
            top.require(&["type", "data"]);
        }
        let kind = top.text("type", "kind");
        let data = top.raw("data", "data");
        let extra = top.rest("extra", Unknown::Odd);
        (Content { kind, data, error, extra, ..Content::default() }, claims)
    }
}
