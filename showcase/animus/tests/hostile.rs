//! Malformed files and hostile arguments: a clear failure, and nothing lost or created.

mod support;

use manila_clap::testing::Called;
use showcase_test_support::Sandbox;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use support::{filled, sandbox};

/// The error's message, with the status that goes with it.
#[track_caller]
fn refused(called: &Called, status: i32) -> String {
    assert_eq!(called.status, status);
    called.opened().envelope.error().map(|error| error.message.clone()).unwrap_or_default()
}

#[test]
fn reading_makes_nothing() {
    let sandbox = sandbox();
    for line in [
        "subject list",
        "subject get --kind task --id task:TASK-001",
        "subject status --kind task --id task:TASK-001 --set done",
        "daemon status",
        "daemon stop",
        "subject create --kind task --title x --validate-only",
        "subject create --kind task --title x --project-root absent",
    ] {
        sandbox.call(line);
        assert_eq!(fs::read_dir(sandbox.directory()).unwrap().count(), 0, "{line}");
    }
}

#[test]
fn a_file_that_is_broken_stays_as_it_is() {
    let nested = "[".repeat(100_000);
    let subject = |change: &str| format!("{{\"subjects\":[{{\"id\":\"TASK-001\",{change}}}]}}");
    for broken in [
        b"".to_vec(),
        b"\xff\xfe\x00".to_vec(),
        nested.into_bytes(),
        b"{\"subjects\":[],\"newer\":1}".to_vec(),
        b"{\"subjects\":[{\"id\":\"../../etc\"}]}".to_vec(),
        subject("\"title\":7").into_bytes(),
        subject("\"status\":\"unheard-of\"").into_bytes(),
    ] {
        let sandbox = sandbox().file(".animus/subjects.json", &broken);
        for line in ["subject list --json", "subject create --kind task --title x --json"] {
            let message = refused(&sandbox.call(line), 1);
            assert!(message.contains("subjects.json"), "{message}");
        }
        assert_eq!(fs::read(sandbox.directory().join(".animus/subjects.json")).unwrap(), broken);
    }
}

#[test]
fn a_file_that_is_huge_is_not_read() {
    let sandbox = sandbox().file(".animus/subjects.json", "");
    let file = File::options().write(true).open(sandbox.directory().join(".animus/subjects.json"));
    file.unwrap().set_len(1 << 40).unwrap();
    let message = refused(&sandbox.call("subject list --json"), 1);
    assert!(message.contains("larger than 64 MiB"), "{message}");
}

#[test]
fn a_directory_where_a_file_should_be_is_reported() {
    let sandbox = sandbox().file(".animus/subjects.json/file", "");
    refused(&sandbox.call("subject list --json"), 1);
    refused(&sandbox.call("subject create --kind task --title x --json"), 1);
}

#[test]
fn a_file_where_the_directory_should_be_is_reported() {
    let sandbox = sandbox().file(".animus", "");
    refused(&sandbox.call("subject create --kind task --title x --json"), 1);
    assert_eq!(refused(&sandbox.call("daemon start --json"), 1), "daemon failed to start");
    assert_eq!(fs::read(sandbox.directory().join(".animus")).unwrap(), b"");
}

#[test]
fn links_in_the_daemons_directory_lead_nowhere() {
    for name in ["pid", "log"] {
        let sandbox = sandbox().file("precious", "precious").file(".animus/daemon/other", "");
        let victim = sandbox.directory().join("precious");
        symlink(&victim, sandbox.directory().join(".animus/daemon").join(name)).unwrap();
        assert_eq!(refused(&sandbox.call("daemon start --json"), 1), "daemon failed to start");
        assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
    }
}

fn call_bytes(sandbox: &Sandbox, words: &[&[u8]]) -> Called {
    sandbox.call_words(words.iter().map(|word| OsString::from_vec(word.to_vec())))
}

#[test]
fn arguments_that_are_no_text_are_refused() {
    let sandbox = sandbox();
    let bad: &[u8] = b"\xff\xfe";
    let called = call_bytes(
        &sandbox,
        &[b"subject", b"create", b"--kind", b"task", b"--title", bad, b"--json"],
    );
    refused(&called, 2);
    let called = call_bytes(&sandbox, &[b"subject", b"list", b"--project-root", bad, b"--json"]);
    refused(&called, 3);
    let called = call_bytes(&sandbox, &[bad, b"--json"]);
    refused(&called, 2);
}

#[test]
fn odd_ids_are_not_found_and_steer_nothing() {
    let sandbox = filled();
    for key in ["../../etc/passwd", "TASK-001/", "TASK-1", "REQ-001", "\u{1b}[2J", "💥", "a b"] {
        let id = format!("task:{key}");
        let called = sandbox.call_words(["subject", "get", "--kind", "task", "--id", &id]);
        assert_eq!(called.status, 3, "{key:?}");
        assert!(!called.stderr.contains(&0x1b), "{key:?}");
    }
    assert_eq!(sandbox.call_words(["subject", "get", "--id", "task:"]).status, 2);
}

#[test]
fn a_text_without_end_is_refused() {
    let sandbox = sandbox();
    for flag in ["--title", "--description"] {
        let text = "x".repeat(100_000);
        let called = sandbox.call_words([
            "subject", "create", "--kind", "task", "--title", "t", flag, &text, "--json",
        ]);
        assert_eq!(called.status, 2, "{flag}");
    }
    assert!(!sandbox.directory().join(".animus").exists());
}

#[test]
fn the_nearest_project_around_is_meant() {
    let directory = sandbox();
    let made = directory.file("project/.git/config", "").file("project/src/deep/file", "");
    let run = |line: &str, directory: &str| {
        let mut command = made.command(line);
        command.current_dir(made.directory().join(directory)).env_remove("PROJECT_ROOT");
        command.output().unwrap()
    };
    let created = run("subject create --kind task --title x", "project/src/deep");
    assert!(created.status.success());
    assert!(made.directory().join("project/.animus/subjects.json").exists());
    assert!(run("subject get --id task:TASK-001", "project").status.success());
    assert!(!made.directory().join("project/src/deep/.animus").exists());
}
