//! SARIF 2.1.0, for code scanning: the rules with their pages, and a result for each cause. What is
//! waived is suppressed, and what is undecided is a notification: a result would raise an alarm.

use super::shared::escape::uri;
use crate::report::cause::Cause;
use crate::report::model::{Judged, Report};
use crate::rule::verdict::{Excerpt, Finding, Verdict};
use crate::severity::Severity;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
struct Log<'r> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'r> {
    tool: Tool<'r>,
    invocations: [Value; 1],
    artifacts: Vec<Value>,
    results: Vec<Outcome<'r>>,
    column_kind: &'static str,
    properties: Value,
}

#[derive(Serialize)]
struct Tool<'r> {
    driver: Driver<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'r> {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Described<'r>>,
}

#[derive(Serialize)]
struct Message<'r> {
    text: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'r> {
    id: &'r str,
    short_description: Message<'r>,
    full_description: Message<'r>,
    help: Value,
    default_configuration: Value,
    properties: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'r> {
    rule_id: &'r str,
    rule_index: usize,
    level: &'static str,
    message: Value,
    locations: [Value; 1],
    occurrence_count: usize,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Value>,
}

pub(super) fn render(report: &Report) -> String {
    let mut streams = Streams::of(report);
    let mut results = Vec::new();
    for (index, judged) in report.judged.iter().enumerate() {
        let waived = judged.waived.iter().map(|(finding, reason)| {
            (Cause { first: finding, findings: vec![finding] }, Some(reason.as_str()))
        });
        for (cause, reason) in judged.causes().into_iter().map(|cause| (cause, None)).chain(waived)
        {
            results.push(Outcome {
                rule_id: judged.rule.id,
                rule_index: index,
                level: judged.severity.as_str(),
                message: message(judged, &cause),
                locations: [location(report, &mut streams, &cause)],
                occurrence_count: cause.calls(),
                partial_fingerprints: BTreeMap::from([(
                    "manilaFinding/v1",
                    judged.fingerprint(cause.first),
                )]),
                suppressions: reason.map(suppression).into_iter().collect(),
            });
        }
    }
    let score = report.score();
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "manila check",
                semantic_version: env!("CARGO_PKG_VERSION"),
                rules: report.judged.iter().map(described).collect(),
            },
        },
        invocations: [invocation(report)],
        artifacts: streams.artifacts,
        results,
        column_kind: "unicodeCodePoints",
        properties: json!({ "conforms": report.conforms(), "outcome": report.outcome(), "profile": report.profile_name(), "score": report.grade(), "covered": score.covered }),
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// The streams that findings point into: an artifact for each stream of each call.
struct Streams {
    artifacts: Vec<Value>,
    known: BTreeMap<(String, String), usize>,
}

impl Streams {
    /// The program itself comes first.
    fn of(report: &Report) -> Streams {
        let program =
            json!({ "location": { "uri": program(report) }, "roles": ["analysisTarget"] });
        Streams { artifacts: vec![program], known: BTreeMap::new() }
    }

    fn place(&mut self, finding: &Finding, excerpt: &Excerpt) -> Value {
        let stream = excerpt.stream.to_string();
        let next = self.artifacts.len();
        let key = (finding.reproduce.clone(), stream.clone());
        let index = *self.known.entry(key).or_insert(next);
        let name = format!("run-{index}/{stream}");
        if index == next {
            let about = format!("{stream} of: {}", finding.reproduce);
            self.artifacts.push(json!({
                "location": { "uri": name },
                "description": { "text": about },
                "roles": ["standardStream"],
            }));
        }
        json!({
            "artifactLocation": { "uri": name, "index": index },
            "region": {
                "byteOffset": excerpt.start,
                "byteLength": excerpt.end - excerpt.start,
                "snippet": { "text": excerpt.bytes },
            },
        })
    }
}

fn program(report: &Report) -> String {
    uri(report.subject.first().map_or("program", String::as_str))
}

fn location(report: &Report, streams: &mut Streams, cause: &Cause<'_>) -> Value {
    let physical = match &cause.first.excerpt {
        Some(excerpt) => streams.place(cause.first, excerpt),
        None => json!({ "artifactLocation": { "uri": program(report), "index": 0 } }),
    };
    let command = |place: String| json!({ "fullyQualifiedName": place, "kind": "command" });
    let commands: Vec<Value> = cause.places().into_iter().map(command).collect();
    json!({ "physicalLocation": physical, "logicalLocations": commands })
}

fn message(judged: &Judged, cause: &Cause<'_>) -> Value {
    let Finding { message, reproduce, .. } = cause.first;
    let more = cause.more().map_or_else(String::new, |more| format!(" ({more})"));
    let text = format!("{message}{more}\n\n    {reproduce}\n\n{}", judged.rule.fix);
    json!({ "text": text })
}

fn suppression(reason: &str) -> Value {
    json!({ "kind": "external", "status": "accepted", "justification": reason })
}

fn described(judged: &Judged) -> Described<'_> {
    let rule = judged.rule;
    Described {
        id: rule.id,
        short_description: Message { text: rule.flaw },
        full_description: Message { text: rule.flaw },
        help: json!({ "text": rule.page, "markdown": rule.page }),
        default_configuration: json!({ "level": rule.severity.as_str() }),
        properties: json!({
            "tags": [rule.family.as_str()],
            "problem.severity": problem(rule.severity),
            "failureModes": rule.modes,
            "requirements": rule.requirements,
        }),
    }
}

/// GitHub's word for a severity.
fn problem(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "recommendation",
    }
}

fn invocation(report: &Report) -> Value {
    let note = |text: String| json!({ "level": "note", "message": { "text": text } });
    let first = report.notes.iter().chain(&report.gaps);
    let mut notifications: Vec<Value> = first.cloned().map(note).collect();
    notifications.extend(report.stale_waivers.iter().cloned().map(note));
    for (index, judged) in report.judged.iter().enumerate() {
        if let Verdict::Undecided { why, declare } = judged.verdict {
            let declare = declare.map_or_else(String::new, |it| format!("; declare {it}"));
            let mut entry = note(format!("undecided: {why}{declare}"));
            entry["associatedRule"] = json!({ "id": judged.rule.id, "index": index });
            notifications.push(entry);
        }
    }
    json!({
        "executionSuccessful": true,
        "commandLine": report.subject_line(),
        "toolExecutionNotifications": notifications,
    })
}
