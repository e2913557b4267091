//! Owns: partial results of `manila stats` join to the bytes of one pass, and nothing wrong is joined or written over.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use support::{Call, empty_dir, manila, root};

/// The example in three parts, cut at lines.
fn logs(dir: &Path) -> Vec<String> {
    let example = fs::read_to_string(root().join("docs/example.jsonl")).expect("a log");
    let lines: Vec<&str> = example.split_inclusive('\n').collect();
    let parts = lines.chunks(lines.len() / 3 + 1).enumerate().map(|(number, part)| {
        let name = format!("log{number}.jsonl");
        fs::write(dir.join(&name), part.concat()).expect("writes");
        name
    });
    parts.collect()
}

fn stats(dir: &Path, words: &[&str]) -> Call {
    let mut call = manila(["stats"]).args(words);
    call.0.current_dir(dir);
    call
}

/// Makes a part of each log, with these options.
fn parts(dir: &Path, logs: &[String], options: &[&str]) -> Vec<String> {
    let part = |log: &String| {
        let name = format!("{log}.part");
        let words = [&["--partial", &name], options, &[log.as_str()]].concat();
        let said = stats(dir, &words).run().text();
        assert!(said.starts_with(&format!("{name}: ")), "{said}");
        name
    };
    logs.iter().map(part).collect()
}

fn words<'a>(options: &[&'a str], files: &'a [String]) -> Vec<&'a str> {
    options.iter().copied().chain(files.iter().map(String::as_str)).collect()
}

#[test]
fn parts_join_to_the_bytes_of_one_pass() {
    let dir = empty_dir("stats_parts");
    let logs = logs(&dir);
    for options in [
        &[][..],
        &["--by", "command,code", "--by", "hour"],
        &["--show", "storms", "--window", "1h"],
        &["--since", "2026-11-16T12:00:00Z", "--distinct", "2"],
    ] {
        let parts = parts(&dir, &logs, options);
        for format in ["json", "csv"] {
            let one =
                stats(&dir, &words(&[options, &["--format", format]].concat(), &logs)).run().text();
            let joined = stats(&dir, &words(&["--merge", "--format", format], &parts)).run().text();
            assert_eq!(joined, one, "{options:?}");
        }
    }
}

#[test]
fn a_part_on_stdout_is_the_part_in_a_file() {
    let dir = empty_dir("stats_parts_stdout");
    let logs = logs(&dir);
    let parts = parts(&dir, &logs[..1], &[]);
    let kept = fs::read_to_string(dir.join(&parts[0])).expect("a part");
    assert_eq!(stats(&dir, &["--partial", "-", &logs[0]]).run().text(), kept);
    let enveloped = stats(&dir, &["--json", "--partial", "-", &logs[0]]).run().envelope();
    assert_eq!(enveloped["data"]["partial"]["schema"], "manila-stats-partial/1");
}

#[test]
fn what_is_no_part_is_neither_joined_nor_replaced() {
    let dir = empty_dir("stats_parts_bad");
    let logs = logs(&dir);
    let good = parts(&dir, &logs[..1], &[]);
    let merge = |file: &str| stats(&dir, &["--json", "--merge", &good[0], file]).run();
    merge("missing.part").error(5, "FILE_NOT_FOUND");
    merge(&logs[0]).error(3, "INVALID_VALUE");
    let other = parts(&dir, &logs[1..2], &["--by", "ok"]);
    merge(&other[0]).error(3, "INVALID_VALUE");
    let kept = fs::read(dir.join(&logs[1])).expect("a log");
    stats(&dir, &["--json", "--partial", &logs[1], &logs[0]]).run().error(6, "WOULD_OVERWRITE");
    assert_eq!(fs::read(dir.join(&logs[1])).expect("a log"), kept);
    // A part with a gap would make a wrong whole.
    stats(&dir, &["--json", "--partial", "gap.part", &logs[0], "missing.jsonl"])
        .run()
        .error(2, "INPUT_INCOMPLETE");
    assert!(!dir.join("gap.part").exists());
}

#[test]
fn a_cluster_of_processes_reports_what_one_pass_does() {
    let Some(python) = support::python_with("dask.distributed") else {
        return support::skipped("no Python has dask.distributed; .ci/toolchains installs it");
    };
    let dir = empty_dir("stats_parts_cluster");
    let logs = logs(&dir);
    let bin = Path::new(env!("CARGO_BIN_EXE_manila")).parent().expect("a directory");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut script = Command::new(&python);
    script.arg(root().join("docs/recipes/partitioned.py")).args(&logs);
    let output = script.env("PATH", path).current_dir(&dir).output().expect("python");
    let one = stats(&dir, &words(&["--format", "json"], &logs)).run().text();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), one, "{said}");
}
