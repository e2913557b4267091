//! Owns: what `--format json` writes is a versioned document of the schema that `manila schema report` prints, and
//! no envelope repeats it in `meta`.

mod support;

use serde_json::Value;
use std::fs;
use support::{Ran, empty_dir, manila, root, words};

const GOOD: &str = "{\"ok\":true,\"type\":\"task\",\"data\":{\"id\":7}}\n";
const BAD: &str = "{\"ok\":true,\"type\":\"task\",\"data\":null}\n";

/// The command with these arguments, once for the report and once for the envelope.
fn both(line: &str) -> [Ran; 2] {
    let call = |format: &[&str]| {
        let mut call = words(line).args(format);
        call.0.current_dir(root());
        call.run()
    };
    [call(&["--format", "json"]), call(&["--json"])]
}

#[test]
fn every_report_is_a_document_of_the_schema_that_is_printed() {
    let dir = empty_dir("reports");
    let log = dir.join("log.jsonl");
    fs::write(&log, format!("{GOOD}{BAD}")).expect("writes");
    let lock = fs::read_to_string(root().join("manila.lock")).expect("the lock");
    let [old, new] = ["old.lock", "new.lock"].map(|name| dir.join(name));
    fs::write(&old, &lock).expect("writes");
    fs::write(&new, &lock).expect("writes");
    let run = root().join("crates/manila/tests/seeds/td-not-found");
    let (log, old, new) = (log.display(), old.display(), new.display());
    let calls = [
        ("scan", "manila-scan/1", format!("scan {log}")),
        ("stats", "manila-stats/1", format!("stats {log}")),
        ("stats", "manila-stats/1", format!("stats {log} no-such-file")),
        ("check", "manila-report/1", format!("check --run {}", run.display())),
        ("diff", "manila-comparison/1", format!("diff {old} {new}")),
        ("packs check", "manila-lint/1", "packs check packs/git/pack.toml".to_owned()),
        ("dialects check", "manila-lint/1", "dialects check docs/examples/acme.toml".to_owned()),
    ];
    for (command, version, line) in calls {
        let schema = manila(["schema", "report", "--command", command]).run().text();
        let schema: Value = serde_json::from_str(&schema).expect("a schema");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let [report, envelope] = both(&line);
        let (status, report) = (report.code(), report.report());
        let errors: Vec<_> = validator.iter_errors(&report).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?} in {report}");
        assert_eq!(report["schema"], version, "{line}");
        let envelope = envelope.envelope();
        // A success has it as its data, a failure the counts in its error.
        if status == 0 {
            assert_eq!(envelope["data"]["schema"], version, "{line}: {envelope}");
        } else {
            let detail = envelope["error"]["detail"].as_str().unwrap_or_default();
            assert!(detail.starts_with(|it: char| it.is_ascii_digit()), "{line}: {envelope}");
        }
        let repeated = envelope["meta"].to_string();
        assert!(!repeated.contains(version), "{line}: {envelope}");
    }
}

#[test]
fn a_command_without_a_report_is_refused_with_those_that_have_one() {
    let error = words("schema report --command verfy --json").run().error(3, "INVALID_VALUE");
    assert!(error["suggestion"].as_str().is_some_and(|it| it.contains("verify")), "{error}");
    words("schema report --command open").run().refusal(3, "INVALID_VALUE");
}
