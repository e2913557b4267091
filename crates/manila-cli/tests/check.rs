//! Owns: `manila check` on recorded runs, and everything it writes.

#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use support::{Ran, empty_dir, manila, seed};

const LIE: &str = r#"{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"no \u001b[2Jsuch"},"warnings":[],"meta":{"duration_ms":1}}"#;
const FORMATS: [&str; 7] = ["human", "json", "sarif", "junit", "github", "markdown", "html"];

/// A recorded run that says that it failed and ended with 0.
fn lie(dir: &Path) -> PathBuf {
    let run = dir.join("lie");
    fs::create_dir_all(&run).expect("a directory");
    let about = json!({ "argv": ["notes", "show", "7", "--json"], "exit_code": 0 });
    fs::write(run.join("run.json"), about.to_string()).expect("writes");
    fs::write(run.join("stdout"), LIE).expect("writes");
    fs::write(run.join("stderr"), "").expect("writes");
    run
}

fn check(dir: &Path, more: &[&str]) -> Ran {
    let mut call = manila(["check", "--select", "failure-with-exit-zero"]).args(more);
    call.0.current_dir(dir);
    call.arg("--run").arg(dir).run()
}

#[test]
fn a_lie_is_pointed_at_and_the_status_says_so() {
    let dir = empty_dir("check-lie");
    lie(&dir);
    let ran = check(&dir, &[]);
    assert_eq!(ran.code(), 100);
    let text = ran.out();
    assert!(text.contains("error[failure-with-exit-zero]"), "{text}");
    assert!(text.contains("--> notes show 7 --json"), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.contains("stdout, bytes 6..11")).expect("a place");
    let caret = lines[at + 2].find('^').expect("a caret");
    assert_eq!(&lines[at + 1][caret..caret + 5], "false");
    assert!(ran.err().starts_with("error[DOES_NOT_CONFORM]: "), "{}", ran.err());
}

#[test]
fn the_envelope_has_the_counts_and_the_rules_in_its_error() {
    let dir = empty_dir("check-envelope");
    lie(&dir);
    let ran = check(&dir, &["--json"]);
    let envelope = ran.envelope();
    assert_eq!((ran.code(), &envelope["ok"]), (100, &false.into()));
    assert_eq!(envelope["error"]["code"], "DOES_NOT_CONFORM");
    assert_eq!(envelope["error"]["message"], "1 rule failed: failure-with-exit-zero");
    assert_eq!(envelope["error"]["detail"], "0 passed, 1 failed, 0 undecided");
    assert_eq!(envelope["meta"]["report"], Value::Null);
}

#[test]
fn the_report_is_a_document_of_its_own() {
    let dir = empty_dir("check-report");
    lie(&dir);
    let ran = check(&dir, &["--format", "json"]);
    let report: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!((ran.code(), &report["schema"]), (100, &"manila-report/1".into()));
    assert_eq!(report["conforms"], false);
    let finding = &report["rules"][0]["findings"][0];
    assert_eq!(finding["excerpt"]["stream"], "stdout");
    let fingerprint = finding["fingerprint"].as_str().expect("a fingerprint");
    assert!(fingerprint.starts_with("failure-with-exit-zero:"), "{fingerprint}");
    assert!(fingerprint.ends_with("/lie"), "{fingerprint}");
    let schema = manila(["schema", "report"]).run().text();
    let schema: Value = serde_json::from_str(&schema).expect("a schema");
    let keys = |value: &Value| -> Vec<String> {
        let mut keys: Vec<String> = value.as_object().expect("an object").keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(&schema["properties"]), keys(&report));
}

#[test]
fn what_conforms_is_a_success_with_the_report_as_data() {
    let dir = empty_dir("check-fine");
    let run = seed("response-envelope-success");
    let mut call = manila(["check", "--select", "status", "--json", "--run"]).arg(&run);
    call.0.current_dir(&dir);
    let data = call.run().data();
    assert_eq!((&data["conforms"], &data["summary"]["probes"]), (&true.into(), &1.into()));
}

#[test]
fn the_bar_is_the_callers() {
    let dir = empty_dir("check-bar");
    lie(&dir);
    assert_eq!(check(&dir, &["--fail-on", "error"]).code(), 100);
    assert_eq!(check(&dir, &["--ignore", "status"]).code(), 100, "a rule that is named is asked");
    let undecided = ["--select", "truncated-document"];
    let strict = |more: &[&str]| check(&dir, &[&undecided[..], more].concat()).out();
    assert!(!strict(&["--strict", "--plain"]).is_empty());
}

#[test]
fn every_format_is_written_whole_and_the_summary_is_shown() {
    let dir = empty_dir("check-formats");
    lie(&dir);
    for format in FORMATS {
        let file = dir.join(format!("report.{format}"));
        let name = file.to_str().expect("UTF-8");
        let ran = check(&dir, &["--format", format, "-o", name]);
        assert_eq!(ran.code(), 100, "{format}");
        assert!(ran.out().contains("written    "), "{}", ran.out());
        let written = fs::read_to_string(&file).expect("a file");
        let printed = check(&dir, &["--format", format]).out();
        assert_eq!(written, printed, "{format}");
        assert!(written.contains("failure-with-exit-zero"), "{format}");
        assert!(!written.contains('\u{1b}'), "{format}");
    }
    let names: Vec<_> = fs::read_dir(&dir).expect("a directory").collect();
    assert_eq!(names.len(), FORMATS.len() + 1, "nothing else is left");
}

#[test]
fn a_file_that_cannot_be_written_is_reported() {
    let dir = empty_dir("check-unwritable");
    lie(&dir);
    let file = dir.join("no/such/directory/report.html");
    let ran = check(&dir, &["--format", "html", "-o", file.to_str().expect("UTF-8")]);
    ran.refusal(4, "FILE_UNWRITABLE");
}

#[test]
fn the_map_of_the_specification_has_a_score() {
    let dir = empty_dir("check-spec");
    lie(&dir);
    let text = check(&dir, &["--spec"]).out();
    assert!(text.contains("0   1 Exit Codes & Status Signaling (critical)"), "{text}");
    assert!(text.contains("failed failure-with-exit-zero"), "{text}");
    let spec = check(&dir, &["--spec", "--format", "json"]);
    let spec: Value = serde_json::from_slice(&spec.stdout).expect("JSON");
    assert_eq!(spec["modes"].as_array().map(Vec::len), Some(74));
    assert_eq!((&spec["total"], &spec["scored"]), (&0.into(), &2.into()));
    let table = check(&dir, &["--spec", "--format", "markdown"]).out();
    assert!(table.contains("| 0 | 1 | Exit Codes & Status Signaling | critical |"), "{table}");
}

#[test]
fn a_dir_of_runs_is_read_to_its_depths() {
    let dir = empty_dir("check-deep");
    for below in ["b/c", "a", "d/e/f"] {
        lie(&dir.join(below));
    }
    let report = check(&dir, &["--format", "json"]);
    let report: Value = serde_json::from_slice(&report.stdout).expect("JSON");
    let names: Vec<&str> =
        report["subject"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(names.len(), 3);
    assert!(names.is_sorted() && names[0].ends_with("a/lie"), "{names:?}");
}

#[test]
fn without_a_program_it_says_what_to_do() {
    let dir = empty_dir("check-nothing");
    let mut call = manila(["check"]);
    call.0.current_dir(&dir);
    let text = call.run().refusal(3, "NOTHING_TO_CHECK");
    assert!(text.contains("manila check -- PROGRAM"), "{text}");
}

#[test]
fn every_rule_is_listed_and_explained() {
    let rules = manila(["check", "--list", "--json"]).run().data();
    let rules = rules["rules"].as_array().expect("a list").clone();
    assert!(!rules.is_empty());
    for rule in rules {
        let id = rule["id"].as_str().expect("an id");
        let page = manila(["explain", id]).run().text();
        assert!(page.starts_with(&format!("# {id}\n")), "{page}");
        assert!(page.contains("## Why it matters") && page.contains("## How to waive it"), "{id}");
    }
}
