//! The decision record itself: its CI gate as a shell runs it, its type, and its rules one by one.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use showcase_test_support::{Sandbox, Snippet, is_installed};
use std::fs;
use std::path::Path;
use support::{COMMANDS_WITH_JSON_OUTPUT, PROGRAM, broken, clean, demo, empty};

/// The gate, as the record has it.
const GATE: &str = "i18nprune validate --json | jq -e '.ok and ((.issues | length) == 0)'";

fn gate(directory: &Path) -> (Option<i32>, String) {
    let program = ("i18nprune", PROGRAM);
    let output = Snippet { interpreter: "sh", code: GATE, program, directory }.run();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_gate_passes_a_clean_project_and_stops_every_other() {
    if !is_installed("jq") {
        return;
    }
    assert_eq!(gate(clean().directory()), (Some(0), "true\n".to_owned()));
    assert_eq!(gate(broken().directory()), (Some(1), "false\n".to_owned()));
    assert_eq!(gate(empty().directory()), (Some(1), "false\n".to_owned()));
    let computed = clean().file("src/b.js", "t(key)");
    assert_eq!(
        gate(computed.directory()),
        (Some(1), "false\n".to_owned()),
        "a warning is an issue"
    );
}

#[test]
fn the_gate_passes_the_demo_from_the_root_of_the_repository() {
    if !is_installed("jq") {
        return;
    }
    let sandbox = demo();
    assert_eq!(gate(sandbox.directory()), (Some(0), "true\n".to_owned()));
}

/// The envelope that a command answers with.
fn envelope(sandbox: &Sandbox, line: &str) -> (i32, Value) {
    let called = sandbox.call(line);
    (called.status, serde_json::from_slice(&called.stdout).unwrap())
}

/// Every code of the program's table.
fn codes() -> Vec<String> {
    let table = String::from_utf8(empty().succeeds("explain --plain").stdout).unwrap();
    table.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect()
}

/// Holds a document against the type of the record, and its codes against the table.
fn assert_is_envelope(document: &Value, codes: &[String]) {
    let keys: Vec<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["ok", "kind", "data", "issues", "meta"]);
    assert!(document["ok"].is_boolean() && document["kind"].is_string());
    assert!(document["data"].is_object(), "{document}");
    for issue in document["issues"].as_array().unwrap() {
        let code = issue["code"].as_str().unwrap();
        assert!(codes.iter().any(|known| known == code), "{code}");
        assert!(issue["severity"].is_string());
        assert!(issue["message"].is_string() && issue["docHref"].is_string(), "{issue}");
    }
    assert_eq!(document["meta"]["apiVersion"], "1");
    assert!(document["meta"]["cwd"].is_string());
}

#[test]
fn every_answer_is_of_the_type_and_agrees_with_its_exit_status() {
    let codes = codes();
    let scenes: [fn() -> Sandbox; 3] = [clean, broken, empty];
    let mut seen = 0;
    for (sandbox, command) in
        scenes.iter().flat_map(|sandbox| COMMANDS_WITH_JSON_OUTPUT.map(|it| (sandbox, it)))
    {
        let (status, document) = envelope(&sandbox(), &format!("{command} --json"));
        assert_is_envelope(&document, &codes);
        assert_eq!(document["kind"], command);
        assert_eq!(document["ok"], status == 0, "{document}");
        let issues = document["issues"].as_array().unwrap();
        seen += issues.len();
        let has_errors = issues.iter().any(|issue| issue["severity"] == "error");
        assert_eq!(has_errors, status != 0, "{document}");
    }
    assert!(seen > 10, "{seen} issues");
}

#[test]
fn no_golden_file_has_a_code_that_is_not_in_the_table() {
    let codes = codes();
    for entry in fs::read_dir(Path::new(support::PACKAGE).join("tests/golden")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let written = text.lines().filter_map(|line| line.trim().strip_prefix("\"code\": \""));
        let referenced =
            text.lines().filter_map(|line| line.split_once("[i18nprune.")?.1.split_once(']'));
        let referenced = referenced.map(|(rest, _)| format!("i18nprune.{rest}"));
        let written = written.map(|line| line.trim_end_matches(['"', ',']).to_owned());
        for code in written.chain(referenced) {
            assert!(codes.contains(&code), "{code}");
        }
    }
}

#[test]
fn an_issue_leads_to_its_page() {
    let (_, document) = envelope(&broken(), "validate --json");
    for issue in document["issues"].as_array().unwrap() {
        let (owner, what) =
            issue["code"].as_str().unwrap()["i18nprune.".len()..].split_once('.').unwrap();
        let what = what.replace('_', "-");
        assert_eq!(issue["docHref"], format!("https://docs.i18nprune.dev/issues/{owner}#{what}"));
        assert_eq!(issue["docPath"], format!("docs/issues/{owner}"));
    }
}

#[test]
fn no_issue_is_reported_twice() {
    let (_, document) = envelope(&broken(), "validate --json");
    let mut codes: Vec<&str> = document["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["code"].as_str().unwrap())
        .collect();
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), count, "{codes:?}");
    let called = broken().call("validate");
    let stderr = String::from_utf8(called.stderr).unwrap();
    assert_eq!(stderr.matches("missing_literal_keys").count(), 1, "{stderr}");
}

#[test]
fn the_declared_list_is_what_switches_to_json() {
    let sandbox = clean();
    let manifest: Value =
        serde_json::from_slice(&sandbox.succeeds("manifest --output json").stdout).unwrap();
    let help = String::from_utf8(sandbox.succeeds("--help").stdout).unwrap();
    let declared = COMMANDS_WITH_JSON_OUTPUT.join(", ");
    assert!(help.contains(&format!("Commands with JSON output: {declared}\n")), "{help}");
    for command in ["validate", "missing", "sync", "quality", "doctor", "report", "init", "explain"]
    {
        let stdout = sandbox.command(&format!("{command} --json")).output().unwrap().stdout;
        let is_json = serde_json::from_slice::<Value>(&stdout).is_ok();
        assert_eq!(is_json, COMMANDS_WITH_JSON_OUTPUT.contains(&command), "{command}");
        assert!(help.contains(command) && manifest.to_string().contains(command), "{command}");
    }
}

#[test]
fn where_it_is_not_declared_json_changes_nothing() {
    let sandbox = empty();
    let lines = [
        "",
        "explain",
        "explain io.read_failed",
        "explain no.such.code",
        "schema",
        "schema validate",
        "schema no-such-type",
        "manifest",
        "--schema",
        "--manifest",
        "validate --schema",
        "help",
        "help validate",
        "--help",
        "validate --help",
        "--version",
        "frobnicate",
        "valdate",
        "explain --no-such-flag",
        "--no-such-flag",
    ];
    for line in lines {
        let run = |line: &str| sandbox.command(line).output().unwrap();
        let asked = run(&format!("{line} --json"));
        assert_eq!(asked, run(line), "{line}");
        let document = serde_json::from_slice::<Value>(&asked.stdout);
        // The schema of one type is a document for people too, and no envelope.
        assert!(!document.is_ok_and(|document| document.get("ok").is_some()), "{line}");
    }
}

#[test]
fn the_two_contracts_of_a_report_are_different_and_hold_the_same_document() {
    let sandbox = broken();
    sandbox.succeeds("report --format json --out report.json");
    let file = fs::read(sandbox.directory().join("report.json")).unwrap();
    let mut document: Value = serde_json::from_slice(&file).unwrap();
    assert_eq!(document["kind"], "i18nprune.projectReport");
    assert_eq!(document["schemaVersion"], 1);
    assert!(document.get("ok").is_none() && document.get("issues").is_none());
    let (_, mut envelope) = envelope(&sandbox, "report --json");
    assert_eq!(envelope["kind"], "report");
    for document in [&mut document, &mut envelope["data"]["document"]] {
        document["generatedAt"] = Value::Null;
    }
    assert_eq!(envelope["data"]["document"], document);
}

#[test]
fn standard_output_is_one_document_and_progress_is_not_on_it() {
    let called = broken().call("validate --json");
    let mut documents = serde_json::Deserializer::from_slice(&called.stdout).into_iter::<Value>();
    assert!(documents.next().unwrap().is_ok());
    assert!(documents.next().is_none());
    assert_eq!(called.stderr, b"");
}
