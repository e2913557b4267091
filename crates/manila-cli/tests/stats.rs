//! Owns: what `manila stats` tells in every face, what it refuses, and that it loses nothing on the way.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use support::{Call, ESC, Ran, empty_folder, manila, root, words};

fn example() -> PathBuf {
    root().join("docs/example.jsonl")
}

fn stats(line: &str) -> Call {
    let mut call = manila(["stats"].into_iter().chain(line.split_whitespace()));
    call.0.current_dir(root().join("docs"));
    call
}

/// The page without what only a clock knows.
fn timeless(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" from 1 input in ") {
        Some((size, _)) => format!("{size} from 1 input in TIME\n"),
        None => format!("{line}\n"),
    });
    lines.collect()
}

fn golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/stats").join(name);
    if std::env::var_os("MANILA_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
        fs::write(&path, actual).expect("writes");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{name} (MANILA_BLESS=1 writes it anew)");
}

#[test]
fn every_face_is_as_it_was() {
    for (name, line) in [
        ("everything.txt", "example.jsonl"),
        ("everything.html", "--format html example.jsonl"),
        ("everything.plain.txt", "--output plain example.jsonl"),
        ("code.txt", "--by code example.jsonl"),
        ("command-code.csv", "--by command,code --by ok --top 4 --format csv example.jsonl"),
        ("since.txt", "--by hour --since 2026-11-16T15:00 --top 3 example.jsonl"),
        ("storms.txt", "--show storms --window 1h example.jsonl"),
    ] {
        golden(name, &timeless(&stats(line).run().text()));
    }
    let report = stats("--format json example.jsonl").run().text();
    let report: Value = serde_json::from_str(&report).expect("JSON");
    golden("everything.json", &(serde_json::to_string_pretty(&report).expect("JSON") + "\n"));
}

#[test]
fn the_envelope_holds_the_same_report_and_keeps_its_schema() {
    let data = stats("--json example.jsonl").run().data();
    let bare = stats("--format json example.jsonl").run().text();
    assert_eq!(data, serde_json::from_str::<Value>(&bare).expect("JSON"));
    let manifest = words("manifest --json").run().data();
    let mut command = manifest["commands"]["stats"].clone();
    assert!(command.is_object(), "{manifest}");
    let schema = command["output_schema"].take();
    let schema = if schema.is_null() { schema_in(&command) } else { schema };
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&data).map(|it| it.to_string()).collect();
    assert!(errors.is_empty() && schema.is_object(), "{errors:?}");
}

/// The first schema with properties below a description of a command.
fn schema_in(value: &Value) -> Value {
    match value {
        Value::Object(map) if map.contains_key("properties") => value.clone(),
        Value::Object(map) => {
            map.values().map(schema_in).find(|it| !it.is_null()).unwrap_or_default()
        }
        Value::Array(list) => {
            list.iter().map(schema_in).find(|it| !it.is_null()).unwrap_or_default()
        }
        _ => Value::Null,
    }
}

#[test]
fn threads_and_pipes_change_no_figure() {
    let expected = stats("--format json example.jsonl").run().text();
    let mut expected: Value = serde_json::from_str(&expected).expect("JSON");
    let piped =
        stats("--format json -j 3 -").input(fs::read(example()).expect("the example")).text();
    let mut piped: Value = serde_json::from_str(&piped).expect("JSON");
    // Only the name of the input differs.
    for report in [&mut expected, &mut piped] {
        for row in report["storms"]["rows"].as_array_mut().expect("storms") {
            row["longest"]["input"] = json!("log");
        }
    }
    assert_eq!(piped, expected);
}

#[test]
fn a_line_of_a_run_tells_its_program_command_time_and_duration() {
    let folder = empty_folder("stats_of_a_run");
    let log = folder.join("log.jsonl");
    let answer = r#"{"ok":true,"type":"task","data":{"id":7}}"#;
    let before = jiff::Timestamp::now();
    for _ in 0..2 {
        let run = manila(["run", "--no-redirect-store", "--log"])
            .arg(&log)
            .args(&["--", "echo", answer])
            .run();
        assert_eq!(run.code(), 0, "{}", run.err());
    }
    let scanned = manila(["scan", "--json"]).arg(&log).run().data();
    assert_eq!((&scanned["records"], &scanned["bad"]), (&2.into(), &0.into()));
    let data = manila(["stats", "--by", "program,command", "--show", "times", "--json"])
        .arg(&log)
        .run()
        .data();
    let table = &data["tables"][0];
    assert_eq!(table["rows"][0]["values"], json!(["echo", "task"]), "{data}");
    assert_eq!(table["rows"][0]["records"], 2);
    assert_eq!(data["times"]["durations"]["count"], 2);
    let row = &manila(["stats", "--by", "command", "--since", "1h", "--json"])
        .arg(&log)
        .run()
        .data()["tables"][0]["rows"][0];
    assert_eq!((&row["records"], &row["durations"]["count"]), (&2.into(), &2.into()), "{row}");
    let moment =
        |key: &str| row[key].as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
    let (first, last) = (moment("first").expect("a time"), moment("last").expect("a time"));
    // To the millisecond.
    assert!(before.as_millisecond() <= first.as_millisecond() && first <= last, "{row}");
    assert!(last <= jiff::Timestamp::now(), "{row}");
    let tomorrow = (before + jiff::SignedDuration::from_hours(24)).to_string();
    let none = manila(["stats", "--by", "command", "--json", "--since", &tomorrow]).arg(&log).run();
    assert_eq!(none.data()["records"], 0);
}

#[test]
fn what_strangers_write_is_shown_and_not_obeyed() {
    let record = |code: &str| {
        json!({
            "ok": false, "data": null, "error": {"code": code, "message": "m"}, "warnings": [],
            "meta": {"duration_ms": 1},
        })
        .to_string()
    };
    let log = format!("{}\n{}\n", record("\u{1b}[2J<script>"), record("a,\"b\"\nc"));
    for format in ["human", "csv", "html"] {
        let ran = words(&format!("stats --by code --format {format} --color never")).input(&log);
        assert!(!ran.stdout.contains(&ESC), "{format}");
        assert!(format != "html" || !ran.text().contains("<script>"));
    }
    let data = words("stats --by code --json").input(&log).data();
    assert_eq!(data["tables"][0]["rows"][0]["values"][0], "\u{1b}[2J<script>");
}

#[test]
fn what_cannot_be_read_is_told_with_what_could() {
    let folder = empty_folder("stats_unread");
    fs::copy(example(), folder.join("good.jsonl")).expect("copies");
    // The beginning of a packed file, and no end.
    fs::write(folder.join("torn.jsonl.gz"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).expect("writes");
    let call = || manila(["stats", "--by", "code"]).arg(&folder);
    let ran = call().run();
    assert_eq!(ran.code(), 2, "{}", ran.err());
    assert!(
        ran.err().contains("torn.jsonl.gz") && ran.err().contains("INPUT_INCOMPLETE"),
        "{}",
        ran.err()
    );
    assert!(ran.out().contains("RATE_LIMITED"), "{}", ran.out());
    let told = call().args(&["--json"]).run();
    let envelope = told.envelope();
    assert_eq!(envelope["error"]["code"], "INPUT_INCOMPLETE");
    assert_eq!(envelope["meta"]["stats"]["records"], 96, "{envelope}");
    assert_eq!(envelope["meta"]["stats"]["unread"][0]["file"], told_file(&folder));
}

fn told_file(folder: &Path) -> String {
    folder.join("torn.jsonl.gz").display().to_string()
}

#[test]
fn wrong_arguments_are_refused_with_what_is_right() {
    let refused = |line: &str| stats(line).run().refusal(3, "INVALID_VALUE");
    assert!(refused("--by colour example.jsonl").contains("dialect, program, command"));
    assert!(refused("--since yesterday example.jsonl").contains("2026-11-16"));
    assert!(refused("--window 0s example.jsonl").contains("1m"));
    let ran: Ran = stats("--force example.jsonl").run();
    assert_eq!(ran.code(), 3, "--force is about --parquet: {}", ran.err());
    stats("no-such-file").run().refusal(5, "FILE_NOT_FOUND");
}

#[test]
fn an_empty_log_has_an_answer() {
    let log = empty_folder("stats_empty").join("log.jsonl");
    fs::write(&log, "").expect("writes");
    let text = manila(["stats"]).arg(&log).run().text();
    assert!(text.starts_with("0 records, none failed\n"), "{text}");
}

#[test]
fn a_build_without_columns_says_so() {
    if cfg!(feature = "parquet") {
        return support::skipped("this build has columns");
    }
    let text = stats("--parquet columns example.jsonl").run().refusal(4, "NOT_BUILT_IN");
    assert!(text.contains("--features parquet"), "{text}");
    assert!(!root().join("docs/columns").exists());
}
