//! The document, word for word: its two transcripts, its examples, its table of errors.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::{Value, json};
use showcase_test_support::{Sandbox, Snippet, is_installed};
use std::os::unix::net::UnixListener;
use support::{BINARY, filled, sandbox};

fn run(sandbox: &Sandbox, code: &str) -> String {
    let program = ("animus", BINARY);
    let snippet = Snippet { interpreter: "sh", code, program, directory: sandbox.directory() };
    let output = snippet.run();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn capture_success_data() {
    if !is_installed("jq") {
        return;
    }
    let code = r#"
# Capture success data
data=$(animus subject get --kind task --id task:TASK-001 --json 2>/dev/null)
echo "$data" | jq '.data.status'
"#;
    assert_eq!(run(&filled(), code), "\"in-progress\"\n");
}

#[test]
fn capture_error() {
    if !is_installed("jq") {
        return;
    }
    let code = r"
# Capture error
animus subject get --kind task --id task:NONEXISTENT --json 2>err.json
cat err.json | jq '.error.code'
";
    assert_eq!(run(&filled(), code), "\"not_found\"\n");
}

#[test]
fn an_error_leaves_standard_output_alone() {
    if !is_installed("jq") {
        return;
    }
    let sandbox = sandbox();
    let code = "animus subject get --kind task --id task:NONEXISTENT --json 2>&1 >/dev/null \
                | jq .error.code";
    assert_eq!(run(&sandbox, code), "\"not_found\"\n");
    assert!(!sandbox.directory().join(".animus").exists());
}

/// The single line of a stream, as a tree; the other stream is empty.
#[track_caller]
fn line(full: &[u8], empty: &[u8]) -> Value {
    assert_eq!(String::from_utf8_lossy(empty), "");
    let text = std::str::from_utf8(full).unwrap();
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(text.trim_end(), value.to_string(), "compact, in this order");
    value
}

#[test]
fn simple_acknowledgment() {
    let sandbox = filled();
    sandbox.succeeds("subject status --kind task --id task:TASK-001 --set blocked");
    let called =
        sandbox.call("subject status --kind task --id task:TASK-001 --set in-progress --json");
    let expected = json!({
        "schema": "animus.cli.v1",
        "ok": true,
        "data": { "message": "task TASK-001 status updated to in-progress" }
    });
    assert_eq!(line(&called.stdout, &called.stderr), expected);
}

#[test]
fn query_result() {
    let called = filled().call("subject get --kind task --id task:TASK-001 --json");
    let answer = line(&called.stdout, &called.stderr);
    let data = answer["data"].as_object().unwrap();
    let first: Vec<(&str, &Value)> =
        data.iter().take(4).map(|(key, value)| (key.as_str(), value)).collect();
    let expected = [
        ("id", &json!("TASK-001")),
        ("title", &json!("Fix login bug")),
        ("status", &json!("in-progress")),
        ("priority", &json!("high")),
    ];
    assert_eq!(first, expected);
}

#[test]
fn error_with_details() {
    let sandbox = sandbox().file(".animus/subjects.json", "no subjects");
    let called = sandbox.call("daemon start --json");
    let answer = line(&called.stderr, &called.stdout);
    assert_eq!(called.status, 1);
    let error = answer["error"].as_object().unwrap();
    assert_eq!(error["code"], "internal");
    assert_eq!(error["message"], "daemon failed to start");
    let tail = error["details"]["startup_log_tail"].as_str().unwrap();
    assert!(tail.contains("cannot parse"), "{tail}");
}

#[test]
fn every_error_code_has_its_exit_code() {
    let sandbox = filled().file("broken/.animus/subjects.json", "{");
    let directory = sandbox.directory().join(".animus/daemon");
    std::fs::create_dir_all(&directory).unwrap();
    let _silent = UnixListener::bind(directory.join("socket")).unwrap();
    for (code, exit_code, call) in [
        ("internal", 1, "subject list --project-root broken"),
        ("invalid_input", 2, "subject list --status bogus"),
        ("not_found", 3, "subject get --kind task --id task:NONEXISTENT"),
        ("conflict", 4, "subject status --kind task --id task:TASK-002 --set done"),
        ("unavailable", 5, "daemon stop --shutdown-timeout-secs 1"),
    ] {
        let called = sandbox.call(&format!("{call} --json"));
        let answer = line(&called.stderr, &called.stdout);
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["schema", "ok", "error"], "{call}");
        assert_eq!((&answer["schema"], &answer["ok"]), (&json!("animus.cli.v1"), &json!(false)));
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["exit_code"]), (&json!(code), &json!(exit_code)));
        assert_eq!(called.status, exit_code, "{call}");
        assert!(error["details"].is_object(), "{call}: what to do next is among the details");
        // People get the same code.
        let called = sandbox.call(&format!("{call} --output rich"));
        let stderr = String::from_utf8(called.stderr).unwrap();
        assert_eq!(called.status, exit_code);
        assert!(stderr.starts_with(&format!("error[{code}]: ")), "{stderr}");
    }
}

#[test]
fn no_other_code_exists() {
    let called = sandbox().succeeds("schema --json");
    let mut codes: Vec<String> = support::data(&called)["codes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|code| code["code"].as_str().unwrap().to_owned())
        .collect();
    codes.sort_unstable();
    assert_eq!(codes, ["conflict", "internal", "invalid_input", "not_found", "unavailable"]);
}

#[test]
fn json_is_for_who_asks_for_it() {
    let sandbox = filled();
    let plain = sandbox.succeeds("subject list");
    assert!(plain.stdout.starts_with(b"TASK-001\t"));
    for call in ["--json subject list", "subject --json list", "subject list --json"] {
        let called = sandbox.succeeds(call);
        assert!(line(&called.stdout, &called.stderr)["data"].is_array());
    }
}
