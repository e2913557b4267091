//! The report in SARIF 2.1.0, which viewers of findings read.

use super::report::{Report, Violation};
use manila_check::internal::uri;
use manila_log::{RULES, Rule};
use serde_json::{Value, json};

/// The report as a SARIF log with one run.
pub(crate) fn of(report: &Report) -> Value {
    let rules: Vec<Value> = RULES.iter().copied().map(rule).collect();
    let results: Vec<Value> = report.violations.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "manila",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{
                "executionSuccessful": report.unread.is_empty(),
                "toolExecutionNotifications": report.unread.iter().map(|unread| json!({
                    "level": "error",
                    "message": { "text": unread.error },
                    "locations": [{ "physicalLocation": { "artifactLocation": {
                        "uri": uri(&unread.file),
                    } } }],
                })).collect::<Vec<_>>(),
            }],
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn rule(rule: Rule) -> Value {
    json!({ "id": rule.id(), "shortDescription": { "text": rule.meaning() } })
}

fn result(violation: &Violation) -> Value {
    let meaning = Rule::from_id(violation.rule).map_or("", Rule::meaning);
    let text = match violation.key {
        Some(key) => format!("{key}: {meaning}"),
        None => meaning.to_owned(),
    };
    json!({
        "ruleId": violation.rule,
        "ruleIndex": RULES.iter().position(|rule| rule.id() == violation.rule),
        "level": "error",
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&violation.file) },
            "region": {
                "startLine": violation.line,
                "byteOffset": violation.byte,
                "snippet": { "text": violation.excerpt.text },
            },
        } }],
    })
}
