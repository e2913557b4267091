//! `response-envelope/1.0`: the first revision of CLI Agent Spec, and what manila itself speaks.

use super::{
    About, Claims, Confidence, Defaults, Dialect, Form, KindNames, Malformed, Match, Revision,
    Spoken, write_container, write_extra,
};
use crate::envelope::{
    Content, Envelope, Failure, Issue, Meta, Phase, Redirect, Severity, Strategy, Warning,
};
use crate::exit::{Exit, RESPONSE_ENVELOPE_1_0};
use crate::json::{Document, Kind, Members, ObjectWriter, Raw, Style, Value};
use crate::open::{Fields, Presence, Unknown};
use crate::transcript::Stream;

pub(super) struct ResponseEnvelope10;

const KEYS: [&str; 5] = ["ok", "data", "error", "warnings", "meta"];
/// Keys of an error that only later revisions have.
const NEWER_KEYS: [&str; 4] = ["retry_after_ms", "retry_strategy", "fix_required", "fix_command"];
const REASONS: [&str; 4] = ["renamed", "restructured", "deprecated", "typo_corrected"];
const ISSUE_KEYS: &[&str] = &["code", "severity", "message", "path", "link"];
#[rustfmt::skip]
const META_KEYS: &[&str] = &[
    "duration_ms", "request_id", "schema_version", "not_modified", "truncated", "cursor",
    "timestamp", "cwd", "kind", "missing", "issues",
];

/// The codes that the specification names itself.
pub(super) static CODES: &[(&str, Exit)] = &[
    ("TOKEN_EXPIRED", Exit::AuthRequired),
    ("TOKEN_INVALID", Exit::AuthRequired),
    ("TOKEN_MISSING", Exit::AuthRequired),
    ("INVALID_ENVIRONMENT", Exit::ArgError),
    ("RATE_LIMIT_EXCEEDED", Exit::RateLimited),
    ("COMMAND_RENAMED", Exit::Redirected),
];

/// Both revisions state themselves at the same place.
pub(super) const REVISION: Revision = Revision {
    path: &["meta", "schema_version"],
    is_known: |stated| is_revision(stated, "1.0") || is_revision(stated, "1.6"),
};

static ABOUT: About = About {
    id: "response-envelope/1.0",
    summary: "CLI Agent Spec, first revision: five keys always, retry_after in seconds",
    page: include_str!("response_envelope_1_0.md"),
    schema: include_str!("response_envelope_1_0.schema.json"),
    exits: &RESPONSE_ENVELOPE_1_0,
    codes: CODES,
    version: Some("1.0"),
    revision: Some(REVISION),
    roomy: true,
    kind: KindNames::Type,
    success: Form { stream: Stream::Stdout, style: Style::COMPACT },
    failure: Form { stream: Stream::Stdout, style: Style::COMPACT },
};

impl Spoken for ResponseEnvelope10 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn write(&self, envelope: &Envelope, _: &Defaults, document: &mut ObjectWriter<'_>) {
        write_either(envelope, "1.0", document, |failure, error| {
            error.scalar_if_some("detail", failure.detail.as_ref());
            error.scalar_if_some("retryable", failure.retryable.as_ref());
            if failure.retryable == Some(true) {
                let seconds = failure.wait_ms.map(|wait| wait.div_ceil(1000));
                error.scalar_if_some("retry_after", seconds.as_ref());
            }
            write_guidance(envelope.exit(), failure, error);
        });
    }
}

impl Dialect for ResponseEnvelope10 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        let found = detect_either(document)?;
        (newer_marks(document) == 0)
            .then_some(found)
            .or(Some(Match { confidence: Confidence::Possible, ..found }))
    }

    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims) {
        open_either(top, Unknown::Odd)
    }
}

/// Whether a document has the shape that both revisions share.
pub(super) fn detect_either(document: &Document<'_, '_>) -> Option<Match> {
    let ok = document.get("ok")?.bool()?;
    let present = KEYS.iter().filter(|key| document.get(key).is_some()).count();
    let foreign = ["schema", "type", "kind", "issues", "apiVersion"];
    let is_foreign = foreign.iter().any(|key| document.get(key).is_some());
    let error_is_text = document.get("error").is_some_and(|error| error.kind() == Kind::String);
    let confidence = match (present, is_foreign) {
        _ if error_is_text => return None,
        (5, false) => Confidence::Certain,
        (5, true) | (3 | 4, false) => Confidence::Likely,
        (2, false) => Confidence::Possible,
        _ => return None,
    };
    let shape = if present == 5 { "five keys" } else { "keys missing" };
    Some(Match { shape, confidence, ok: Some(ok) })
}

/// How many marks a document carries that only later revisions have.
pub(super) fn newer_marks(document: &Document<'_, '_>) -> usize {
    let member = |of: &str, key: &str| {
        let object = document.get(of)?;
        object.members().filter(|member| member.is(key)).last().map(|member| member.value)
    };
    let stated = member("meta", "schema_version").and_then(|version| version.string());
    NEWER_KEYS.iter().filter(|key| member("error", key).is_some()).count()
        + usize::from(stated.is_some_and(|version| is_revision(&version, "1.6")))
}

/// Whether a stated version is that revision, or a patch of it.
fn is_revision(stated: &str, revision: &str) -> bool {
    let rest = stated.strip_prefix(revision);
    let is_patch = |patch: &str| !patch.is_empty() && patch.bytes().all(|it| it.is_ascii_digit());
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(is_patch))
}

/// Takes apart what either revision writes; they differ in what they think of extra error keys.
pub(super) fn open_either(mut top: Fields<'_, '_>, extra_keys: Unknown) -> (Content, Claims) {
    top.require(&KEYS);
    top.forbid_null(&["warnings", "meta"]);
    let error_absent = top.presence("error") == Presence::Absent;
    let mut claims = Claims { ok: top.flag("ok", "ok"), error_absent, ..Claims::default() };
    let mut content = Content::default();
    let mut newer = false;
    content.error = top.error(|error| {
        newer = NEWER_KEYS.iter().any(|key| error.presence(key) == Presence::Value);
        failure(error, extra_keys)
    });
    if let Some(mut meta) = top.object("meta", "meta") {
        meta.require(&["duration_ms"]);
        content.kind = meta.text("kind", "kind");
        content.missing = meta.text("missing", "missing");
        let issues = meta.take("issues", "issues", |value| are_issues(value).then_some(value));
        content.issues = issues
            .into_iter()
            .flat_map(|issues| issues.elements().collect::<Vec<_>>())
            .enumerate()
            .map(|(index, value)| issue(&meta, index, value))
            .collect();
        content.meta = open_meta(meta, &mut claims);
    }
    // The specification speaks of its own documents; others that look like them need not know it.
    if error_absent && (claims.ok != Some(true) || content.meta.schema_version.is_some()) {
        claims.malformed = Some(Malformed::ErrorKeyAbsent);
    }
    content.data = top.raw("data", "data");
    if content.data.is_none() && has_no_data_by_design(&content.meta) {
        content.data = Some(Raw::null());
    }
    let says_nothing = content.data.is_none() && content.error.is_none();
    if says_nothing && !content.meta.not_modified {
        claims.malformed.get_or_insert(Malformed::NothingSaid);
    }
    let warnings = top.array("warnings", "warnings");
    claims.warnings_absent = warnings.is_none();
    content.warnings = warnings
        .unwrap_or_default()
        .into_iter()
        .enumerate()
        .inspect(|(index, value)| top.note_place(format!("warnings[{index}]"), value.span()))
        .map(|(_, value)| match value.string() {
            Some(text) => Warning::Text(text.into_owned()),
            None => Warning::Other(Raw::from(value)),
        })
        .collect();
    let states = |revision| {
        content.meta.schema_version.as_deref().is_some_and(|it| is_revision(it, revision))
    };
    claims.unmarked = !newer && !states("1.6") && !states("1.0");
    content.extra = top.rest("extra", Unknown::Odd);
    (content, claims)
}

/// Answers to --validate-only and to counting tokens say in `meta` that there is nothing in `data`.
fn has_no_data_by_design(meta: &Meta) -> bool {
    let says = |key| meta.extra.get(key).is_some_and(|value| value.as_str() != "false");
    says("validation_only") || says("token_count")
}

fn open_meta(mut meta: Fields<'_, '_>, claims: &mut Claims) -> Meta {
    let opened = Meta {
        duration_ms: meta.integer("duration_ms", "meta.duration_ms"),
        request_id: meta.text("request_id", "meta.request_id"),
        schema_version: meta.text("schema_version", "meta.schema_version"),
        not_modified: meta.flag("not_modified", "meta.not_modified").unwrap_or_default(),
        truncated: meta.flag("truncated", "meta.truncated").unwrap_or_default(),
        cursor: meta.text("cursor", "meta.cursor"),
        timestamp: meta.text("timestamp", "meta.timestamp"),
        cwd: meta.text("cwd", "meta.cwd"),
        extra: Members::default(),
    };
    // What was not taken is neither true nor false, and nobody may act as if it were.
    let is_left = |key| meta.presence(key) != Presence::Absent;
    claims.unclear = [("truncated", "meta.truncated"), ("not_modified", "meta.not_modified")]
        .into_iter()
        .find_map(|(key, path)| is_left(key).then_some(path));
    Meta { extra: meta.rest("meta.extra", Unknown::Allowed), ..opened }
}

fn failure(mut error: Fields<'_, '_>, extra_keys: Unknown) -> Failure {
    error.require(&["code", "message"]);
    let seconds: Option<u64> = error.integer("retry_after", "error.wait_ms");
    let wait_ms = error.integer("retry_after_ms", "error.wait_ms");
    let mut failure = Failure {
        code: error.text("code", "error.code").unwrap_or_default(),
        message: error.text("message", "error.message").unwrap_or_default(),
        detail: error.text("detail", "error.detail"),
        details: error.raw("details", "error.details"),
        retryable: error.flag("retryable", "error.retryable"),
        wait_ms: wait_ms.or(seconds.map(|seconds| seconds.saturating_mul(1000))),
        strategy: error.word("retry_strategy", "error.strategy", Strategy::from_word),
        phase: error.word("phase", "error.phase", Phase::from_word),
        suggestion: error.text("suggestion", "error.suggestion"),
        redirect: redirect(&mut error),
        operation: error.text("operation", "error.operation"),
        target: error.text("target", "error.target"),
        ..Failure::default()
    };
    failure.fix.required = error.text("fix_required", "error.fix.required");
    failure.fix.command = error.text("fix_command", "error.fix.command");
    failure.extra = error.rest("error.extra", extra_keys);
    failure
}

/// A redirect that names no command is none, and stays for the extras.
fn redirect(error: &mut Fields<'_, '_>) -> Option<Redirect> {
    let redirect = error.take("redirect", "error.redirect", |value| {
        let mut commands = value.members().filter(|member| member.is("command"));
        commands.any(|member| member.value.string().is_some()).then_some(value)
    })?;
    let mut fields = error.of_element(redirect);
    fields.require(&["command", "permanent"]);
    Some(Redirect {
        command: fields.text("command", "error.redirect")?,
        permanent: fields.flag("permanent", "error.redirect").unwrap_or_default(),
        reason: fields.text("reason", "error.redirect"),
        extra: fields.rest("error.redirect", Unknown::Odd),
    })
}

/// Whether a list holds issues and nothing else; any other stays for the extras.
fn are_issues(value: Value<'_>) -> bool {
    let has_code = |issue: Value<'_>| {
        issue.members().any(|member| member.is("code") && member.value.string().is_some())
    };
    value.kind() == Kind::Array && value.elements().all(has_code)
}

fn issue<'t>(parent: &Fields<'t, '_>, index: usize, value: Value<'t>) -> Issue {
    let mut fields = parent.of_element(value);
    let place = format!("issues[{index}]");
    Issue {
        code: fields.text("code", place.clone()).unwrap_or_default(),
        severity: fields
            .word("severity", place.clone(), Severity::from_word)
            .unwrap_or(Severity::Error),
        message: fields.text("message", place.clone()),
        path: fields.text("path", place.clone()),
        link: fields.text("link", place.clone()),
        extra: fields.rest(&place, Unknown::Allowed),
    }
}

/// Writes what both revisions share; `rest_of_error` writes what stands after code and message.
pub(super) fn write_either(
    envelope: &Envelope,
    version: &str,
    document: &mut ObjectWriter<'_>,
    rest_of_error: impl FnOnce(&Failure, &mut ObjectWriter<'_>),
) {
    let content = envelope.content();
    document.scalar("ok", &envelope.ok());
    write_data(content, document);
    match &content.error {
        None => document.scalar("error", &()),
        Some(failure) => document.object("error", |error| {
            error.scalar("code", &failure.code);
            error.scalar("message", &failure.message);
            rest_of_error(failure, error);
        }),
    }
    document.array("warnings", |warnings| {
        for warning in &content.warnings {
            warnings.scalar(warning.text());
        }
    });
    document.object("meta", |meta| write_meta(content, version, meta));
}

/// `data` is an object or an array; null stands for a failure or for something that `meta` states.
fn write_data(content: &Content, document: &mut ObjectWriter<'_>) {
    let meta = &content.meta;
    let is_null = content.data.as_ref().is_none_or(|data| data.value().is_null());
    let may_be_null = meta.not_modified || has_no_data_by_design(meta);
    if content.error.is_some() || (is_null && may_be_null) {
        return document.scalar("data", &());
    }
    write_container(content.data.as_ref(), document);
}

fn write_meta(content: &Content, version: &str, out: &mut ObjectWriter<'_>) {
    let meta = &content.meta;
    out.scalar("duration_ms", &meta.duration_ms.unwrap_or_default());
    out.scalar_if_some("request_id", meta.request_id.as_ref());
    out.scalar("schema_version", version);
    out.scalar_if_some("not_modified", meta.not_modified.then_some(true).as_ref());
    out.scalar_if_some("truncated", meta.truncated.then_some(true).as_ref());
    out.scalar_if_some("cursor", meta.cursor.as_ref());
    out.scalar_if_some("timestamp", meta.timestamp.as_ref());
    out.scalar_if_some("cwd", meta.cwd.as_ref());
    out.scalar_if_some("kind", content.kind.as_ref());
    out.scalar_if_some("missing", content.missing.as_ref());
    if !content.issues.is_empty() {
        out.array("issues", |issues| {
            for issue in &content.issues {
                issues.object(|out| {
                    out.scalar("code", &issue.code);
                    out.scalar("severity", &issue.severity);
                    out.scalar_if_some("message", issue.message.as_ref());
                    out.scalar_if_some("path", issue.path.as_ref());
                    out.scalar_if_some("link", issue.link.as_ref());
                    write_extra(&issue.extra, ISSUE_KEYS, out);
                });
            }
        });
    }
    write_extra(&meta.extra, META_KEYS, out);
}

/// Phase, suggestion and redirect, the last only where the contract allows it.
pub(super) fn write_guidance(exit: Exit, failure: &Failure, error: &mut ObjectWriter<'_>) {
    error.scalar_if_some("phase", failure.phase.as_ref());
    error.scalar_if_some("suggestion", failure.suggestion.as_ref());
    if let Some(redirect) = failure.redirect.as_ref().filter(|_| exit == Exit::Redirected) {
        error.object("redirect", |out| {
            out.scalar("command", &redirect.command);
            out.scalar("permanent", &redirect.permanent);
            let known = |reason: &&String| REASONS.contains(&reason.as_str());
            out.scalar_if_some("reason", redirect.reason.as_ref().filter(known));
        });
    }
}
