//! `animus/1`: the `animus.cli.v1` envelope.

use super::{
    About, Claims, Confidence, Defaults, Dialect, Form, KindNames, Match, Revision, Spoken,
};
use crate::envelope::{Content, Envelope, Failure, Meta};
use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Document, Kind, ObjectWriter, Raw, Style};
use crate::open::{Fields, Unknown};
use crate::transcript::Stream;

pub(super) struct Animus1;

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
    signals: false,
};

static CODES: &[(&str, Exit)] = &[
    ("internal", Exit::General),
    ("invalid_input", Exit::ArgError),
    ("not_found", Exit::NotFound),
    ("conflict", Exit::Conflict),
    ("unavailable", Exit::Unavailable),
];

static ABOUT: About = About {
    id: "animus/1",
    summary: "animus.cli.v1: one line, success on stdout, errors on stderr, five classes of failure",
    page: include_str!("animus_1.md"),
    schema: include_str!("animus_1.schema.json"),
    exits: &EXITS,
    codes: CODES,
    version: None,
    revision: Some(Revision { path: &["schema"], is_known: is_known_schema }),
    roomy: false,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: Style::COMPACT },
    failure: Form { stream: Stream::Stderr, style: Style::COMPACT },
};

impl Spoken for Animus1 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn write(&self, envelope: &Envelope, _: &Defaults, document: &mut ObjectWriter<'_>) {
        document.scalar("schema", SCHEMA);
        document.scalar("ok", &envelope.ok());
        let Some(failure) = envelope.error() else {
            match &envelope.content().data {
                Some(data) => document.raw("data", data),
                None => document.scalar("data", &()),
            }
            return;
        };
        let status = EXITS.status(envelope.exit());
        let class = EXITS.row(status).map_or(Exit::General, |row| row.exit);
        let code =
            CODES.iter().find(|(_, exit)| *exit == class).map_or("internal", |(code, _)| code);
        document.object("error", |error| {
            error.scalar("code", code);
            error.scalar("message", &failure.message);
            error.scalar("exit_code", &status);
            let is_object = |details: &&Raw| details.value().kind() == Kind::Object;
            if let Some(details) = failure.details.as_ref().filter(is_object) {
                error.raw("details", details);
            }
        });
    }
}

impl Dialect for Animus1 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        let schema = document.get("schema")?.string()?;
        let ok = document.get("ok").and_then(|ok| ok.bool());
        let (shape, confidence) = match schema.as_ref() {
            SCHEMA => (SCHEMA, Confidence::Certain),
            OLD_SCHEMA => (OLD_SCHEMA, Confidence::Certain),
            other if other.ends_with(".cli.v1") && ok.is_some() => {
                ("another program's .cli.v1", Confidence::Likely)
            }
            other if is_later_schema(other) && ok.is_some() => {
                ("another revision", Confidence::Possible)
            }
            _ => return None,
        };
        Some(Match { shape, confidence, ok })
    }

    fn open(&self, mut top: Fields<'_, '_>) -> (Content, Claims) {
        top.require(&["ok"]);
        let is_marked = top.mark("schema", SCHEMA) || top.mark("schema", OLD_SCHEMA);
        let schema_version = if is_marked { None } else { top.revision("schema", is_known_schema) };
        let mut claims = Claims { ok: top.flag("ok", "ok"), ..Claims::default() };
        let error = top.error(|mut error| {
            error.require(&["code", "message", "exit_code"]);
            claims.exit_code = error.integer("exit_code", "status");
            Failure {
                code: error.text("code", "error.code").unwrap_or_default(),
                message: error.text("message", "error.message").unwrap_or_default(),
                details: error.raw("details", "error.details"),
                extra: error.rest("error.extra", Unknown::Odd),
                ..Failure::default()
            }
        });
        // `data` may be any value, null included.
        let data = top.raw_or_null("data", "data");
        let extra = top.rest("extra", Unknown::Odd);
        let meta = Meta { schema_version, ..Meta::default() };
        (Content { data, error, meta, extra, ..Content::default() }, claims)
    }
}

/// Other programs took the shape over, each with its own name in the schema.
fn is_known_schema(schema: &str) -> bool {
    schema.ends_with(".cli.v1")
}

/// `animus.cli.v2` and the like, of any program.
fn is_later_schema(schema: &str) -> bool {
    let version = schema.rsplit_once(".cli.v").map(|(_, version)| version);
    version.is_some_and(|it| it.starts_with(|first: char| first.is_ascii_digit()))
}
