//! Owns: `manila freeze`, `verify` and `diff` on programs that are really run, and on bad input.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{Ran, empty_dir, manila, skipped};

/// A small program without an envelope: what it lists, how its flags are described, and what else it does.
struct Notes {
    row: &'static str,
    options: &'static str,
    missing: &'static str,
    before: &'static str,
}

const NOTES: Notes = Notes {
    row: r#"{"id":1,"title":"a","made":"2026-11-16T09:30:00Z"}"#,
    options: "  --limit <N>  At most this many [default: 20]\n",
    missing: r#"{"error":{"code":"NO_SUCH_NOTE","message":"no"}}"#,
    before: "",
};

impl Notes {
    /// Writes the program.
    fn write(&self, directory: &Path, name: &str) -> PathBuf {
        let Notes { row, options, missing, before } = self;
        let text = format!(
            r#"#!/bin/sh
command=${{1-}}
case " $* " in *" --json "*) json=1 ;; *) json= ;; esac
case " $* " in *" --help "*) help=1 ;; *) help= ;; esac
{before}
usage() {{ printf 'error: %s\n' "$1" >&2; exit 2; }}
case "$command$help" in
list1) printf 'List all notes\n\nUsage: notes list [OPTIONS]\n\nOptions:\n%s  --json  Answer in JSON\n' '{options}' ;;
show1) printf 'Show a note\n\nUsage: notes show [OPTIONS] <ID>\n\nArguments:\n  <ID>  Which\n\nOptions:\n  --json  Answer in JSON\n' ;;
*1) printf 'Keep notes\n\nUsage: notes <COMMAND>\n\nCommands:\n  list  List all notes\n  show  Show a note\n\nOptions:\n  --json  Answer in JSON\n  --help  Print help\n' ;;
list)
    for word; do case $word in list | --json) ;; *) usage "unknown $word" ;; esac; done
    if [ -n "$json" ]; then printf '[%s]\n' '{row}'; else printf '1  a\n'; fi ;;
show)
    shift; id=
    for word; do case $word in --json) ;; -*) usage "unknown $word" ;; *) id=$word ;; esac; done
    [ -n "$id" ] || usage 'an id is needed'
    if [ "$id" = 1 ]; then printf '%s\n' '{row}'; else printf '%s\n' '{missing}'; exit 4; fi ;;
--version) printf 'notes 1.0.0\n' ;;
*) usage "unknown command" ;;
esac
"#
        );
        let path = directory.join(name);
        fs::write(&path, text).expect("writes");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path
    }
}

fn run(directory: &Path, words: &[&str]) -> Ran {
    let mut call = manila(words);
    call.0.current_dir(directory);
    call.run()
}

fn lock(directory: &Path) -> String {
    fs::read_to_string(directory.join("manila.lock")).expect("a lock")
}

/// Whether programs are confined here; else only help is asked for, and nothing is frozen but the surface.
fn is_confined(directory: &Path) -> bool {
    let text = lock(directory);
    let is = text.contains("/list call sample");
    if !is {
        skipped("programs cannot be confined here, so nothing but --help is called");
    }
    is
}

#[test]
fn freezing_twice_gives_the_same_bytes_and_verifies() {
    let directory = empty_dir("freeze-twice");
    NOTES.write(&directory, "notes");
    let first = run(&directory, &["freeze", "--", "./notes"]);
    assert_eq!(first.code(), 0, "{}", first.err());
    let text = lock(&directory);
    if !is_confined(&directory) {
        return;
    }
    for line in [
        "/list call sample : ok",
        "/list flag --limit default : 20",
        "/list ok .[].made : string always? date-time",
        "/show call missing : error NO_SUCH_NOTE",
        "/show error NO_SUCH_NOTE status : 4",
    ] {
        assert!(text.lines().any(|it| it == line), "{line} in\n{text}");
    }
    run(&directory, &["freeze", "--", "./notes"]);
    assert_eq!(lock(&directory), text);
    let data = run(&directory, &["verify", "--json", "--", "./notes"]).data();
    assert_eq!((&data["outcome"], &data["counts"]["breaking"]), (&"clean".into(), &0.into()));
}

#[test]
fn a_change_is_reported_per_field_and_blessed_with_its_removals() {
    let directory = empty_dir("freeze-verify");
    NOTES.write(&directory, "notes");
    run(&directory, &["freeze", "--", "./notes"]);
    if !is_confined(&directory) {
        return;
    }
    Notes { row: r#"{"id":"1","made":"2026-11-16T09:30:00Z"}"#, ..NOTES }
        .write(&directory, "notes");
    let before = lock(&directory);
    let ran = run(&directory, &["verify", "--", "./notes"]);
    assert_eq!(ran.code(), 100, "{}", ran.err());
    let text = ran.out() + &ran.err();
    assert!(text.contains("number-became-string"), "{text}");
    assert!(text.contains("ok .[].id: integer → string"), "{text}");
    assert!(text.contains("field-removed"), "{text}");
    assert_eq!(lock(&directory), before, "nothing is rewritten");
    assert_eq!(run(&directory, &["verify", "--bless", "--", "./notes"]).code(), 0);
    assert!(!lock(&directory).contains("title"), "what is gone is gone from the lock");
    assert_eq!(run(&directory, &["verify", "--", "./notes"]).code(), 0);
}

#[test]
fn snapshots_are_kept_beside_the_lock() {
    let directory = empty_dir("freeze-fixtures");
    NOTES.write(&directory, "notes");
    run(&directory, &["freeze", "--", "./notes"]);
    if !is_confined(&directory) {
        return;
    }
    let verify = ["verify", "--fixtures", "fixtures/json"];
    let missing = run(&directory, &[&verify[..], &["--json", "--", "./notes"]].concat());
    assert_eq!(missing.code(), 100, "{}", missing.out());
    assert_eq!(run(&directory, &[&verify[..], &["--bless", "--", "./notes"]].concat()).code(), 0);
    let text = fs::read_to_string(directory.join("fixtures/json/list.json")).expect("a snapshot");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document[0]["title"], "a");
    assert_eq!(run(&directory, &[&verify[..], &["--", "./notes"]].concat()).code(), 0);
    fs::write(directory.join("fixtures/json/list.json"), "[]\n").expect("writes");
    let changed = run(&directory, &[&verify[..], &["--", "./notes"]].concat());
    assert_eq!(changed.code(), 100);
    assert!(changed.out().contains("list.json"), "{}", changed.out());
}

#[test]
fn two_programs_are_compared_with_a_witness_on_both() {
    let directory = empty_dir("diff-programs");
    NOTES.write(&directory, "old");
    let new = Notes {
        row: r#"{"id":1,"name":"a","made":"2026-11-16T09:30:00Z"}"#,
        options: "  --limit <N>  At most this many [default: 50]\n",
        missing: r#"{"error":{"code":"NOT_FOUND","message":"no"}}"#,
        ..NOTES
    };
    new.write(&directory, "new");
    let ran = run(&directory, &["diff", "--json", "--bin", "./old", "--bin", "./new"]);
    if ran.code() != 100 {
        assert_eq!(ran.code(), 4, "{}", ran.out());
        return skipped("programs cannot be confined here, so nothing but --help is called");
    }
    let envelope = ran.envelope();
    let data = &envelope["error"]["details"];
    let changes = data["changes"].as_array().cloned().unwrap_or_default();
    let find = |rule: &str| changes.iter().find(|it| it["rule"] == rule);
    if find("error-code-renamed").is_none() {
        return skipped("programs cannot be confined here, so nothing but --help is called");
    }
    assert_eq!(ran.code(), 100, "{envelope}");
    for rule in ["default-changed", "error-code-renamed", "field-renamed"] {
        let change = find(rule).expect(rule);
        assert_eq!(change["impact"], "breaking", "{change:#}");
        assert_eq!(change["witness"]["confirmed"], true, "{change:#}");
    }
    assert_eq!(data["bumps"]["program"], "major");
    let same = run(&directory, &["diff", "--bin", "./old", "--bin", "./old"]);
    assert_eq!(same.code(), 0, "{}{}", same.out(), same.err());
}

#[test]
fn an_accepted_change_is_not_breaking_until_it_expires() {
    let directory = empty_dir("diff-accept");
    let text = |kind| {
        format!(
            "manila.lock 1\n/ : command\n/ call sample : ok\n/ ok\n/ ok . : object\n/ ok .a : {kind} always\nend\n"
        )
    };
    fs::write(directory.join("old.lock"), text("integer")).expect("writes");
    fs::write(directory.join("new.lock"), text("string")).expect("writes");
    let diff = ["diff", "old.lock", "new.lock", "--json"];
    assert_eq!(run(&directory, &diff).code(), 100);
    let report = run(&directory, &["diff", "old.lock", "new.lock", "--format", "json"]).out();
    let report: serde_json::Value = serde_json::from_str(&report).expect("a document");
    let print = report["changes"][0]["fingerprint"].as_str().expect("one").to_owned();
    for (expires, status) in [("2999-01-01", 0), ("2020-01-01", 100)] {
        let text = format!(
            "[[accept]]\nchange = \"{print}\"\nreason = \"announced\"\nexpires = {expires}\n"
        );
        fs::write(directory.join("manila.toml"), text).expect("writes");
        assert_eq!(run(&directory, &diff).code(), status, "{expires}");
    }
    for format in ["human", "json", "sarif", "junit", "github", "markdown", "html", "changelog"] {
        let ran = run(&directory, &["diff", "old.lock", "new.lock", "--format", format]);
        assert_eq!((ran.code(), ran.out().is_empty()), (100, false), "{format}");
    }
}

#[test]
fn what_cannot_be_compared_never_reads_as_clean() {
    let directory = empty_dir("diff-unreadable");
    let whole =
        "manila.lock 1\n/ : command\n/ call sample : ok\n/ ok\n/ ok .a : integer always\nend\n";
    fs::write(directory.join("old.lock"), whole).expect("writes");
    for (text, expected) in [
        (whole.replace("end\n", ""), "line 6: the lock is truncated"),
        (whole.replace("integer always\nend\n", "inte"), "line 5: the lock is truncated"),
        (whole.replace("/ ok\n", "<<<<<<< ours\n/ ok\n"), "line 4: a merge conflict marker"),
        (whole.replace("lock 1", "lock 7"), "format 7"),
        (whole.replace("integer", "intger"), "line 5: \"intger\" is not a JSON type"),
        (whole.replace("/ ok\n", "/ okay\n"), "line 4: \"okay\" is not a fact"),
        (whole.replace("/ ok\n", "/ ok .a : string always\n/ ok\n"), "two facts for"),
        (whole.replace("/ ok\n", "  / ok\n"), "one space"),
        ("{\"a\": 1}\n".to_owned(), "line 1: this is not a lock"),
        (String::new(), "line 1: this is not a lock"),
        (whole.replace("end\n", "/ ok .\"a\" : string always\nend\n"), "is not a path"),
    ] {
        fs::write(directory.join("new.lock"), &text).expect("writes");
        let error =
            run(&directory, &["diff", "old.lock", "new.lock"]).refusal(4, "COULD_NOT_COMPARE");
        assert!(error.contains(expected), "{expected}: {error}");
        assert!(error.contains("hint:"), "{error}");
        let error =
            run(&directory, &["verify", "--lock", "new.lock", "--", "sh"]).refusal(4, "BAD_LOCK");
        assert!(error.contains(expected), "{expected}: {error}");
        assert_eq!(fs::read_to_string(directory.join("new.lock")).expect("it is there"), text);
    }
    run(&directory, &["diff", "old.lock", "no.lock"]).refusal(4, "COULD_NOT_COMPARE");
    run(&directory, &["diff", "old.lock", "--bin", "./no"]).refusal(4, "COULD_NOT_COMPARE");
    run(&directory, &["diff", "old.lock"]).refusal(3, "INVALID_VALUE");
    fs::write(directory.join("new.lock"), whole.replace("/ call sample : ok\n", ""))
        .expect("writes");
    let lost = run(&directory, &["diff", "old.lock", "new.lock"]);
    assert_eq!(lost.code(), 4, "{}", lost.out());
    assert_eq!(run(&directory, &["diff", "old.lock", "old.lock"]).code(), 0);
    // Git may check a lock out with the line ends of Windows.
    fs::write(directory.join("new.lock"), whole.replace('\n', "\r\n")).expect("writes");
    assert_eq!(run(&directory, &["diff", "old.lock", "new.lock"]).code(), 0);
}

#[test]
fn a_program_that_hangs_or_differs_is_told() {
    let directory = empty_dir("freeze-adversity");
    // It leaves files where it is asked to, so that its rounds can differ without a clock.
    let before = "if [ \"$command$help\" = list ]; then case $COLUMNS in 40) printf '{\"error\":{\"code\":\"FLAKY\"}}\\n'; exit 9 ;; esac; fi";
    Notes { before, ..NOTES }.write(&directory, "notes");
    let ran = run(&directory, &["freeze", "--", "./notes"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    if !is_confined(&directory) {
        return;
    }
    assert!(lock(&directory).contains("call sample : ok | error FLAKY"), "{}", lock(&directory));
    assert!(ran.err().contains("lead to different outcomes"), "{}", ran.err());
    assert_eq!(run(&directory, &["verify", "--", "./notes"]).code(), 0);
    let before = "if [ \"$command$help\" = list ]; then exec sleep 1000; fi";
    Notes { before, ..NOTES }.write(&directory, "notes");
    let hung = run(&directory, &["verify", "--limit", "2s", "--", "./notes"]);
    assert_eq!(hung.code(), 100, "{}{}", hung.out(), hung.err());
    assert!(hung.out().contains("now-hangs"), "{}", hung.out());
}

#[test]
fn another_file_is_not_overwritten() {
    let directory = empty_dir("freeze-file");
    NOTES.write(&directory, "notes");
    fs::write(directory.join("manila.lock"), "my notes\n").expect("writes");
    run(&directory, &["freeze", "--", "./notes"]).refusal(6, "FILE_EXISTS");
    assert_eq!(lock(&directory), "my notes\n");
    run(&directory, &["freeze", "--", "./no-such"]).refusal(6, "FILE_EXISTS");
    fs::write(directory.join("manila.lock"), "manila.lock 1\nbroken").expect("writes");
    run(&directory, &["freeze", "--", "./no-such"]).refusal(5, "PROGRAM_NOT_FOUND");
    assert_eq!(lock(&directory), "manila.lock 1\nbroken", "nothing succeeded");
}

#[test]
fn what_the_deadline_cut_short_is_no_lock() {
    let directory = empty_dir("freeze-deadline");
    let before = "if [ -n \"$help\" ] && [ -n \"$command\" ]; then exec sleep 1000; fi";
    Notes { before, ..NOTES }.write(&directory, "notes");
    let words = ["freeze", "--deadline", "1s", "--", "./notes"];
    let error = run(&directory, &words).refusal(4, "OBSERVATION_INCOMPLETE");
    assert!(error.contains("raise --deadline"), "{error}");
    assert!(!directory.join("manila.lock").exists());
}

#[test]
fn a_lock_on_stdout_is_in_the_answer() {
    let directory = empty_dir("freeze-stdout");
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../manila/tests/seeds/td-not-found");
    let seed = seed.to_str().expect("UTF-8");
    for words in [["-o", "-", "--json"], ["--json", "-o", "-"]] {
        let ran = run(&directory, &[&["freeze", "--run", seed], &words[..]].concat());
        assert_eq!(ran.code(), 0, "{}", ran.err());
        let answer: Value = serde_json::from_str(&ran.out()).expect("JSON");
        let lock = answer["data"]["lock"].as_str().expect("a lock");
        assert!(lock.starts_with("manila.lock 1\n"), "{lock}");
    }
}
