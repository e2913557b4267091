//! Owns: what a call leaves on disk when it is asked to: recorded runs, and one line in a log.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::{Confidence, Options, Status, Transcript, open};
use manila_run::Policy;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{SHORT, SUCCESS, acting, settled};

const BUSY: &str = r#"out {"ok":false,"data":null,"error":{"code":"BUSY","message":"busy","retryable":true,"retry_after":0},"warnings":[],"meta":{}}"#;

fn recording(dir: &Path) -> Policy {
    Policy { record: Some(dir.to_owned()), ..Policy::default() }
}

fn logging(file: &Path) -> Policy {
    Policy { log: Some(file.to_owned()), ..Policy::default() }
}

/// The run that was recorded in a directory.
fn recorded(dir: &Path) -> Transcript {
    let read = |name: &str| fs::read(dir.join(name)).unwrap();
    Transcript::from_recorded(&read("run.json"), read("stdout"), read("stderr")).unwrap()
}

/// The lines of a log, each of which is a certain envelope.
#[track_caller]
fn logged(file: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.ends_with('\n'), "{text}");
    let line = |line: &str| {
        let stdout = line.as_bytes().to_vec();
        let opened = open(&Transcript { stdout, ..Transcript::default() }, &Options::default());
        let detection = opened.unwrap().detection;
        assert_eq!(detection.confidence, Confidence::Certain, "{line}");
        assert_eq!(detection.dialect.id(), "response-envelope/1.0");
        serde_json::from_str(line).unwrap()
    };
    text.lines().map(line).collect()
}

#[test]
fn an_attempt_is_recorded_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let below = dir.path().join("new/place");
    settled(&acting(&["err é beside", SUCCESS, "exit 0"]), &recording(&below));
    let run = recorded(&below.join("0001"));
    assert_eq!(run.argv[1..], ["err é beside", SUCCESS, "exit 0"]);
    assert_eq!(run.stdout, format!("{}\n", SUCCESS.strip_prefix("out ").unwrap()).as_bytes());
    assert_eq!((run.stderr.as_slice(), run.status), ("é beside\n".as_bytes(), Status::Exited(0)));
    assert!(run.duration_ms.is_some());
    for path in [below.join("0001"), below.join("0001/stdout"), below.join("0001/run.json")] {
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "only its owner can read {}", path.display());
    }
    assert!(open(&run, &Options::default()).unwrap().envelope.ok());
}

#[test]
fn each_attempt_has_a_directory_of_its_own_and_nothing_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("0002")).unwrap();
    let policy = Policy { retries: 2, ..recording(dir.path()) };
    let outcome = settled(&acting(&[BUSY, "exit 11"]), &policy);
    assert_eq!(outcome.trace.steps.len(), 3);
    for name in ["0001", "0003", "0004"] {
        assert_eq!(recorded(&dir.path().join(name)).status, Status::Exited(11));
    }
    assert_eq!(fs::read_dir(dir.path().join("0002")).unwrap().count(), 0);
}

#[test]
fn death_by_a_signal_and_the_end_of_the_time_are_recorded_too() {
    let dir = tempfile::tempdir().unwrap();
    settled(&acting(&["signal KILL"]), &recording(dir.path()));
    assert_eq!(recorded(&dir.path().join("0001")).status, Status::Signaled(9));
    let policy = Policy { attempt_limit: Some(SHORT), ..recording(dir.path()) };
    settled(&acting(&["hang"]), &policy);
    assert_eq!(recorded(&dir.path().join("0002")).status, Status::Signaled(15));
}

#[test]
fn concurrent_calls_do_not_share_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..16).map(|number| format!("out {number}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(|| settled(&acting(&[name]), &recording(dir.path())));
        }
    });
    let entries = fs::read_dir(dir.path()).unwrap();
    let mut found: Vec<String> =
        entries.map(|entry| recorded(&entry.unwrap().path()).argv[1].clone()).collect();
    let mut names = names;
    found.sort();
    names.sort();
    assert_eq!(found, names);
}

#[test]
fn a_place_where_nothing_can_be_recorded_costs_a_warning_and_no_answer() {
    for policy in [recording(Path::new("/dev/null/x")), logging(Path::new("/dev/null/x"))] {
        let outcome = settled(&acting(&[SUCCESS]), &policy);
        assert!(outcome.envelope.ok());
        let warnings = &outcome.envelope.content().warnings;
        assert!(warnings.iter().any(|it| it.text().contains("/dev/null/x")), "{warnings:?}");
    }
}

#[test]
fn a_call_is_one_line_whatever_the_program_wrote() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("new/log");
    let pretty = "out {\n  \"ok\": true,\n  \"data\": {\n    \"a\": [\n 1,\r\n 2]\n  },\n  \"error\": null,\n  \"warnings\": [],\n  \"meta\": {}\n}";
    let calls: [&[&str]; 6] = [
        &[SUCCESS],
        &[pretty],
        &["out two\nlines\r\nand\u{2028}more"],
        &["err why", "exit 1"],
        &["out [\n1,\n2\n]"],
        &["signal KILL"],
    ];
    for call in calls {
        settled(&acting(call), &logging(&file));
    }
    let lines = logged(&file);
    let oks: Vec<bool> = lines.iter().map(|line| line["ok"].as_bool().unwrap()).collect();
    assert_eq!(oks, [true, true, true, false, true, false]);
    assert_eq!(lines[1]["data"], serde_json::json!({"a": [1, 2]}));
    assert_eq!(lines[4]["data"], serde_json::json!([1, 2]));
    assert_eq!(lines[5]["error"]["code"], "KILLED");
}

#[test]
fn a_line_says_what_was_called_and_how_often() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("log");
    let policy = Policy { retries: 1, ..logging(&file) };
    settled(&acting(&[BUSY, "exit 11"]), &policy);
    let run = &logged(&file)[0]["meta"]["run"];
    assert_eq!(run["argv"][1], BUSY);
    assert_eq!((&run["attempts"], &run["exit_code"]), (&2.into(), &11.into()));
    assert_eq!(run["dialect"], "response-envelope/1.0");
}

#[test]
fn a_line_says_when_the_call_began_and_how_long_it_took() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("log");
    let dated = r#"out {"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":7,"timestamp":"2001-02-03T04:05:06Z"}}"#;
    let before = format!("{:.3}", jiff::Timestamp::now());
    for call in [&[SUCCESS][..], &["err why", "exit 1"], &[dated]] {
        settled(&acting(call), &logging(&file));
    }
    let after = format!("{:.3}", jiff::Timestamp::now());
    let lines = logged(&file);
    for line in &lines {
        let began = line["meta"]["run"]["began"].as_str().unwrap();
        assert!(*before <= *began && *began <= *after, "{line}");
        assert!(line["meta"]["run"]["duration_ms"].is_u64(), "{line}");
    }
    for line in &lines[..2] {
        assert_eq!(line["meta"]["timestamp"], line["meta"]["run"]["began"]);
    }
    // What the program says of its answer stays.
    let meta = &lines[2]["meta"];
    assert_eq!(
        (&meta["timestamp"], &meta["duration_ms"]),
        (&"2001-02-03T04:05:06Z".into(), &7.into())
    );
}

#[test]
fn lines_of_many_writers_are_whole() {
    let dir = tempfile::tempdir().unwrap();
    let file: PathBuf = dir.path().join("log");
    std::thread::scope(|scope| {
        for number in 0..24 {
            let file = &file;
            // Longer than a pipe or a page, so that a writer could be cut off in the middle.
            let call = acting(&[&format!("envelope {}", 100_000 + number)]);
            scope.spawn(move || (0..2).for_each(|_| drop(settled(&call, &logging(file)))));
        }
    });
    let size = |line: &serde_json::Value| line["data"]["text"].as_str().map(str::len);
    let lines = logged(&file);
    let mut sizes: Vec<usize> =
        lines.iter().map(|line| size(line).unwrap_or_else(|| panic!("{line}"))).collect();
    sizes.sort_unstable();
    let expected: Vec<usize> = (0..24).flat_map(|number| [100_000 + number; 2]).collect();
    assert_eq!(sizes, expected);
}
