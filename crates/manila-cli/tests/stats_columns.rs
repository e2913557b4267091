//! Owns: `manila stats --parquet`, and that `DuckDB` answers the same question the same way.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use support::{Call, empty_dir, manila, root, skipped};

fn stats(dir: &Path, line: &str) -> Call {
    let mut call = manila(["stats"].into_iter().chain(line.split_whitespace()));
    call.0.arg(root().join("docs/example.jsonl")).current_dir(dir);
    call
}

#[test]
fn columns_are_written_beside_the_tables_and_never_over_others() {
    if !cfg!(feature = "parquet") {
        return skipped("built without the feature parquet");
    }
    let dir = empty_dir("stats_columns");
    let data = stats(&dir, "--by code --parquet columns --json").run().data();
    assert_eq!(data["parquet"]["rows"], data["records"]);
    assert_eq!(data["parquet"]["files"], 4);
    assert!(dir.join("columns/dialect=claw%2F2.0/ok=false/part-00000.parquet").is_file());
    let refused = stats(&dir, "--by code --parquet columns").run().refusal(6, "WOULD_OVERWRITE");
    assert!(refused.contains("--force"), "{refused}");
    stats(&dir, "--by code --parquet columns --force --partition-by date").run().text();
    assert!(dir.join("columns/date=2026-11-16/part-00000.parquet").is_file());
    assert!(!dir.join("columns/dialect=claw%2F2.0").exists());
    fs::write(dir.join("columns/letter.txt"), "dear").expect("writes");
    stats(&dir, "--by code --parquet columns --force").run().refusal(4, "FILE_UNWRITABLE");
    assert!(dir.join("columns/letter.txt").is_file());
}

#[test]
fn duckdb_answers_what_stats_answers() {
    if !cfg!(feature = "parquet") {
        return skipped("built without the feature parquet");
    }
    let dir = empty_dir("stats_duckdb");
    let tables = stats(&dir, "--by code --format csv --parquet columns").run().text();
    // The columns that the question on the page asks for.
    let picked = tables.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[1], cells[2], cells[3], cells[4], cells[9]].join(",")
    });
    let picked: Vec<String> = picked.collect();
    assert!(picked.len() >= 4, "{tables}");
    let page = fs::read_to_string(root().join("docs/logs.md")).expect("the page");
    let question = page.split("```sql\n").nth(1).and_then(|rest| rest.split("```").next());
    let Some(answer) = ask_duckdb(&dir, question.expect("a question")) else {
        return skipped(
            "neither a Python with duckdb nor `duckdb`; .ci/toolchains installs the first",
        );
    };
    let answer: Vec<&str> = answer.lines().skip(1).collect();
    assert_eq!(answer, picked);
}

/// What `DuckDB` answers, as comma-separated values with a header, if it is there.
fn ask_duckdb(dir: &Path, question: &str) -> Option<String> {
    const PYTHON: &str = "
import sys, csv, duckdb
connection = duckdb.connect()
cursor = connection.execute(sys.argv[1])
rows = csv.writer(sys.stdout, lineterminator='\\n')
rows.writerow(column[0] for column in cursor.description)
rows.writerows(cursor.fetchall())
";
    let mut command = if let Some(python) = support::python_with("duckdb") {
        let mut command = Command::new(python);
        command.args(["-c", PYTHON, question]);
        command
    } else {
        let mut command = Command::new("duckdb");
        command.args(["-csv", "-c", question]);
        command
    };
    let output = command.current_dir(dir).output().ok()?;
    let (text, errors) =
        (String::from_utf8(output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    Some(text.expect("UTF-8"))
}
