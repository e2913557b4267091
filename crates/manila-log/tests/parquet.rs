//! Owns: columns hold what the records say, every row once, and a directory is whole or not there.

#![cfg(feature = "parquet")]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila_log::parquet::{COLUMNS, Dataset, Existing, Parquet, Partition, Written};
use manila_log::{Block, Body, Input, Options, Record, Reference, Sink, scan};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const LOG: &str = r#"{"ok":true,"data":{"big":18446744073709551616,"b":[1, 2]},"error":null,"warnings":["slow"],"meta":{"duration_ms":340,"request_id":"r1","timestamp":"2026-11-15T23:59:59.250Z"}}
it broke
{"timestamp":"2026-11-16T10:10:00Z","command":"exec","exit_code":1,"output_format":"json","schema_version":"2.0","error":{"kind":"filesystem","operation":"write","target":"/tmp/out.md","retryable":true,"message":"No such file","hint":"mkdir"}}
{"ok":true,"ok":true,"type":"task","data":{}}
"#;

fn sink(partition: &[Partition]) -> Parquet {
    Parquet { partition: partition.to_vec(), since: None, limits: manila::json::Limits::default() }
}

fn written(log: &str, dir: &Path, existing: Existing, sink: &Parquet) -> io::Result<Written> {
    let body = Body::Stream(Box::new(io::Cursor::new(log.to_owned().into_bytes())));
    let inputs = [Ok(Input { name: "log".into(), body })].into_iter();
    let dataset = Dataset::create(dir, existing, &sink.partition)?;
    scan(inputs, sink, dataset, &Options::default()).ordered.finish()
}

/// Every file below a directory, by its path from there.
fn files(dir: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![dir.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let path = path.strip_prefix(dir).expect("below it");
                found.insert(path.to_str().expect("UTF-8").to_owned());
            }
        }
    }
    found
}

/// The rows of a file: each column that has a value, as text.
fn rows(file: PathBuf) -> Vec<BTreeMap<String, String>> {
    let reader = SerializedFileReader::new(File::open(file).expect("a file")).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    let row = |row: parquet::record::Row| {
        let cells = row.get_column_iter().filter(|(_, field)| **field != Field::Null);
        let cells = cells.map(|(name, field)| {
            (
                name.clone(),
                match field {
                    Field::Str(text) => text.clone(),
                    Field::Bytes(bytes) => bytes.as_utf8().expect("UTF-8").to_owned(),
                    other => other.to_string(),
                },
            )
        });
        cells.collect()
    };
    rows.map(|it| row(it.expect("a row"))).collect()
}

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn a_row_says_what_its_record_says() {
    let dir = temporary();
    let to = dir.path().join("columns");
    let counts = written(LOG, &to, Existing::Keep, &sink(&[Partition::Dialect, Partition::Ok]))
        .expect("written");
    assert_eq!((counts.rows, counts.files, counts.unwritten), (3, 3, 0));
    let names = ["claw%2F2.0/ok=false", "response-envelope%2F1.0/ok=true", "td%2F1/ok=true"];
    let names = names.map(|name| format!("dialect={name}/part-00000.parquet"));
    assert_eq!(files(&to), names.clone().into());
    assert_eq!(fs::read_dir(dir.path()).expect("it").count(), 1, "nothing is left beside it");

    let row = rows(to.join(&names[0])).remove(0);
    let has = |column: &str, value: &str| {
        assert_eq!(row.get(column).map(String::as_str), Some(value), "{column}");
    };
    has("input", "log");
    has("line", "3");
    has("offset", &LOG.find("{\"timestamp").expect("it is there").to_string());
    has("exit", "GENERAL_ERROR");
    has("good", "true");
    has("command", "exec");
    has("code", "filesystem");
    has("operation", "write");
    has("target", "/tmp/out.md");
    has("retryable", "true");
    has("message", "No such file");
    has("suggestion", "mkdir");
    assert!(row["time"].starts_with("2026-11-16 10:10:00"), "{}", row["time"]);
    assert!(!row.contains_key("dialect") && !row.contains_key("ok"), "they are in the path");

    let row = rows(to.join(&names[1])).remove(0);
    assert_eq!(row["data"], r#"{"big":18446744073709551616,"b":[1, 2]}"#);
    assert_eq!((row["duration_ms"].as_str(), row["request_id"].as_str()), ("340", "r1"));
    assert_eq!((row["warnings"].as_str(), row.get("code")), (r#"["slow"]"#, None));

    let row = rows(to.join(&names[2])).remove(0);
    assert_eq!((row["good"].as_str(), row["broken"].as_str()), ("false", "duplicate-key"));
}

#[test]
fn dirs_are_named_after_what_is_asked_for() {
    let dir = temporary();
    let by_date = dir.path().join("by-date");
    written(LOG, &by_date, Existing::Keep, &sink(&[Partition::Date])).expect("written");
    let expected = ["2026-11-15", "2026-11-16", "__HIVE_DEFAULT_PARTITION__"];
    assert_eq!(
        files(&by_date),
        expected.map(|date| format!("date={date}/part-00000.parquet")).into()
    );
    let flat = dir.path().join("flat");
    written(LOG, &flat, Existing::Keep, &sink(&[])).expect("written");
    assert_eq!(files(&flat), ["part-00000.parquet".to_owned()].into());
    let all = rows(flat.join("part-00000.parquet"));
    let dialects: Vec<&str> = all.iter().map(|row| row["dialect"].as_str()).collect();
    assert_eq!(dialects, ["response-envelope/1.0", "claw/2.0", "td/1"], "in the order of the log");
}

#[test]
fn what_is_there_is_not_overwritten() {
    let dir = temporary();
    let to = dir.path().join("columns");
    let sink = sink(&[Partition::Ok]);
    written(LOG, &to, Existing::Keep, &sink).expect("written");
    let before = files(&to);
    let refused = written("", &to, Existing::Keep, &sink).expect_err("it is taken");
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(files(&to), before);
    let replaced = written("", &to, Existing::Replace, &sink).expect("it may go");
    assert_eq!((replaced.rows, files(&to).len()), (0, 0));
    assert_eq!(fs::read_dir(dir.path()).expect("it").count(), 1, "nothing is left beside it");
}

#[test]
fn what_is_no_dataset_is_never_replaced() {
    let dir = temporary();
    fs::create_dir(dir.path().join("ok=true")).expect("a directory");
    fs::write(dir.path().join("ok=true/letter.txt"), "dear").expect("a file");
    let refused =
        written(LOG, dir.path(), Existing::Replace, &sink(&[])).expect_err("it holds more");
    assert_eq!(refused.kind(), io::ErrorKind::DirectoryNotEmpty);
    let file = dir.path().join("ok=true/letter.txt");
    let refused = written(LOG, &file, Existing::Replace, &sink(&[])).expect_err("it is a file");
    assert_eq!(refused.kind(), io::ErrorKind::NotADirectory);
    assert_eq!(fs::read_to_string(file).expect("it is there"), "dear");
}

#[test]
fn what_is_given_up_leaves_nothing() {
    let dir = temporary();
    let to = dir.path().join("columns");
    let dataset = Dataset::create(&to, Existing::Keep, &[]).expect("created");
    assert_eq!(fs::read_dir(dir.path()).expect("it").count(), 1);
    drop(dataset);
    assert_eq!(fs::read_dir(dir.path()).expect("it").count(), 0);
}

#[test]
fn a_name_that_is_taken_meanwhile_is_left() {
    let dir = temporary();
    let to = dir.path().join("columns");
    let dataset = Dataset::create(&to, Existing::Keep, &[]).expect("created");
    fs::create_dir(&to).expect("a directory");
    fs::write(to.join("theirs"), "x").expect("a file");
    let refused = dataset.finish().expect_err("it is taken");
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(files(&to), ["theirs".to_owned()].into());
}

/// Delivers the same large record again and again, far more than may wait in memory.
#[test]
fn many_row_groups_lose_no_row_and_keep_their_order() {
    let dir = temporary();
    let to = dir.path().join("columns");
    let sink = sink(&[Partition::Ok]);
    let mut dataset = Dataset::create(&to, Existing::Keep, &sink.partition).expect("created");
    let mut judge = Reference::default();
    let text = "x".repeat(1 << 20);
    for number in 0..60u64 {
        let bytes = format!(r#"{{"schema":"animus.cli.v1","ok":true,"data":"{number}{text}"}}"#);
        let mut chunk = <Parquet as Sink>::Chunk::default();
        let verdict = judge.judge(bytes.as_bytes());
        let record = Record { bytes: bytes.as_bytes(), input: 0, offset: 0, line: 0, verdict };
        sink.record(&mut (), &mut chunk, &record);
        let block = Block { input: 0, name: "log".into(), first_line: number + 1 };
        assert!(sink.deliver(&mut dataset, chunk, &block).is_continue());
    }
    let counts = dataset.finish().expect("written");
    assert_eq!((counts.rows, counts.files), (60, 1));
    let file = to.join("ok=true/part-00000.parquet");
    let reader = SerializedFileReader::new(File::open(&file).expect("a file")).expect("Parquet");
    assert!(reader.num_row_groups() >= 2, "{} row groups", reader.num_row_groups());
    let lines: Vec<String> = rows(file).into_iter().map(|row| row["line"].clone()).collect();
    assert_eq!(lines, (1..=60).map(|line| line.to_string()).collect::<Vec<_>>());
}

#[test]
fn many_days_need_no_more_open_files_than_some() {
    let dir = temporary();
    let to = dir.path().join("columns");
    let day = |number: u32| format!("2026-{:02}-{:02}", 1 + number / 28, 1 + number % 28);
    let line = |number: u32| {
        format!(
            r#"{{"timestamp":"{}T00:00:00Z","command":"c","exit_code":0,"output_format":"json","schema_version":"2.0","n":{number}}}"#,
            day(number)
        )
    };
    let log: Vec<String> = (0..100).map(line).collect();
    let counts =
        written(&log.join("\n"), &to, Existing::Keep, &sink(&[Partition::Date])).expect("written");
    assert_eq!((counts.rows, counts.files), (100, 100));
    let expected: BTreeSet<_> =
        (0..100).map(|it| format!("date={}/part-00000.parquet", day(it))).collect();
    assert_eq!(files(&to), expected);
}

#[test]
fn only_what_is_late_enough_has_a_row() {
    let dir = temporary();
    let to = dir.path().join("columns");
    let since = Some("2026-11-16T00:00:00Z".parse().expect("a time"));
    let counts =
        written(LOG, &to, Existing::Keep, &Parquet { since, ..sink(&[]) }).expect("written");
    assert_eq!(counts.rows, 1);
}

#[test]
fn the_documentation_has_every_column() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/logs.md");
    let page = fs::read_to_string(page).expect("the page");
    for column in COLUMNS {
        let kind = match column.of {
            manila_log::parquet::Type::Text => "text",
            manila_log::parquet::Type::Json => "JSON",
            manila_log::parquet::Type::Flag => "boolean",
            manila_log::parquet::Type::Number => "64-bit integer",
            manila_log::parquet::Type::Time => "timestamp in UTC, milliseconds",
        };
        let null = if column.is_required { "no" } else { "yes" };
        let row = format!("| `{}` | {kind} | {null} | {} |", column.name, column.meaning);
        assert!(page.contains(&row), "the page lacks: {row}");
    }
    let listed =
        page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
    assert_eq!(listed.count(), COLUMNS.len(), "the page has columns that are none");
}
