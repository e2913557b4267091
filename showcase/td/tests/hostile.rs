//! Malformed files and hostile arguments: a clear error, and nothing changed.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod common;

use common::{broken, empty, stocked};
use manila_clap::testing::Called;
use serde_json::Value;
use showcase_test_support::Sandbox;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;

#[track_caller]
fn assert_code(called: &Called, code: &str) {
    let error: Value = serde_json::from_slice(&called.stderr).unwrap();
    assert_eq!(error["error"]["code"], code, "{error}");
    assert_ne!(called.status, 0);
}

#[test]
fn a_file_that_is_not_a_store_is_an_error_and_stays_as_it_is() {
    let store = include_str!("common/store.json");
    let newer = store.replace("\"given\": 10", "\"given\": 10, \"colours\": []");
    let twice = store.replace("538453d7", "b54cda26");
    let urgent = store.replace("\"priority\": 4", "\"priority\": 5");
    let obeyed = store.replace("b54cda26", "x; reboot");
    let late = store.replace("2026-04-03", "2026-02-30");
    let cases: [(&str, Vec<u8>); 12] = [
        ("nothing", Vec::new()),
        ("text", b"buy milk".to_vec()),
        ("null", b"null".to_vec()),
        ("a list", b"[]".to_vec()),
        ("not UTF-8", b"{\"given\": \"\xff\xfe\"}".to_vec()),
        ("nested without end", "[".repeat(1 << 20).into_bytes()),
        ("torn", store.as_bytes()[..store.len() / 2].to_vec()),
        ("what a newer program wrote", newer.into_bytes()),
        ("an id twice", twice.into_bytes()),
        ("an id that a shell would obey", obeyed.into_bytes()),
        ("a priority that is none", urgent.into_bytes()),
        ("a day that is none", late.into_bytes()),
    ];
    for (what, bytes) in cases {
        let sandbox = broken(&bytes);
        for line in ["ls", "add x", "done b54cda26", "project delete Work --yes"] {
            let called = sandbox.call(line);
            assert_code(&called, "storage_error");
            let after = fs::read(sandbox.directory().join("td.json")).unwrap();
            assert!(after == bytes, "{line} changed a file with {what}");
        }
    }
}

#[test]
fn a_place_that_cannot_be_used_is_an_error() {
    for file in [".", "file/td.json", "/dev/zero"] {
        let sandbox = empty().file("file", "").variable("TD_FILE", file);
        assert_code(&sandbox.call("ls"), "storage_error");
    }
    for file in ["file/td.json", "/proc/td/td.json"] {
        let sandbox = empty().file("file", "").variable("TD_FILE", file);
        assert_code(&sandbox.call("add x"), "storage_error");
    }
}

#[test]
fn who_only_reads_creates_and_changes_nothing() {
    let reading = ["ls", "ls --all", "search x", "projects", "sections", "labels", "schema", ""];
    let sandbox = Sandbox::new("td", common::BINARY);
    for line in reading {
        sandbox.succeeds(line);
    }
    assert_eq!(fs::read_dir(sandbox.directory()).unwrap().count(), 0);

    let sandbox = stocked();
    let before = fs::metadata(sandbox.directory().join("td.json")).unwrap().modified().unwrap();
    for line in reading.into_iter().chain(["show milk", "comments milk", "done 8ff34739"]) {
        sandbox.succeeds(line);
    }
    let after = fs::metadata(sandbox.directory().join("td.json")).unwrap().modified().unwrap();
    assert_eq!(before, after);
}

#[test]
fn the_first_task_makes_the_directory() {
    let sandbox = Sandbox::new("td", common::BINARY);
    sandbox.succeeds("add x");
    assert!(sandbox.directory().join(".local/share/showcase-td/td.json").is_file());
}

#[test]
fn a_link_stays_a_link() {
    let sandbox = stocked();
    symlink("td.json", sandbox.directory().join("link.json")).unwrap();
    let sandbox = sandbox.variable("TD_FILE", "link.json");
    sandbox.succeeds("add 'through the link'");
    assert!(sandbox.directory().join("link.json").is_symlink());
    let store = fs::read_to_string(sandbox.directory().join("td.json")).unwrap();
    assert!(store.contains("through the link"));
}

#[test]
fn odd_words_are_words() {
    let sandbox = empty();
    let odd = ["--", "-x", "../../etc/passwd", "%s%n", "{query}", "\u{202e}abc"];
    for content in odd {
        sandbox.call_words(["add", "--", content]);
        let found = sandbox.call_words(["show", "--", content]);
        assert_eq!(found.data::<Value>()["content"], content);
    }
    for word in ["", " ", "a\u{1b}[31mb", "a\rb"] {
        for words in [["add", word], ["show", word], ["search", word]] {
            assert_code(&sandbox.call_words(words), "invalid_input");
        }
    }
}

#[test]
fn an_escape_in_the_file_steers_no_terminal() {
    let store = include_str!("common/store.json").replace("Buy milk", "Buy \\u001b[2Jmilk");
    for line in ["ls", "show milk", "done milk", "done submarine", "done buy"] {
        for mode in ["rich", "plain"] {
            // The sandbox holds the answer against the contract, which forbids it.
            broken(&store).call(&format!("{line} --output {mode}"));
        }
    }
}

#[test]
fn what_is_no_text_is_refused() {
    let sandbox = empty();
    let called = sandbox.call_words(["add".into(), OsString::from_vec(vec![b'x', 0xff])]);
    assert_code(&called, "invalid_input");
    assert!(!sandbox.directory().join("td.json").exists());
}

#[test]
fn a_long_text_is_a_text() {
    let (sandbox, long) = (empty(), "x".repeat(100_000));
    sandbox.call_words(["add", &long]);
    assert_eq!(sandbox.call_words(["show", &long[1..]]).data::<Value>()["content"], *long);
    assert_code(&sandbox.call_words(["show", &"y".repeat(100_000)]), "not_found");
}

#[test]
fn thousands_of_matches_are_reported_in_part() {
    let store: Value = serde_json::from_str(include_str!("common/store.json")).unwrap();
    let mut many = store.clone();
    let tasks = many["tasks"].as_array_mut().unwrap();
    for number in 0..5000 {
        let mut task = store["tasks"][0].clone();
        task["id"] = format!("x{number}").into();
        tasks.push(task);
    }
    let called = broken(many.to_string()).call("show buy");
    assert_code(&called, "ambiguous_match");
    assert!(called.stderr.len() < 5000, "{}", called.stderr.len());
}
