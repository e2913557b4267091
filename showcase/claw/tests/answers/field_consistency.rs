//! The fields of every command, by name, and that those which every answer shares say the same as
//! everything else about the call.

use crate::support::{BINARY, CASES, Case, VERSIONS, Version};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// The thirteen commands of the document and the loop, each with the fields of its success: those of
/// envelope 2.0, and of 1.0 where they differ. A group is written with what is in it behind a dot, a
/// list with `[]`.
const FIELDS: &[(&str, &str, Option<&str>)] = &[
    (
        "list-sessions",
        "directory sessions_count sessions sessions[].session_id sessions[].created_at \
         sessions[].last_modified sessions[].prompt_count sessions[].stopped",
        Some(
            "sessions sessions[].id sessions[].path sessions[].updated_at_ms \
             sessions[].message_count sessions[].created sessions[].turns",
        ),
    ),
    ("delete-session", "session_id deleted directory", None),
    (
        "load-session",
        "session_id loaded directory path",
        Some("session session.id session.path session.messages"),
    ),
    ("flush-transcript", "session_id path flushed messages_count input_tokens output_tokens", None),
    ("show-command", "name found source_hint responsibility", None),
    ("show-tool", "name found source_hint", None),
    ("exec-command", "name prompt handled message source_hint", None),
    // What the tool said is our own.
    ("exec-tool", "name payload handled message source_hint output", None),
    (
        "route",
        "prompt limit match_count matches matches[].kind matches[].name matches[].score \
         matches[].source_hint",
        None,
    ),
    (
        "bootstrap",
        "prompt setup setup.python_version setup.implementation setup.platform_name \
         setup.test_command routed_matches routed_matches[].kind routed_matches[].name \
         routed_matches[].score routed_matches[].source_hint turn turn.prompt turn.output \
         turn.stop_reason turn.cancel_observed persisted_session_path",
        None,
    ),
    (
        "command-graph",
        "builtins_count plugin_like_count skill_like_count total_count builtins builtins[].name \
         builtins[].source_hint plugin_like plugin_like[].name plugin_like[].source_hint \
         skill_like skill_like[].name skill_like[].source_hint",
        None,
    ),
    (
        "tool-pool",
        "simple_mode include_mcp tool_count tools tools[].name tools[].source_hint",
        None,
    ),
    ("bootstrap-graph", "stages note", None),
    (
        "turn-loop",
        "prompt max_turns timeout_seconds continuation_prompt turns turns[].prompt turns[].output \
         turns[].stop_reason turns[].cancel_observed turns[].matched_commands \
         turns[].matched_tools turns_completed final_stop_reason final_cancel_observed",
        None,
    ),
];

/// What every answer in envelope 2.0 begins with.
const COMMON: [&str; 5] = ["timestamp", "command", "exit_code", "output_format", "schema_version"];

/// What an answer that succeeded has in envelope 1.0 beside the fields of its command.
const FLAT: [&str; 2] = ["kind", "type"];

#[test]
fn test_json_envelope_field_consistency() {
    assert_eq!(FIELDS.len(), 14);
    for version in VERSIONS {
        for (command, fields, older) in FIELDS {
            let is_its = |case: &&Case| case.command() == *command;
            let cases: Vec<&Case> = CASES.iter().filter(is_its).collect();
            let mut seen = BTreeSet::new();
            for case in cases {
                let before = now();
                let (stdout, status) = version.run(&version.line(case.line));
                let document: Value = serde_json::from_slice(&stdout).unwrap();
                let place = format!("{} {version:?}: {document}", case.name);
                assert_eq!(status, case.status_in(version), "{place}");
                match version {
                    Version::V1 => assert_flat(&document, status, &place),
                    Version::V2 => {
                        assert_wrapped(case, &document, status, &place);
                        assert_is_between(before, &document["timestamp"], now(), &place);
                    }
                }
                if status == 0 {
                    collect("", &document, &mut seen);
                }
            }
            let beside: &[&str] = if version == Version::V1 { &FLAT } else { &COMMON };
            let own = older.filter(|_| version == Version::V1).unwrap_or(fields);
            let expected: BTreeSet<String> =
                own.split_whitespace().chain(beside.iter().copied()).map(str::to_owned).collect();
            assert_eq!(seen, expected, "the fields of {command} in {version:?}");
        }
    }
    let known = |case: &Case| FIELDS.iter().any(|(command, ..)| *command == case.command());
    assert!(CASES.iter().all(known), "a command has no line in FIELDS");
}

/// Every field of a document, with those that lead to it.
fn collect(path: &str, value: &Value, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let dot = if path.is_empty() { "" } else { "." };
                let field = format!("{path}{dot}{name}");
                collect(&field, value, fields);
                fields.insert(field);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect(&format!("{path}[]"), item, fields);
            }
        }
        _ => {}
    }
}

/// The five common fields, and the three that state the outcome.
fn assert_wrapped(case: &Case, document: &Value, status: i32, place: &str) {
    let keys: Vec<&String> = document.as_object().unwrap().keys().take(5).collect();
    assert_eq!(keys, COMMON, "{place}");
    assert_eq!(document["command"], case.command(), "{place}");
    assert_eq!(document["exit_code"], status, "{place}");
    assert_eq!(document["output_format"], "json", "{place}");
    assert_eq!(document["schema_version"], "2.0", "{place}");
    let error = document.get("error");
    assert_eq!(error.is_some(), status != 0, "{place}");
    for signal in ["found", "deleted", "loaded", "flushed"] {
        if let Some(said) = document.get(signal) {
            assert_eq!(said.as_bool(), Some(error.is_none()), "{signal} in {place}");
        }
    }
    if let Some(error) = error {
        assert_typed(error, document.get("found").is_some(), place);
        assert_ne!(document.get("handled"), Some(&true.into()), "{place}");
        if document.get("found").is_some() {
            assert!(document["name"].is_string(), "{place}");
        }
    }
}

/// This moment, to the second.
fn now() -> Timestamp {
    Timestamp::from_second(Timestamp::now().as_second()).unwrap()
}

/// A moment of the call, to the second.
fn assert_is_between(before: Timestamp, timestamp: &Value, after: Timestamp, place: &str) {
    let text = timestamp.as_str().unwrap();
    let moment: Timestamp = text.parse().unwrap();
    assert!((before..=after).contains(&moment), "{place}");
    assert_eq!(text.len(), "2026-04-22T10:10:00Z".len(), "{place}");
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
    let mut keys: Vec<&String> = error.as_object().unwrap().keys().collect();
    keys.sort_unstable();
    let expected: &[&str] = if is_missing {
        &["hint", "kind", "message", "retryable"]
    } else {
        assert!(error["operation"].is_string() && error["target"].is_string(), "{place}");
        &["hint", "kind", "message", "operation", "retryable", "target"]
    };
    assert_eq!(keys, expected, "{place}");
}

/// No common field, and `type` says which of two shapes it is.
fn assert_flat(document: &Value, status: i32, place: &str) {
    for key in COMMON {
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
            let (_, status) = version.run(&line);
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
