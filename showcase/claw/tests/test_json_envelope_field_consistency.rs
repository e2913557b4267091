//! The fields that every answer shares say the same as everything else about the call.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use std::process::Command;
use std::time::{Duration, SystemTime};
use support::{BINARY, CASES, Case, VERSIONS, Version};

#[test]
fn test_json_envelope_field_consistency() {
    for version in VERSIONS {
        for case in CASES {
            let called = version.scene().call(&version.line(case.line));
            let document: Value = serde_json::from_slice(&called.stdout).unwrap();
            let place = format!("{} {version:?}: {document}", case.name);
            assert_eq!(called.status, case.status_in(version), "{place}");
            match version {
                Version::V1 => assert_flat(&document, called.status, &place),
                Version::V2 => assert_wrapped(case, &document, called.status, &place),
            }
        }
    }
}

/// The five common fields, and the three that tell what came of it.
fn assert_wrapped(case: &Case, document: &Value, status: i32, place: &str) {
    let keys: Vec<&String> = document.as_object().unwrap().keys().take(5).collect();
    let common = ["timestamp", "command", "exit_code", "output_format", "schema_version"];
    assert_eq!(keys, common, "{place}");
    assert_eq!(document["command"], case.command(), "{place}");
    assert_eq!(document["exit_code"], status, "{place}");
    assert_eq!(document["output_format"], "json", "{place}");
    assert_eq!(document["schema_version"], "2.0", "{place}");
    assert_is_recent(&document["timestamp"], place);
    let error = document.get("error");
    assert_eq!(error.is_some(), status != 0, "{place}");
    for signal in ["found", "deleted", "loaded", "flushed"] {
        let said = document.get(signal).map(|said| said.as_bool().unwrap());
        assert!(said.is_none_or(|said| said == error.is_none()), "{signal} in {place}");
    }
    if let Some(error) = error {
        assert_typed(error, document.get("found").is_some(), place);
        assert_ne!(document.get("handled"), Some(&true.into()), "{place}");
    }
}

/// A moment of the last minute, to the second.
fn assert_is_recent(timestamp: &Value, place: &str) {
    let moment: jiff::Timestamp = timestamp.as_str().unwrap().parse().unwrap();
    let age = SystemTime::now().duration_since(moment.into()).unwrap_or_default();
    assert!(age < Duration::from_secs(60), "{place}");
    assert_eq!(timestamp.as_str().unwrap().len(), "2026-04-22T10:10:00Z".len(), "{place}");
}

fn assert_typed(error: &Value, is_missing: bool, place: &str) {
    let kinds: &[&str] = if is_missing {
        &["command_not_found", "tool_not_found", "session_not_found"]
    } else {
        &[
            "filesystem",
            "auth",
            "session",
            "parse",
            "runtime",
            "mcp",
            "delivery",
            "usage",
            "policy",
            "unknown",
        ]
    };
    assert!(kinds.contains(&error["kind"].as_str().unwrap()), "{place}");
    assert!(error["retryable"].is_boolean(), "{place}");
    assert!(!error["message"].as_str().unwrap().is_empty(), "{place}");
    assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{place}");
    if !is_missing {
        assert!(error["operation"].is_string() && error["target"].is_string(), "{place}");
    }
}

/// No common field, and `type` says which of two shapes it is.
fn assert_flat(document: &Value, status: i32, place: &str) {
    for key in ["timestamp", "command", "exit_code", "output_format", "schema_version"] {
        assert!(document.get(key).is_none(), "{key} in {place}");
    }
    let expected = if status == 0 { "success" } else { "error" };
    assert_eq!(document["type"], expected, "{place}");
    assert!(document["kind"].is_string(), "{place}");
    if status != 0 {
        assert!(document["error"].is_string() && document["hint"].is_string(), "{place}");
        assert_eq!(document.as_object().unwrap().len(), 4, "{place}");
    }
}

/// What people see ends with the same status as what programs see.
#[test]
fn text_and_json_end_alike() {
    for version in VERSIONS {
        for case in CASES {
            let line = version.line(case.line);
            let line = line.replace("--output-format json", "--output-format text");
            let status = version.scene().call(&line).status;
            assert_eq!(status, case.status_in(version), "{} {version:?}", case.name);
        }
    }
}

/// The version of what a call answers, and whether it warned.
fn answered(phase: Option<&str>, flags: &[&str]) -> (Value, &'static str, bool) {
    let mut claw = Command::new(BINARY);
    claw.args(["bootstrap-graph", "--output-format", "json"]).args(flags);
    claw.env_remove("CLAW_ENVELOPE_PHASE").env_remove("CLAW_OUTPUT");
    let output = claw.envs(phase.map(|phase| ("CLAW_ENVELOPE_PHASE", phase))).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let version = if document.get("schema_version").is_some() { "2.0" } else { "1.0" };
    let warned = String::from_utf8_lossy(&output.stderr).contains("deprecated");
    (document, version, warned)
}

#[test]
fn every_phase_answers_every_flag() {
    let (old, new) = ("1.0", "2.0");
    for (phase, usual) in [(None, old), (Some("1"), old), (Some("2"), new), (Some("3"), new)] {
        let (_, version, warned) = answered(phase, &[]);
        assert_eq!((version, warned), (usual, false), "{phase:?}");
        let (_, version, warned) = answered(phase, &["--envelope-version=2.0"]);
        assert_eq!((version, warned), (new, false), "{phase:?}");
        for flag in ["--legacy-envelope", "--envelope-version=1.0"] {
            let (_, version, warned) = answered(phase, &[flag]);
            assert_eq!((version, warned), (old, phase == Some("3")), "{phase:?} {flag}");
        }
    }
}

#[test]
fn what_is_no_phase_and_no_version_is_refused() {
    let (document, version, _) = answered(Some("4"), &[]);
    assert_eq!(version, "1.0");
    assert_eq!(document["error"], "invalid value '4' for the variable CLAW_ENVELOPE_PHASE");
    let (document, _, _) = answered(None, &["--envelope-version=3.0"]);
    assert_eq!(document["error"], "invalid value '3.0' for '--envelope-version'");
    assert_eq!(document["kind"], "cli_parse");
    let (document, _, _) = answered(Some("2"), &["--envelope-version=2.0", "--legacy-envelope"]);
    assert_eq!(document["error"]["kind"], "usage");
}
