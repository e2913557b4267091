//! `claw/1.0`: the flat envelope of claw's SCHEMAS.md, and the flat shape that the current binary writes.
//!
//! The payload stands between the envelope's own keys, `kind` names the command or the error, and the
//! two shapes are mixed in the wild: all of that takes code.

use super::claw_2_0::REVISION;
use super::{Dialect, DialectWriter, is_plain_payload};
use crate::envelope::{Content, Envelope, ErrorObject};
use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Document, Kind, Layout, ObjectWriter, Raw, Style};
use crate::table::{
    Claims, CodeSet, Confidence, Defaults, Field, Fields, Form, Is, Key, KindNames, Marks, Match,
    Null, OutcomeFrom, Rest, Schema, Shape, Table, Test, Type, is,
};
use crate::transcript::Stream;

pub(super) struct Claw10;

static EXITS: ExitTable = ExitTable {
    rows: &[
        row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
        row(1, Exit::General, Retry::Depends, Effects::Unknown),
    ],
    nearest: &[],
    grain: Grain::Coarse,
    signals: false,
};

/// Kinds of error whose class their name does not tell.
static CODES: &[(&str, Exit)] = &[
    ("cli_parse", Exit::ArgError),
    ("missing_argument", Exit::ArgError),
    ("missing_flag_value", Exit::ArgError),
    ("invalid_flag_value", Exit::ArgError),
    ("invalid_output_format", Exit::ArgError),
    ("unexpected_extra_args", Exit::ArgError),
    ("unknown_option", Exit::ArgError),
    ("invalid_model", Exit::ArgError),
    ("invalid_model_syntax", Exit::ArgError),
    ("invalid_cwd", Exit::ArgError),
    ("invalid_history_count", Exit::ArgError),
    ("invalid_install_source", Exit::ArgError),
    ("invalid_output_path", Exit::ArgError),
    ("invalid_permission_mode", Exit::ArgError),
    ("invalid_resume_argument", Exit::ArgError),
    ("invalid_tool_name", Exit::ArgError),
    ("missing_prompt", Exit::ArgError),
    ("empty_prompt", Exit::ArgError),
    ("removed_subcommand", Exit::ArgError),
    ("unknown_agents_subcommand", Exit::ArgError),
    ("unknown_mcp_action", Exit::ArgError),
    ("unknown_plugins_action", Exit::ArgError),
    ("unknown_slash_command", Exit::ArgError),
    ("unsupported_acp_invocation", Exit::ArgError),
    ("unsupported_action", Exit::ArgError),
    ("unsupported_command", Exit::ArgError),
    ("unsupported_config_section", Exit::ArgError),
    ("unsupported_resumed_command", Exit::ArgError),
    ("unsupported_skills_action", Exit::ArgError),
    ("not_yet_implemented", Exit::General),
    ("unknown", Exit::General),
    ("missing_credentials", Exit::AuthRequired),
    ("api_auth_error", Exit::AuthRequired),
    ("api_rate_limit_error", Exit::RateLimited),
    ("confirmation_required", Exit::Precondition),
    ("interactive_only", Exit::Precondition),
    ("missing_manifests", Exit::Precondition),
    ("missing_worker_state", Exit::Precondition),
    ("no_git_repo", Exit::Precondition),
    ("no_managed_sessions", Exit::NotFound),
    ("session_not_found", Exit::NotFound),
    ("command_not_found", Exit::NotFound),
];

const FLAT: &str = "flat";
const CURRENT: &str = "flat with status and error_kind";

/// The flat failure whose `type` says so; the current binary's has other keys.
const IS_FLAT_ERROR: &[Test] = &[is("type", Is::Matches(&["error"])), is("error_kind", Is::Absent)];

static TABLE: Table = Table {
    id: "claw/1.0",
    summary: "claw, flat: the payload at the top, an error is a text",
    title: "claw envelope, version 1.0 (flat)",
    description: "One reply of a claw command, flat: type tells success from error.",
    page: crate::table::described(include_str!("claw_1_0.md")),
    // What `kind` is depends on `type`.
    schema: Schema::Own(crate::table::described(include_str!("claw_1_0.schema.json"))),
    exits: &EXITS,
    codes: CODES,
    code_set: CodeSet::Open,
    version: None,
    revision: Some(REVISION),
    has_meta: false,
    kind: KindNames::Type,
    // A success is for reading, an error for one line of a log.
    success: Form { stream: Stream::Stdout, style: Style { layout: Layout::Pretty, ascii: false } },
    failure: Form { stream: Stream::Stdout, style: Style::COMPACT },
    outcome: OutcomeFrom::Keys,
    marks: Marks {
        all: &[],
        none: &[],
        never: &["schema", "issues", "apiVersion"],
        levels: &[],
        shapes: &[
            Shape { name: FLAT, own: true, all: &[] },
            Shape { name: CURRENT, own: false, all: &[] },
        ],
    },
    keys: &[
        Key::new("ok", Field::Ok, Type::Flag),
        Key::new("exit_code", Field::Status, Type::Status),
        Key::new("error", Field::Message, Type::Text).required_if(IS_FLAT_ERROR),
        Key::new("hint", Field::Suggestion, Type::Text)
            .required_if(IS_FLAT_ERROR)
            .null(Null::Nothing),
        Key::new("kind", Field::Code, Type::Text).required_if(IS_FLAT_ERROR),
    ],
    lines: &[],
    rest: Rest::Payload,
    no_data: &[],
};

impl DialectWriter for Claw10 {
    fn table(&self) -> &'static Table {
        &TABLE
    }

    fn write(&self, envelope: &Envelope, _: &Defaults, document: &mut ObjectWriter<'_>) {
        let content = envelope.content();
        if let Some(failure) = envelope.error() {
            document.scalar("error", &failure.message);
            document.scalar("hint", &failure.suggestion);
            document.scalar("kind", &failure.code);
            document.scalar("type", "error");
            return;
        }
        document.scalar_if_some("kind", content.kind.as_ref());
        match &content.data {
            Some(data) if is_flat(data) => document.members_of(data, |_| true),
            Some(data) => document.raw("data", data),
            None => {}
        }
        document.scalar("type", "success");
    }
}

impl Dialect for Claw10 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        let text = |key: &str| document.get(key).and_then(|value| value.string());
        let names = |key: &str| text(key).is_some_and(|name| is_verb(&name));
        let has = |key: &str| document.get(key).is_some();
        let error_kind = text("error_kind").is_some();
        let (outcome, status) = (text("type"), text("status"));
        let foreign = ["schema", "issues", "apiVersion"];
        let wrapped = has("exit_code") && (status.is_none() || has("schema_version"));
        if !error_kind && (wrapped || foreign.iter().any(|key| has(key))) {
            return None;
        }
        let claimed = document.get("ok").and_then(|ok| ok.bool());
        let ok = match (outcome.as_deref(), status.as_deref()) {
            _ if error_kind => Some(false),
            (Some("error"), _) | (_, Some("error")) => Some(false),
            (Some("success"), _) | (_, Some("ok")) => Some(true),
            _ => claimed,
        };
        let named = names("kind");
        let (shape, confidence) = match outcome.as_deref() {
            _ if error_kind && (named || outcome.is_some()) => (CURRENT, Confidence::Certain),
            _ if error_kind => (CURRENT, Confidence::Possible),
            Some("error") if text("error").is_some() => {
                (FLAT, if named { Confidence::Certain } else { Confidence::Likely })
            }
            Some("success") if named => (FLAT, Confidence::Certain),
            Some("success") if claimed.is_none() => (FLAT, Confidence::Possible),
            None if named && status.is_some() => {
                (CURRENT, if has("action") { Confidence::Likely } else { Confidence::Possible })
            }
            None if named || names("command") => (FLAT, Confidence::Possible),
            _ => return None,
        };
        Some(Match { shape, confidence, ok })
    }

    fn open(&self, mut top: Fields<'_, '_>) -> (Content, Claims) {
        let mut claims = Claims { ok: top.flag("ok", "ok"), ..Claims::default() };
        let mut content = Content::default();
        claims.exit_code = top.integer("exit_code", "status");
        if top.mark("type", "success") || top.mark("status", "ok") {
            claims.ok = Some(true);
        }
        let typed = top.mark("type", "error");
        if top.mark("status", "error") || typed {
            claims.ok = Some(false);
        }
        content.error = failure(&mut top, typed, claims.ok == Some(false));
        content.kind = top.text("kind", "kind").or_else(|| top.text("command", "kind"));
        content.data = top.rest_as_payload("data");
        if content.error.is_some() {
            claims.ok = Some(false);
        } else if content.data.is_none() && claims.ok != Some(false) {
            content.data = Some(Raw::object([]));
        }
        (content, claims)
    }
}

/// The error of a flat document: its code is `error_kind`, or `kind` where its `type` says so; any
/// other `kind` is the command's name.
fn failure(top: &mut Fields<'_, '_>, typed: bool, failed: bool) -> Option<ErrorObject> {
    let code = top.text("error_kind", "error.code");
    if code.is_none() && !failed {
        return None;
    }
    let message = top.text("error", "error.message");
    let code = match code {
        // `kind` repeats the code unless it names the command.
        Some(code) => {
            top.mark("kind", &code);
            code
        }
        None if typed => top.text("kind", "error.code").unwrap_or_default(),
        None => "unknown".to_owned(),
    };
    let message = match message {
        // `message` repeats the error.
        Some(message) => {
            top.mark("message", &message);
            message
        }
        None => top.text("message", "error.message").unwrap_or_else(|| code.clone()),
    };
    let suggestion = top.text("hint", "error.suggestion");
    Some(ErrorObject { suggestion, ..ErrorObject::new(code, message) })
}

/// The names of commands and of kinds of error: lower case with hyphens or underscores.
fn is_verb(name: &str) -> bool {
    let inner =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    name.as_bytes().first().is_some_and(u8::is_ascii_lowercase) && name.bytes().all(inner)
}

/// Whether a payload can stand beside the envelope's own keys.
fn is_flat(data: &Raw) -> bool {
    let own = ["kind", "type", "command", "error_kind", "exit_code", "ok", "schema_version"];
    let foreign = ["schema", "issues", "apiVersion"];
    let value = data.value();
    value.kind() == Kind::Object
        && is_plain_payload(data)
        && !value.members().any(|member| {
            let key = member.key();
            let is_claim = key == "status" && member.value.text() == "\"ok\"";
            is_claim || own.contains(&key.as_ref()) || foreign.contains(&key.as_ref())
        })
}
