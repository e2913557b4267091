//! What the lines of a stream hold beside the one that decides.

use super::detect::holds;
use super::{Claims, Test, value_at};
use crate::envelope::{Content, ErrorObject, Issue, Severity, Warning};
use crate::json::{Document, Kind, Members, Raw, Reader, Value};
use crate::mark::EXPLICIT_FAILURE;
use std::borrow::Cow;

/// A line of a stream that is not the deciding one.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// All of these hold for it.
    pub all: &'static [Test],
    /// What it holds.
    pub holds: LineHolds,
}

/// What a line of a stream holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineHolds {
    /// Nothing but how far the work is.
    Progress,
    /// An element of the data: the value at this path, or the whole line.
    Data(&'static str),
    /// A warning: the text at this path.
    Warning(&'static str),
    /// An error that a later line may overcome: the text at this path. It is a warning where the deciding
    /// line follows, and a failure where the stream ends with it.
    Error(&'static str),
    /// A finding.
    Issue(IssuePaths),
}

/// Where the parts of a finding are in a line; an empty path is the line itself, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssuePaths {
    /// The finding.
    pub at: &'static str,
    /// Its code, within it.
    pub code: &'static str,
    /// Its severity, within it.
    pub severity: &'static str,
    /// Its message, within it.
    pub message: &'static str,
}

/// What a document holds if it is a line of such a stream that does not decide.
pub(crate) fn held_by_line(lines: &[Line], document: &Document<'_, '_>) -> Option<LineHolds> {
    let line = lines.iter().find(|line| line.all.iter().all(|test| holds(test, document)));
    line.map(|line| line.holds)
}

/// The error that a line states, if it states one.
pub(crate) fn error_in_line(holds: LineHolds, document: &Document<'_, '_>) -> Option<ErrorObject> {
    let LineHolds::Error(path) = holds else { return None };
    let message = below(document.root(), path).and_then(words).unwrap_or_default();
    Some(ErrorObject::new(EXPLICIT_FAILURE, message))
}

/// Collects the data, findings and warnings of all lines up to the deciding one, which begins at
/// `last`.
pub(crate) fn collect(
    lines: &'static [Line],
    (bytes, last): (&[u8], usize),
    reader: &mut Reader,
    content: &mut Content,
    claims: &mut Claims,
) {
    let mut elements = Vec::new();
    let mut own = None;
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let begins = start + line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        start += line.len();
        if begins > last {
            break;
        }
        if bytes.get(begins) != Some(&b'{') {
            continue;
        }
        let Ok(document) = reader.read_at(bytes, begins) else { continue };
        let found = |path: &str| below(document.root(), path);
        match held_by_line(lines, &document) {
            Some(LineHolds::Data(path)) => elements.extend(found(path).map(|value| value.text())),
            Some(LineHolds::Warning(path) | LineHolds::Error(path)) => {
                content.warnings.extend(found(path).and_then(words).map(Warning::Text));
            }
            Some(LineHolds::Issue(paths)) => {
                let object = found(paths.at).filter(|value| value.kind() == Kind::Object);
                let issue = object.map(|object| issue(object, &paths));
                if begins == last {
                    own = issue;
                } else {
                    content.issues.extend(issue);
                }
            }
            Some(LineHolds::Progress) | None => {}
        }
    }
    settle(own, content, claims);
    let has_data = content.data.as_ref().is_some_and(|data| !data.value().is_null());
    let is_absent = content.data.is_none() && claims.ok != Some(false);
    if is_absent || (!has_data && !elements.is_empty()) {
        content.data = Raw::parse(&format!("[{}]", elements.join(","))).ok();
    }
}

/// The first finding that is an error is the error. The deciding line says its own unless there are
/// earlier ones.
fn settle(own: Option<Issue>, content: &mut Content, claims: &mut Claims) {
    let is_error = |issue: &Issue| issue.severity == Severity::Error;
    if content.issues.iter().any(is_error) {
        content.error = None;
    }
    if content.error.is_none() {
        content.issues.extend(own);
    }
    if content.issues.iter().any(is_error) {
        claims.ok = Some(false);
    }
}

fn below<'t>(value: Value<'t>, path: &str) -> Option<Value<'t>> {
    if path.is_empty() { Some(value) } else { value_at(value, path) }
}

fn words(value: Value<'_>) -> Option<String> {
    value.string().map(Cow::into_owned)
}

fn issue(object: Value<'_>, paths: &IssuePaths) -> Issue {
    let text = |path: &str| {
        if path.is_empty() { None } else { value_at(object, path).and_then(words) }
    };
    let severity = match text(paths.severity).as_deref() {
        None => Severity::Error,
        Some(word) if word.starts_with("error") => Severity::Error,
        Some(word) if word.starts_with("warn") => Severity::Warning,
        Some(_) => Severity::Info,
    };
    let taken = [paths.code, paths.severity, paths.message];
    let mut extra = Members::default();
    for member in object.members().filter(|member| !taken.contains(&&*member.key())) {
        extra.push(member.key().into_owned(), Raw::from(member.value));
    }
    let code = text(paths.code).unwrap_or_else(|| EXPLICIT_FAILURE.to_owned());
    Issue { code, severity, message: text(paths.message), path: None, link: None, extra }
}
