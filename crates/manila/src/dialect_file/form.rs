//! The file as serde sees it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A name of a closed set, with its place.
pub(super) type Name = Spanned<String>;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileForm {
    pub id: Name,
    pub summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(default)]
    #[serde(skip_serializing_if = "is_no")]
    pub has_meta: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_set: Option<Name>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub no_data: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<RevisionForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<FormForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FormForm>,
    pub exits: ExitsForm,
    #[serde(default)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub codes: BTreeMap<Name, Vec<String>>,
    pub detect: Spanned<DetectForm>,
    #[serde(default, rename = "key")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<Spanned<KeyForm>>,
    #[serde(default, rename = "line")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineForm>,
    #[serde(default, rename = "example")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Spanned<ExampleForm>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExampleForm {
    pub name: String,
    #[serde(default)]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    #[serde(default)]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    pub ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Name>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineForm {
    pub all: Vec<TestForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueForm>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IssueForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RevisionForm {
    pub path: String,
    pub known: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<Name>,
    #[serde(default)]
    #[serde(skip_serializing_if = "is_no")]
    pub ascii: bool,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExitsForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grain: Option<Name>,
    #[serde(default)]
    #[serde(skip_serializing_if = "is_no")]
    pub signals: bool,
    pub rows: Spanned<Vec<RowForm>>,
    #[serde(default)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub nearest: BTreeMap<Name, i32>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowForm {
    pub status: i32,
    pub class: Name,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<Name>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DetectForm {
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all: Vec<TestForm>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub none: Vec<TestForm>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    #[serde(default, rename = "level")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelForm>,
    #[serde(default, rename = "shape")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeForm>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelForm {
    pub confidence: Name,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all: Vec<TestForm>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<TestForm>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub none: Vec<TestForm>,
    #[serde(default)]
    #[serde(skip_serializing_if = "is_zero")]
    pub least: usize,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeForm {
    pub name: String,
    #[serde(default = "yes")]
    #[serde(skip_serializing_if = "is_yes")]
    pub own: bool,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all: Vec<TestForm>,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for references")]
fn is_yes(flag: &bool) -> bool {
    *flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for references")]
fn is_no(flag: &bool) -> bool {
    !*flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestForm {
    pub path: Name,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_not: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_matches: Option<Vec<String>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyForm {
    pub path: Name,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<Name>,
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Name>,
    #[serde(default, rename = "const")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constant: Vec<String>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub success: Vec<String>,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failure: Vec<String>,
    #[serde(default)]
    #[serde(skip_serializing_if = "is_no")]
    pub required: bool,
    #[serde(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_if: Vec<TestForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub null: Option<Name>,
    #[serde(default)]
    #[serde(skip_serializing_if = "is_no")]
    pub empty_is_absent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Name>,
    #[serde(default)]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
}
