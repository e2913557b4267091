//! SARIF 2.1.0, for code scanning: a result for each change; an accepted one is suppressed.

use crate::diff::{Impact, Rule};
use crate::report::{Classified, Comparison};
use manila_check::internal::uri;
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn render(comparison: &Comparison) -> String {
    let mut rules: Vec<&'static Rule> = Vec::new();
    for one in &comparison.changes {
        if !rules.contains(&one.change.rule) {
            rules.push(one.change.rule);
        }
    }
    let results: Vec<Value> =
        comparison.changes.iter().map(|one| result(comparison, &rules, one)).collect();
    let note = |text: &String| json!({ "level": "note", "message": { "text": text } });
    let remarks = comparison.notes.iter().chain(&comparison.stale_accepts).map(note);
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": comparison.title(),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| described(comparison, rule)).collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": remarks.collect::<Vec<_>>(),
            }],
            "results": results,
            "columnKind": "unicodeCodePoints",
            "properties": { "outcome": comparison.headline(), "tally": comparison.tally() },
        }],
    });
    manila_check::render::json::document(&log)
}

fn level(impact: Impact) -> &'static str {
    match impact {
        Impact::Breaking => "error",
        Impact::Human => "warning",
        Impact::Compatible => "note",
    }
}

fn described(comparison: &Comparison, rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.what },
        "fullDescription": { "text": rule.what },
        "help": { "text": rule.page, "markdown": rule.page },
        "defaultConfiguration": { "level": level(rule.impact(comparison.reader)) },
        "properties": { "tags": [rule.family.as_str()] },
    })
}

fn result(comparison: &Comparison, rules: &[&'static Rule], one: &Classified) -> Value {
    let rule = one.change.rule;
    let witness = one.witnessed().map_or_else(String::new, |it| format!("\n\n{it}"));
    let text = format!("{}\n\n{}{witness}\n\n{}", one.line(), rule.what, rule.fix);
    let mut result = json!({
        "ruleId": rule.id,
        "ruleIndex": rules.iter().position(|it| *it == rule),
        "level": level(one.impact),
        "message": { "text": text },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": uri(&comparison.names[1]) } },
            "logicalLocations": [{ "fullyQualifiedName": one.change.places(), "kind": "command" }],
        }],
        "partialFingerprints": { "manilaChange/v1": one.change.fingerprint() },
    });
    if let Some(reason) = &one.accepted {
        result["suppressions"] =
            json!([{ "kind": "external", "status": "accepted", "justification": reason }]);
    }
    result
}
