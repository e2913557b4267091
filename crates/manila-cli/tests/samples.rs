//! Owns: every sample answer of every dialect, through `manila run` with its dialect named, is what its
//! authors meant.
#![cfg(unix)]

mod support;

use manila::{Transcript, every_dialect};
use std::fs;
use std::path::Path;
use support::{manila, root};

/// Writes both streams and ends with a status.
const SCRIPT: &str = r#"cat "$0/stdout"; cat "$0/stderr" >&2; exit "$1""#;

fn read(sample: &Path, name: &str) -> Vec<u8> {
    fs::read(sample.join(name)).unwrap_or_default()
}

#[test]
fn every_sample_is_settled_as_its_authors_meant_it() {
    let dir = root().join("crates/manila/tests/samples");
    let mut tried = 0;
    for dialect in every_dialect() {
        let name = dialect.id().split('/').next().unwrap_or_default();
        let Ok(table) = fs::read_to_string(dir.join(name).join("readings.tsv")) else {
            continue;
        };
        for line in table.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [sample, ok, class, code, ..] = fields[..] else { panic!("{line}") };
            let sample = dir.join(name).join(sample);
            let (stdout, stderr) = (read(&sample, "stdout"), read(&sample, "stderr"));
            let run = Transcript::from_recorded(&read(&sample, "run.json"), stdout, stderr);
            let status = run.expect("a recorded run").status.code().unwrap_or_default();
            let call = manila(["run", "--json", "--retries", "0", "--max-attempts", "1"]);
            let call = call.args(&["--no-redirect-store", "--dialect", dialect.id(), "--"]);
            let call = call.args(&["sh", "-c", SCRIPT]).arg(&sample).arg(status.to_string());
            let answer = call.run().envelope();
            let place = format!("{}: {answer}", sample.display());
            if ok == "-" {
                assert_eq!(answer["ok"], false, "{place}");
            } else {
                assert_eq!(answer["ok"].to_string(), ok, "{place}");
                assert_eq!(answer["meta"]["run"]["class"], class, "{place}");
            }
            if ok == "false" && code != "EXPLICIT_FAILURE" {
                assert_eq!(answer["error"]["code"], code, "{place}");
            }
            tried += 1;
        }
    }
    assert!(tried >= 150, "{tried}");
}
