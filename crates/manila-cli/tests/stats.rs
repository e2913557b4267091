//! Owns: what `manila stats` reports in every format, what it rejects, and that it loses nothing on
//! the way.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use serde_json::{Value, json};
use showcase_test_support::assert_golden;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use support::{Call, ESC, Ran, empty_dir, manila, root, words};

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
    assert_golden(&path, actual);
}

#[test]
fn every_face_is_as_it_was() {
    for (name, line) in [
        ("everything.txt", "example.jsonl"),
        ("everything.plain.txt", "--output plain example.jsonl"),
        ("code.txt", "--by code example.jsonl"),
        ("command-code.csv", "--by command,code --by ok --top 4 --format csv example.jsonl"),
        ("since.txt", "--by hour --since 2026-11-16T15:00 --top 3 example.jsonl"),
        ("storms.txt", "--show storms --window 1h example.jsonl"),
    ] {
        golden(name, &timeless(&stats(line).run().text()));
    }
}

/// The report of the example, as JSON.
fn report() -> Value {
    let report = stats("--format json example.jsonl").run().text();
    serde_json::from_str(&report).expect("JSON")
}

#[test]
fn the_report_has_the_figures_of_the_page() {
    let report = report();
    let keys: BTreeSet<_> = report.as_object().expect("an object").keys().cloned().collect();
    let expected = "schema inputs bytes records good failures failure_rate unreadable times tables storms \
                    drift unread unfinished";
    let expected: BTreeSet<_> = expected.split_whitespace().map(str::to_owned).collect();
    assert_eq!(keys, expected);
    let counts = ["inputs", "records", "good", "failures", "unreadable", "unfinished"];
    assert_eq!(counts.map(|key| report[key].clone()), [1, 96, 96, 21, 1, 0].map(Value::from));
    assert_eq!(report["bytes"], fs::metadata(example()).expect("the example").len());
    assert_eq!((&report["failure_rate"], &report["unread"]), (&json!(0.2188), &json!([])));
    let durations = json!({"count": 53, "mean": 75, "p50": 54, "p90": 147, "p99": 359, "max": 360});
    assert_eq!(report["times"]["durations"], durations);
    let tables: Vec<_> = report["tables"].as_array().expect("tables").iter().collect();
    let sizes: Vec<_> = tables
        .iter()
        .map(|it| (it["by"][0].as_str().unwrap_or_default(), it["rows"].as_array().map(Vec::len)))
        .collect();
    let expected = [
        ("dialect", 2),
        ("program", 1),
        ("command", 6),
        ("ok", 2),
        ("exit", 4),
        ("code", 4),
        ("operation", 2),
        ("target", 3),
        ("retryable", 2),
    ];
    assert_eq!(sizes, expected.map(|(by, rows)| (by, Some(rows))));
    assert_eq!(
        *tables[1],
        json!({
            "by": ["program"],
            "rows": [{
                "values": ["td"], "records": 53, "share": 0.5521, "failures": 8,
                "failure_rate": 0.1509, "durations": durations,
                "first": "2026-11-16T06:07:30Z", "last": "2026-11-16T17:52:30Z",
            }],
            "more": 0, "other": 0, "without": 43,
        })
    );
    let storm = &report["storms"]["rows"][0];
    assert_eq!((&storm["command"], &storm["code"]), (&json!("exec-tool"), &json!("mcp")));
    assert_eq!((&storm["repeats"], &storm["longest"]["line"]), (&json!(7), &json!(41)));
    let drift = &report["drift"]["rows"][0];
    assert_eq!(drift["name"], "response-envelope/1.0 data.owner: text");
    assert_eq!((&drift["change"], &drift["records"]), (&json!("appeared"), &json!(20)));
}

#[test]
fn the_html_page_shows_every_row_of_the_report_and_loads_nothing() {
    let page = stats("--format html example.jsonl").run().text();
    let mut rows = 0;
    for table in report()["tables"].as_array().expect("tables") {
        let by = table["by"][0].as_str().expect("a name");
        let (_, rest) = page.split_once(&format!("<h2>By {by}</h2>")).expect(by);
        let shown = rest.split_once("</table>").expect("its end").0;
        for row in table["rows"].as_array().expect("rows") {
            let value = row["values"][0].as_str().expect("a value");
            let line = shown.split("</tr>").find(|line| line.contains(&format!(">{value}</td>")));
            let records = format!("<td class=\"n\">{}</td>", row["records"]);
            assert!(line.is_some_and(|line| line.contains(&records)), "{by} {value}: {shown}");
            rows += 1;
        }
    }
    assert_eq!(rows, 26);
    assert!(page.contains("<h2>Storms") && page.contains(">example.jsonl:41<"), "{page}");
    assert!(page.contains("<h2>Drift") && page.contains("data.owner: text<"), "{page}");
    for word in ["<script", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
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
    let dir = empty_dir("stats_of_a_run");
    let log = dir.join("log.jsonl");
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
fn program_text_is_shown_and_not_obeyed() {
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
fn what_cannot_be_read_is_reported_with_what_could() {
    let dir = empty_dir("stats_unread");
    fs::copy(example(), dir.join("good.jsonl")).expect("copies");
    // The beginning of a packed file, and no end.
    fs::write(dir.join("torn.jsonl.gz"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).expect("writes");
    let call = || manila(["stats", "--by", "code"]).arg(&dir);
    let ran = call().run();
    assert_eq!(ran.code(), 2, "{}", ran.err());
    assert!(
        ran.err().contains("torn.jsonl.gz") && ran.err().contains("INPUT_INCOMPLETE"),
        "{}",
        ran.err()
    );
    assert!(ran.out().contains("RATE_LIMITED"), "{}", ran.out());
    let ran = call().args(&["--json"]).run();
    let envelope = ran.envelope();
    assert_eq!(envelope["error"]["code"], "INPUT_INCOMPLETE");
    let detail = envelope["error"]["detail"].as_str().expect("counts");
    assert!(detail.starts_with("96 counted, ") && detail.ends_with(", 1 unread"), "{detail}");
    let report = call().args(&["--format", "json"]).run().failed_report(2, "INPUT_INCOMPLETE").0;
    assert_eq!((&report["schema"], &report["records"]), (&"manila-stats/1".into(), &96.into()));
    assert_eq!(report["unread"][0]["file"], torn_file(&dir));
}

fn torn_file(dir: &Path) -> String {
    dir.join("torn.jsonl.gz").display().to_string()
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
    let log = empty_dir("stats_empty").join("log.jsonl");
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
