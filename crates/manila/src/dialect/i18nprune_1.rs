//! `i18nprune/1`: the envelope of i18nprune's ADR 007.

use super::{
    About, Claims, Confidence, Defaults, Dialect, Form, KindNames, Match, Revision, Spoken,
    write_container, write_extra,
};
use crate::envelope::{Content, Envelope, Issue, Meta, Severity};
use crate::exit::{Effects, Exit, ExitTable, Grain, Retry, row};
use crate::json::{Document, Kind, Layout, ObjectWriter, Raw, Style, Value};
use crate::open::{Fields, Unknown, implied};
use crate::transcript::Stream;

pub(super) struct I18nprune1;

const API_VERSION: &str = "1";

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

static ABOUT: About = About {
    id: "i18nprune/1",
    summary: "i18nprune's ADR 007: no error member, failure is ok:false and issues with stable codes",
    page: include_str!("i18nprune_1.md"),
    schema: include_str!("i18nprune_1.schema.json"),
    exits: &EXITS,
    codes: CODES,
    version: None,
    revision: Some(Revision { path: &["meta", "apiVersion"], is_known: is_known_version }),
    roomy: false,
    kind: KindNames::Command,
    success: FORM,
    failure: FORM,
};

impl Spoken for I18nprune1 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>) {
        let content = envelope.content();
        document.scalar("ok", &envelope.ok());
        document.scalar("kind", content.kind.as_deref().unwrap_or(&defaults.kind));
        write_container(content.data.as_ref(), document);
        document.array("issues", |issues| {
            for issue in &content.issues {
                issues.object(|out| write_issue(issue, out));
            }
            // There is no error member: one that the issues do not imply becomes an issue.
            if let Some(error) = envelope.error()
                && (&*error.code, &*error.message) != implied(envelope.exit(), &content.issues)
            {
                issues.object(|out| {
                    out.scalar("severity", &Severity::Error);
                    out.scalar("code", &error.code);
                    out.scalar("message", &error.message);
                });
            }
        });
        document.object("meta", |meta| {
            meta.scalar("apiVersion", API_VERSION);
            meta.scalar("cwd", content.meta.cwd.as_deref().unwrap_or_default());
            write_extra(&content.meta.extra, &["apiVersion", "cwd", "schemaVersion"], meta);
        });
    }
}

impl Dialect for I18nprune1 {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        let ok = document.get("ok")?.bool()?;
        let has_issues = document.get("issues")?.kind() == Kind::Array;
        let meta = document.get("meta")?;
        let version = meta.members().filter(|member| member.is("apiVersion")).last()?.value;
        let kind = document.get("kind").is_some_and(|kind| kind.kind() == Kind::String);
        if !has_issues || !kind {
            return None;
        }
        let marked = version.string().is_some_and(|version| version == API_VERSION);
        let (shape, confidence) = match (marked, document.get("data").is_some()) {
            (true, true) => ("issues and data", Confidence::Certain),
            (true, false) => ("issues without data", Confidence::Likely),
            (false, _) => ("another apiVersion", Confidence::Possible),
        };
        Some(Match { shape, confidence, ok: Some(ok) })
    }

    fn open(&self, mut top: Fields<'_, '_>) -> (Content, Claims) {
        top.require(&["ok", "kind", "data", "issues", "meta"]);
        let claims = Claims { ok: top.flag("ok", "ok"), ..Claims::default() };
        let mut content = Content { kind: top.text("kind", "kind"), ..Content::default() };
        // A failure that has no payload to show carries an empty object.
        content.data = top
            .raw("data", "data")
            .filter(|data| claims.ok != Some(false) || !is_empty_object(data));
        let issues = top.array("issues", "issues").unwrap_or_default();
        content.issues = issues
            .into_iter()
            .enumerate()
            .map(|(index, value)| issue(top.of_element(value), index, value))
            .collect();
        if let Some(mut meta) = top.object("meta", "meta") {
            meta.mark("apiVersion", API_VERSION);
            let another = meta.revision("apiVersion", is_known_version);
            content.meta = Meta {
                schema_version: another
                    .or_else(|| meta.text("schemaVersion", "meta.schema_version")),
                cwd: meta.text_or_empty("cwd", "meta.cwd"),
                extra: meta.rest("meta.extra", Unknown::Allowed),
                ..Meta::default()
            };
        }
        content.extra = top.rest("extra", Unknown::Odd);
        (content, claims)
    }
}

fn is_known_version(version: &str) -> bool {
    version == API_VERSION
}

fn is_empty_object(data: &Raw) -> bool {
    data.value().kind() == Kind::Object && data.is_empty_container()
}

fn issue(mut fields: Fields<'_, '_>, index: usize, whole: Value<'_>) -> Issue {
    let place = format!("issues[{index}]");
    let is_object = whole.kind() == Kind::Object;
    Issue {
        code: fields.text("code", place.clone()).unwrap_or_default(),
        severity: fields
            .word("severity", place.clone(), Severity::from_word)
            .unwrap_or(Severity::Error),
        message: fields
            .text("message", place.clone())
            .or_else(|| (!is_object).then(|| whole.text().to_owned())),
        path: fields.text("path", place.clone()),
        link: fields.text("docHref", place.clone()),
        extra: fields.rest(&place, Unknown::Allowed),
    }
}

fn write_issue(issue: &Issue, out: &mut ObjectWriter<'_>) {
    out.scalar("severity", &issue.severity);
    out.scalar("code", &issue.code);
    out.scalar_if_some("message", issue.message.as_ref());
    out.scalar_if_some("path", issue.path.as_ref());
    if let Some(path) =
        issue.extra.get("docPath").filter(|path| path.value().kind() == Kind::String)
    {
        out.raw("docPath", path);
    }
    out.scalar_if_some("docHref", issue.link.as_ref());
}
