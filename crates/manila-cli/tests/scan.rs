//! Owns: what `manila scan` finds, how it reports it in every format, and which files it writes.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use serde_json::{Value, json};
use showcase_test_support::assert_golden;
use std::fs;
use std::path::{Path, PathBuf};
use support::{Call, RATE_LIMITED, Ran, SUCCESS, empty_dir, manila, validator, words};

const TD: &str = r#"{"ok":true,"type":"task","data":{"id":7}}"#;
const NULL_DATA: &str = r#"{"ok":true,"type":"task","data":null}"#;
const WRONG_TYPE: &str = r#"{"ok":false,"data":null,"error":{"code":"X","message":"no","retryable":"yes"},"warnings":[],"meta":{"duration_ms":6}}"#;

/// A log with good and bad records, on lines that end in every way there is.
fn log() -> Vec<u8> {
    [
        SUCCESS.as_bytes(),
        b"\n",
        NULL_DATA.as_bytes(),
        b"\r\n\n",
        WRONG_TYPE.as_bytes(),
        b"\n",
        RATE_LIMITED.as_bytes(),
        b"\nprose with a \x1b[31mcolour\n",
        b"{\"ok\":true,\"data\":\"\xff\"}\n",
        b"{\n  \"ok\": true,\n  \"type\": \"task\",\n  \"data\": null\n}\n",
        b"{\"ok\":true,\"data\":\"\0\"}\n",
        TD.as_bytes(),
        TD.as_bytes(),
        b"\n{\"ok\":true,\"data\":{\"id",
    ]
    .concat()
}

/// A directory with the log in it, and what is to be called there.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let dir = empty_dir(name);
        fs::write(dir.join("log.jsonl"), log()).expect("writes");
        Place(dir)
    }

    fn scan(&self, line: &str) -> Call {
        let mut call = manila(["scan"].into_iter().chain(line.split_whitespace()));
        call.0.current_dir(&self.0);
        call
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("it is there")
    }
}

/// The page without what only a clock knows.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.split_once(" in ") {
        Some((before, after)) if after.ends_with("/s") => format!("{before} in TIME"),
        _ => line.to_owned(),
    };
    text.lines().map(|it| line(it) + "\n").collect()
}

fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/scan").join(name);
    assert_golden(&path, text);
}

fn both(ran: &Ran) -> String {
    format!("{}--- standard error\n{}", timeless(&ran.out()), ran.err())
}

#[test]
fn the_page_for_people() {
    let place = Place::new("scan_page");
    let ran = place.scan("log.jsonl").run();
    assert_eq!(ran.code(), 100);
    golden("page.txt", &both(&ran));
    let ran = place.scan("log.jsonl --limit 2 --select wrong-type,null-out-of-place").run();
    golden("limited.txt", &both(&ran));
    golden("plain.txt", &both(&place.scan("log.jsonl --plain").run()));
    fs::write(place.0.join("good.jsonl"), format!("{SUCCESS}\n{TD}\n")).expect("writes");
    let ran = place.scan("good.jsonl").run();
    golden("good.txt", &timeless(&ran.text()));
}

#[test]
fn the_faces_for_programs() {
    let place = Place::new("scan_faces");
    let pretty = |text: &str| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        format!("{value:#}\n")
    };
    golden("report.json", &pretty(&place.scan("log.jsonl --format json").run().out()));
    let lines = place.scan("log.jsonl --format jsonl").run();
    assert_eq!(lines.code(), 100);
    let report: Value =
        serde_json::from_slice(&place.scan("log.jsonl --format json").run().stdout).expect("JSON");
    let listed: Vec<Value> =
        lines.out().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(Value::Array(listed), report["violations"]);
}

#[test]
fn sarif_names_every_rule_and_points_at_each_violation() {
    let place = Place::new("scan_sarif");
    let ran = place.scan("log.jsonl --format sarif --limit 3").run();
    let log: Value = serde_json::from_str(&ran.out()).expect("JSON");
    assert_eq!((&log["version"], log["runs"].as_array().map(Vec::len)), (&"2.1.0".into(), Some(1)));
    let run = &log["runs"][0];
    let rules: Vec<_> = manila_log::RULES.iter().map(|rule| rule.id()).collect();
    let listed = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert_eq!(listed.iter().map(|rule| &rule["id"]).collect::<Vec<_>>(), rules);
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index"));
        assert_eq!(rules[index.expect("a small one")], result["ruleId"]);
    }
    assert_eq!(
        results[0],
        json!({
            "ruleId": "null-out-of-place",
            "ruleIndex": 15,
            "level": "error",
            "message": {
                "text": "data: A key holds null where the dialect wants a value or no key at all.",
            },
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": "log.jsonl"},
                "region": {
                    "startLine": 2,
                    "byteOffset": 124,
                    "snippet": {"text": "{\"ok\":true,\"type\":\"task\",\"data\":null}"},
                },
            }}],
        })
    );
}

#[test]
fn the_envelope_of_a_log_with_bad_records_has_the_counts_and_the_rules_in_its_error() {
    let place = Place::new("scan_envelope");
    let ran = place.scan("log.jsonl --json").run();
    let error = ran.error(100, "VIOLATIONS_FOUND");
    let ran = place.scan("log.jsonl --format json").run();
    let report = ran.failed_report(100, "VIOLATIONS_FOUND").0;
    assert_eq!(report["schema"], "manila-scan/1");
    let rules = report["rules"].as_array().expect("a list").iter();
    let rules: Vec<_> = rules.map(|rule| rule["rule"].as_str().expect("an id")).collect();
    let detail = format!("11 judged, 7 bad, 0 unread: {}", rules.join(", "));
    assert_eq!(error["detail"], detail.as_str());
    // The report is a document of its own.
    let envelope = place.scan("log.jsonl --json").run().envelope();
    assert!(!envelope.to_string().contains("violations\""), "{envelope}");
    assert_eq!((&report["records"], &report["bad"]), (&11.into(), &7.into()));
    let limited = place.scan("log.jsonl --format json --limit 3").run().report();
    assert_eq!(
        (limited["violations"].as_array().map(Vec::len), &limited["more"]),
        (Some(3), &4.into())
    );
    let none = place.scan("log.jsonl --format json --limit 0").run().report();
    assert_eq!((&none["violations"], &none["more"]), (&json!([]), &7.into()));
}

#[test]
fn every_violation_stands_where_it_is_said_to_stand() {
    let place = Place::new("scan_places");
    let bytes = log();
    let report = place.scan("log.jsonl --format json --limit all").run().report();
    let violations = report["violations"].as_array().expect("a list");
    let at = |index: usize| {
        let byte = violations[index]["byte"].as_u64().and_then(|byte| usize::try_from(byte).ok());
        (violations[index]["line"].as_u64().expect("a line"), &bytes[byte.expect("a byte")..])
    };
    assert!(at(0).0 == 2 && at(0).1.starts_with(b"null}\r\n"));
    assert!(at(1).0 == 4 && at(1).1.starts_with(b"\"yes\""));
    assert!(at(2).0 == 6 && at(2).1.starts_with(b"prose"));
    assert!(at(3).0 == 7 && at(3).1.starts_with(b"\xff"));
    // On the line of its own, not on that of its record.
    assert!(at(4).0 == 11 && at(4).1.starts_with(b"null\n}"));
    assert!(at(5).0 == 13 && at(5).1.starts_with(b"\0"));
    assert!(at(6).0 == 15 && at(6).1.is_empty());
}

#[test]
fn with_jsonl_each_violation_is_a_frame() {
    let place = Place::new("scan_frames");
    let ran = place.scan("log.jsonl --output jsonl").run();
    let out = ran.out();
    let lines: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (last, frames) = lines.split_last().expect("lines");
    assert!(frames.iter().all(|frame| frame["kind"] == "violation"));
    assert_eq!(frames.len(), 7);
    assert_eq!(last["meta"]["frames"], 7);
    assert_eq!((ran.code(), &last["error"]["code"]), (100, &"VIOLATIONS_FOUND".into()));
}

#[test]
fn a_good_log_is_a_success() {
    let place = Place::new("scan_good");
    fs::write(place.0.join("good"), format!("{SUCCESS}\n\n{TD}")).expect("writes");
    let data = place.scan("good --json").run().data();
    assert_eq!(
        (&data["records"], &data["bad"], &data["inputs"]),
        (&2.into(), &0.into(), &1.into())
    );
    fs::write(place.0.join("empty"), "").expect("writes");
    assert_eq!(place.scan("empty --json").run().data()["records"], 0);
}

#[test]
fn standard_input_is_a_log_too() {
    let place = Place::new("scan_stdin");
    for line in ["--format json", "- --format json", "--format json --threads 3"] {
        let report = place.scan(line).input(log()).report();
        assert_eq!((&report["records"], &report["bad"]), (&11.into(), &7.into()), "{line}");
        assert_eq!(report["violations"][0]["file"], "-");
    }
}

#[test]
fn the_same_bytes_give_the_same_report_on_any_number_of_threads() {
    let place = Place::new("scan_threads");
    let many = log().repeat(1).into_iter().chain(*b"\n").collect::<Vec<u8>>().repeat(2000);
    fs::write(place.0.join("many"), &many).expect("writes");
    let report = |threads| {
        let line =
            format!("many --format json --limit 200 --threads {threads} --quarantine bad{threads}");
        let mut report = place.scan(&line).run().report();
        report["quarantine"]["file"].take();
        (report, place.read(&format!("bad{threads}")))
    };
    let one = report(1);
    assert_eq!((&one.0["records"], &one.0["bad"]), (&22_000.into(), &14_000.into()));
    assert_eq!(one, report(2));
    assert_eq!(one, report(5));
    // More than the system gives.
    assert_eq!(one, report(100_000_000));
}

#[test]
fn bad_records_are_kept_byte_for_byte() {
    let place = Place::new("scan_quarantine");
    let report = place.scan("log.jsonl --format json --quarantine bad").run().report();
    let bad = place.read("bad");
    let expected = [
        NULL_DATA.as_bytes(),
        b"\n",
        WRONG_TYPE.as_bytes(),
        b"\nprose with a \x1b[31mcolour\n",
        b"{\"ok\":true,\"data\":\"\xff\"}\n",
        b"{\n  \"ok\": true,\n  \"type\": \"task\",\n  \"data\": null\n}\n",
        b"{\"ok\":true,\"data\":\"\0\"}\n",
        b"{\"ok\":true,\"data\":{\"id\n",
    ];
    assert_eq!(bad, expected.concat());
    let kept = json!({ "file": "bad", "records": 7, "bytes": bad.len(), "left_out": 0 });
    assert_eq!(report["quarantine"], kept);
    // What was bad is bad.
    let again = place.scan("bad --format json").run().report();
    assert_eq!((&again["records"], &again["rules"]), (&7.into(), &report["rules"]));
}

#[test]
fn only_what_is_selected_counts() {
    let place = Place::new("scan_select");
    let ran = place
        .scan("log.jsonl --format json --select invalid-utf8,bad-number --quarantine bad")
        .run();
    let report = ran.report();
    assert_eq!((&report["bad"], &report["unselected"]), (&1.into(), &6.into()));
    assert_eq!(report["rules"], json!([{ "rule": "invalid-utf8", "violations": 1 }]));
    assert_eq!(place.read("bad"), b"{\"ok\":true,\"data\":\"\xff\"}\n");
    let data = place.scan("log.jsonl --json --select bad-number").run().data();
    assert_eq!((&data["bad"], &data["unselected"]), (&0.into(), &7.into()));
}

#[test]
fn an_unknown_rule_is_refused_with_the_closest() {
    let place = Place::new("scan_rule");
    let error = place.scan("log.jsonl --json --select missing-kye").run().error(3, "INVALID_VALUE");
    assert!(error["suggestion"].as_str().is_some_and(|it| it.contains("missing-field")), "{error}");
}

#[test]
fn good_records_are_written_in_one_dialect() {
    let place = Place::new("scan_to");
    let report =
        place.scan("log.jsonl --format json --to response-envelope/1.0 -o good").run().report();
    let good = String::from_utf8(place.read("good")).expect("UTF-8");
    let schema = validator("response-envelope/1.0");
    let records: Vec<Value> =
        good.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(records.iter().all(|record| schema.is_valid(record)), "{good}");
    assert_eq!((records.len(), &report["output"]["records"]), (4, &4.into()));
    assert_eq!(records[2]["data"], json!({ "id": 7 }));
    // The same on stdout, where nothing else stands then.
    let ran = place.scan("log.jsonl --to response-envelope/1.0").run();
    assert_eq!((ran.code(), ran.out()), (100, good.clone()));
    assert!(ran.err().contains("\nerror[VIOLATIONS_FOUND]: 7 of 11 records"), "{}", ran.err());
    fs::write(place.0.join("fine"), TD).expect("writes");
    let text = place.scan("fine --to td/1").run().text();
    assert_eq!(text, format!("{TD}\n"));
}

#[test]
fn standard_output_holds_one_thing() {
    let place = Place::new("scan_one_thing");
    for line in ["--json", "--output jsonl", "--format jsonl", "--format sarif", "-o - --json"] {
        let ran = place.scan(&format!("log.jsonl --to td/1 {line}")).run();
        assert_eq!(ran.code(), 3, "{line}: {}", ran.err());
    }
    place.scan("log.jsonl --out x").run().refusal(3, "MISSING_ARGUMENT");
    place.scan("log.jsonl --quarantine -").run().refusal(3, "INVALID_VALUE");
}

#[test]
fn no_file_that_is_read_or_has_something_in_it_is_overwritten() {
    let place = Place::new("scan_overwrite");
    fs::hard_link(place.0.join("log.jsonl"), place.0.join("alias")).expect("a link");
    for line in [
        "log.jsonl --quarantine log.jsonl",
        "log.jsonl --quarantine ./alias --force",
        "log.jsonl --to td/1 -o alias --force",
        "log.jsonl --to td/1 -o new --quarantine ./new",
    ] {
        place.scan(line).run().refusal(3, "INVALID_VALUE");
        assert_eq!(place.read("log.jsonl"), log(), "{line}");
    }
    let stdin = || fs::File::open(place.0.join("log.jsonl")).expect("opens");
    let mut call = place.scan("--quarantine log.jsonl --force");
    call.0.stdin(stdin());
    call.run().refusal(3, "INVALID_VALUE");
    let append = fs::OpenOptions::new().append(true).open(place.0.join("log.jsonl"));
    let ran = place.scan(". --to td/1").stdout(append.expect("opens")).run();
    assert_eq!(ran.code(), 3, "{}", ran.err());
    assert_eq!(place.read("log.jsonl"), log());
    fs::write(place.0.join("old"), "precious").expect("writes");
    let message = place.scan("log.jsonl --quarantine old").run().refusal(6, "WOULD_OVERWRITE");
    assert!(message.contains("--force"), "{message}");
    assert_eq!(place.read("old"), b"precious");
    // Nothing goes before everything is agreed on.
    for line in ["--to td/1 --json", "--to td/1 -o no/such/directory/x", "--to td/1 -o alias"] {
        let ran = place.scan(&format!("log.jsonl --quarantine old --force {line}")).run();
        assert!([3, 5].contains(&ran.code()), "{line}: {}", ran.err());
        assert_eq!(place.read("old"), b"precious", "{line}");
    }
    assert_eq!(place.scan("log.jsonl --quarantine old --force").run().code(), 100);
    assert!(place.read("old").starts_with(NULL_DATA.as_bytes()));
}

#[test]
fn dirs_globs_and_names_given_twice_are_read_once_each() {
    let place = Place::new("scan_dirs");
    fs::create_dir_all(place.0.join("d/e")).expect("a directory");
    for name in ["d/2.jsonl", "d/1.jsonl", "d/e/3.jsonl", "d/.4.jsonl"] {
        fs::write(place.0.join(name), format!("{TD}\n")).expect("writes");
    }
    let scanned = |line: &str| place.scan(&format!("{line} --json")).run().data();
    assert_eq!(
        (&scanned("d")["records"], &scanned("d --hidden")["records"]),
        (&3.into(), &4.into())
    );
    assert_eq!(scanned("d/[0-9].jsonl")["inputs"], 2);
    assert_eq!(scanned("d/**/*.jsonl")["inputs"], 3);
    let ran = place.scan("d d/1.jsonl --json").run();
    assert_eq!(ran.data()["records"], 3);
    let warnings = ran.envelope()["warnings"].to_string();
    assert!(warnings.contains("d/1.jsonl is reached more than once and read once"), "{warnings}");
}

#[test]
fn every_rule_has_an_explanation() {
    for rule in manila_log::RULES {
        let data = manila(["explain", rule.id(), "--json"]).run().data();
        assert!(data["explanations"].to_string().contains(rule.meaning()), "{rule}");
    }
}

#[test]
fn what_a_dialect_cannot_say_is_counted_by_field() {
    let dir = empty_dir("scan_losses");
    let success = SUCCESS;
    let failure = r#"{"ok":false,"data":null,"error":{"code":"BUSY","message":"m","retryable":true},"warnings":["w","v"],"meta":{"duration_ms":1}}"#;
    let td = r#"{"ok":true,"type":"task","data":{"id":7}}"#;
    fs::write(dir.join("log"), format!("{success}\n{failure}\n{td}\n{success}\n")).expect("writes");
    let call = |line: &str| {
        let mut call = manila(["scan", "log", "--to", "td/1"]);
        call.0.args(line.split_whitespace()).current_dir(&dir);
        call.run()
    };
    let losses = call("--json --out all").data()["output"]["losses"].take();
    assert_eq!(losses["records"], 3, "{losses}");
    let lost = |field: &str| {
        let rows = losses["fields"].as_array().expect("a list").iter();
        let mut rows = rows.filter(|row| row["field"] == field);
        rows.next().map(|row| (row["fate"].clone(), row["records"].clone()))
    };
    let some = |fate: &str, records: u64| Some((fate.into(), records.into()));
    assert_eq!(lost("meta.duration_ms"), some("dropped", 3));
    assert_eq!(lost("error.retryable"), some("dropped", 1));
    // Two warnings of one record are one record.
    assert_eq!(lost("warnings"), some("dropped", 1));
    // The same that `open` finds.
    for (record, status) in [(success, "0"), (failure, "1")] {
        let opened = words(&format!("open - --exit-code {status} --to td/1 --json"));
        for loss in opened.input(record).data()["converted"]["losses"].as_array().expect("a list") {
            let field = loss["field"].as_str().expect("a name");
            assert!(lost(field.split('[').next().expect("a name")).is_some(), "{loss}");
        }
    }
    let ran = call("");
    assert_eq!((ran.code(), ran.out().lines().count()), (0, 4));
    assert!(ran.err().contains("td/1 cannot say meta.duration_ms: 3 records"), "{}", ran.err());

    let ran = call("--json --strict --out strict");
    let error = ran.error(2, "OUTPUT_INCOMPLETE");
    assert!(
        error["message"].as_str().expect("words").starts_with("3 records could not be written")
    );
    let output = call("--format json --strict --force --out strict").report()["output"].take();
    assert_eq!((&output["records"], &output["left_out"]), (&1.into(), &3.into()), "{output}");
    assert_eq!(fs::read_to_string(dir.join("strict")).expect("reads"), format!("{td}\n"));
}

#[test]
fn a_log_of_something_else_is_reported_once_to_people_and_in_full_to_programs() {
    let dir = empty_dir("scan_foreign");
    let lines: String = (0..50).map(|n| format!("{{\"level\":\"info\",\"n\":{n}}}\n")).collect();
    fs::write(dir.join("log.jsonl"), lines).expect("writes");
    let scan = |line: &str| {
        let mut call = words(&format!("scan {line} log.jsonl"));
        call.0.current_dir(&dir);
        call.run()
    };
    let shown = scan("").out();
    assert_eq!(shown.matches(": unknown-dialect\n").count(), 1, "{shown}");
    assert!(shown.contains("of no dialect  50       50"), "{shown}");
    assert_eq!(scan("--format jsonl --limit all").out().lines().count(), 50);
}
