//! The project report as data: `i18nprune.projectReport`, version 1.

use crate::compare;
use crate::locale::Locale;
use crate::project::Project;
use crate::scan::{Call, Dynamic, Key, Observation, Scan};
use schemars::JsonSchema;
use serde::Serialize;
use std::env::consts;

/// What is known about a project.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    /// Always `i18nprune.projectReport`.
    kind: &'static str,
    /// The version of this shape.
    schema_version: u32,
    /// When it was made.
    pub(super) generated_at: String,
    /// The version of the program that made it.
    tool_version: &'static str,
    pub(super) project: About,
    pub(super) summary: Summary,
    pub(super) details: Details,
}

/// Which project it is about.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    cwd: String,
    pub(super) source_locale_path: String,
    locales_dir: String,
    pub(super) src_root: String,
    source_locale_tag: String,
    environment: Environment,
}

/// What it was made on.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Environment {
    platform: &'static str,
    arch: &'static str,
}

/// The numbers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    pub(super) missing_keys_count: usize,
    pub(super) dynamic_sites_count: usize,
    dynamic_sites_active_count: usize,
    dynamic_sites_commented_count: usize,
    pub(super) key_observations_count: usize,
    pub(super) source_files_scanned_count: usize,
    /// Whether no key is missing.
    ok: bool,
}

/// The lists behind them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Details {
    pub(super) missing_keys: Vec<String>,
    pub(super) dynamic_sites: Vec<Site>,
    pub(super) key_observations: Vec<Observed>,
}

/// A call whose key only a run knows.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Site {
    pub(super) kind: SiteKind,
    function_name: String,
    /// The beginning of the call.
    pub(super) preview: String,
    /// The file, from the directory of the sources.
    pub(super) file_path: String,
    pub(super) line: usize,
    pub(super) column: usize,
    is_multiline_call: bool,
    pub(super) is_commented: bool,
    /// Whether it is in the sources, as every site here is.
    is_source_file: bool,
}

/// What the argument of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SiteKind {
    /// A template with substitutions.
    TemplateInterpolation,
    /// Anything else.
    NonLiteral,
}

impl SiteKind {
    /// Its name.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            SiteKind::TemplateInterpolation => "template_interpolation",
            SiteKind::NonLiteral => "non_literal",
        }
    }
}

/// A key that the code names.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Observed {
    kind: &'static str,
    /// The key as the locales have it.
    pub(super) resolved_key: String,
    /// The key as the code has it.
    raw: String,
    pub(super) span: Span,
}

/// Where a call is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Span {
    pub(super) line: usize,
    pub(super) function_name: String,
    is_multiline_call: bool,
    /// How many characters of the file come before it.
    char_offset: usize,
    pub(super) file_path: String,
}

impl Document {
    /// The report on a project.
    pub(crate) fn new(project: &Project, source: &Locale, scan: &Scan, cwd: String) -> Document {
        let missing_keys = compare::missing_keys(scan, source);
        let (active, commented) = scan.dynamic_counts();
        Document {
            kind: "i18nprune.projectReport",
            schema_version: 1,
            generated_at: format!("{:.3}", jiff::Timestamp::now()),
            tool_version: env!("CARGO_PKG_VERSION"),
            project: About {
                cwd,
                source_locale_path: project.source_path().display().to_string(),
                locales_dir: project.locales_dir.display().to_string(),
                src_root: project.src_root.display().to_string(),
                source_locale_tag: source.code.clone(),
                environment: Environment { platform: consts::OS, arch: consts::ARCH },
            },
            summary: Summary {
                missing_keys_count: missing_keys.len(),
                dynamic_sites_count: scan.dynamic.len(),
                dynamic_sites_active_count: active,
                dynamic_sites_commented_count: commented,
                key_observations_count: scan.observations.len(),
                source_files_scanned_count: scan.files,
                ok: missing_keys.is_empty(),
            },
            details: Details {
                missing_keys,
                dynamic_sites: scan.dynamic.iter().map(Site::of).collect(),
                key_observations: scan.observations.iter().map(|it| observed(it, source)).collect(),
            },
        }
    }

    /// Whether the source locale lacks this key.
    pub(super) fn is_missing(&self, key: &str) -> bool {
        self.details.missing_keys.binary_search_by(|missing| missing.as_str().cmp(key)).is_ok()
    }
}

impl Site {
    fn of(dynamic: &Dynamic) -> Site {
        let Call { function, file, place, is_multiline } = dynamic.call.clone();
        let kind = match dynamic.kind {
            Key::Interpolated => SiteKind::TemplateInterpolation,
            Key::Literal(_) | Key::Computed => SiteKind::NonLiteral,
        };
        Site {
            kind,
            function_name: function,
            preview: dynamic.preview.clone(),
            file_path: file,
            line: place.line,
            column: place.column,
            is_multiline_call: is_multiline,
            is_commented: dynamic.is_commented,
            is_source_file: true,
        }
    }
}

fn observed(observation: &Observation, source: &Locale) -> Observed {
    let Call { function, file, place, is_multiline } = observation.call.clone();
    Observed {
        kind: "literal",
        resolved_key: source.resolve(&observation.key).into_owned(),
        raw: observation.key.clone(),
        span: Span {
            line: place.line,
            function_name: function,
            is_multiline_call: is_multiline,
            char_offset: place.offset,
            file_path: file,
        },
    }
}
