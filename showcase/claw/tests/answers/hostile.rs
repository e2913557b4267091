//! Hostile and damaged input: a clear error, and no other effect.

use crate::support::Version;
use serde_json::Value;
use showcase_test_support::Sandbox;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Command;

fn sandbox() -> Sandbox {
    Version::V2.sandbox()
}

/// The kind of a failure.
#[track_caller]
fn kind(sandbox: &Sandbox, line: &str) -> String {
    let called = sandbox.call(&Version::V2.line(line));
    let document: Value = serde_json::from_slice(&called.stdout).unwrap();
    assert_eq!(called.status, 1, "{document}");
    document["error"]["kind"].as_str().unwrap().to_owned()
}

#[test]
fn ids_that_lead_elsewhere_are_refused() {
    let sandbox = sandbox().file("outside.jsonl", "");
    for id in ["../outside", "../../etc/passwd", "a/b", ".", "..", "-", "''", "'a b'", "ü"] {
        for command in ["load-session", "delete-session", "flush-transcript"] {
            assert_eq!(kind(&sandbox, &format!("{command} {id}")), "usage", "{command} {id}");
        }
    }
    assert!(sandbox.directory().join("outside.jsonl").exists());
}

#[test]
fn sessions_that_went_bad_are_reported_and_can_be_deleted() {
    let deep = format!("{}\n", "[".repeat(100_000));
    let bad: [(&str, &[u8]); 5] = [
        ("empty", b""),
        ("binary", b"\xff\xfe\x00\n"),
        ("deep", deep.as_bytes()),
        ("other", b"{\"a\":1}\n"),
        ("headless", b"{\"session_id\":\"x\",\"crea"),
    ];
    let sandbox = bad.iter().fold(sandbox(), |sandbox, (name, bytes)| {
        sandbox.file(&format!(".claw/sessions/{name}.jsonl"), bytes)
    });
    for (name, bytes) in bad {
        assert_eq!(kind(&sandbox, &format!("load-session {name}")), "session", "{name}");
        assert_eq!(kind(&sandbox, &format!("flush-transcript {name}")), "session", "{name}");
        assert_eq!(kind(&sandbox, &format!("turn-loop hi --session {name}")), "session", "{name}");
        let path = sandbox.directory().join(format!(".claw/sessions/{name}.jsonl"));
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name} was changed");
    }
    let called = sandbox.call(&Version::V2.line("list-sessions"));
    assert_eq!(called.data::<Value>()["sessions_count"], 2);
    assert_eq!(String::from_utf8_lossy(&called.stderr).matches("is left out").count(), 5);
    for (name, _) in bad {
        sandbox.succeeds(&format!("delete-session {name}"));
    }
}

#[test]
fn numbers_at_the_edge_do_not_overflow() {
    let most = u64::MAX;
    let header = r#"{"session_id":"edge","created_at":"2026-04-21T15:30:00Z"}"#;
    let message = format!(r#"{{"role":"user","text":"x","tokens":{most}}}"#);
    let session = format!("{header}\n{message}\n{message}\n");
    let sandbox = sandbox().file(".claw/sessions/edge.jsonl", session);
    let line = format!("turn-loop hi --session edge --max-turns 9 --max-budget {}", most - 1);
    let data: Value = sandbox.succeeds(&format!("{line} --json")).data();
    assert_eq!(data["final_stop_reason"], "max_budget_reached");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let sandbox = sandbox();
    let sessions = sandbox.directory().join(".claw/sessions");
    let fifo = Command::new("mkfifo").arg(sessions.join("pipe.jsonl")).status().unwrap();
    assert!(fifo.success());
    fs::create_dir(sessions.join("directory.jsonl")).unwrap();
    symlink("loop.jsonl", sessions.join("loop.jsonl")).unwrap();
    File::create(sessions.join("huge.jsonl")).unwrap().set_len(1 << 40).unwrap();
    symlink(sessions.join("pipe.jsonl"), sandbox.directory().join("pipe")).unwrap();
    for id in ["pipe", "directory", "loop", "huge"] {
        assert_eq!(kind(&sandbox, &format!("load-session {id}")), "filesystem", "{id}");
    }
    assert_eq!(kind(&sandbox, "exec-tool FileReadTool pipe"), "filesystem");
    assert_eq!(sandbox.succeeds("list-sessions --json").data::<Value>()["sessions_count"], 2);
}

#[test]
fn nothing_outside_the_directory_is_read_or_made() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "milk").unwrap();
    let sandbox = sandbox();
    symlink(outside.path(), sandbox.directory().join("out")).unwrap();
    let secret = outside.path().join("secret.txt");
    for line in [
        "exec-tool FileReadTool out/secret.txt".to_owned(),
        format!("exec-tool FileReadTool {}", secret.display()),
        "exec-tool FileReadTool ../x".to_owned(),
        "exec-tool GrepTool 'milk out'".to_owned(),
        "exec-tool BashTool 'ls out'".to_owned(),
        "exec-tool BashTool 'ls -la /'".to_owned(),
        "exec-tool BashTool 'git diff notes.txt out/secret.txt'".to_owned(),
        "exec-command add-dir out/new".to_owned(),
        "exec-command add-file /tmp/new".to_owned(),
    ] {
        assert_eq!(kind(&sandbox, &line), "policy", "{line}");
    }
    for line in [
        "exec-tool GrepTool milk",
        "exec-tool GrepTool 'milk notes.txt'",
        "exec-tool GlobTool '**/*.txt'",
    ] {
        let data: Value = sandbox.succeeds(&format!("{line} --json")).data();
        assert_eq!(data["output"].as_str().unwrap().lines().count(), 1, "{data}");
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn plugins_and_skills_that_make_no_sense_are_left_out() {
    let sandbox = sandbox()
        .file(".claw/plugins/bad.json", "{\"commands\": 7}")
        .file(".claw/plugins/deep.json", "[".repeat(100_000))
        .file(".claw/skills/binary.md", b"\xff\xfe");
    let called = sandbox.call(&Version::V2.line("command-graph"));
    let data: Value = called.data();
    assert_eq!((&data["plugin_like_count"], &data["skill_like_count"]), (&1.into(), &1.into()));
    let stderr = String::from_utf8_lossy(&called.stderr);
    assert_eq!(stderr.matches("is left out of the inventory").count(), 3, "{stderr}");
}

#[test]
fn words_that_steer_a_terminal_do_not() {
    let called = sandbox().call_words(["route", "\u{1b}[31mred", "--output", "rich"]);
    assert!(!called.stdout.contains(&0x1b));
    let called = sandbox().call_words(["show-command", "\u{1b}]0;x\u{7}"]);
    assert!(!called.stderr.contains(&0x1b));
}
