//! Every command, success and failure, as programs and as people see it.

mod support;

use showcase_test_support::Sandbox;
use std::os::unix::net::UnixListener;
use support::{Daemon, StopAtEnd, filled, sandbox};

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// Each case is called once for programs and once for people, in a sandbox of its own.
#[track_caller]
fn check(sandbox: impl Fn() -> Sandbox, cases: &[(&str, &str)]) {
    for (name, line) in cases {
        for (mode, flag) in [("json", "--json"), ("rich", "--output rich")] {
            sandbox().golden(PACKAGE, &format!("{name}.{mode}"), &format!("{line} {flag}"));
        }
    }
}

#[test]
fn help() {
    for (name, line) in [
        ("help", "--help"),
        ("help_subject", "subject --help"),
        ("help_subject_create", "subject create --help"),
        ("help_subject_status", "subject status --help"),
        ("help_daemon", "daemon"),
    ] {
        sandbox().golden(PACKAGE, name, line);
    }
}

#[test]
fn subject_create() {
    check(
        sandbox,
        &[
            ("create", "subject create --kind task --title 'Fix login bug' --priority high"),
            ("create_requirement", "subject create --kind requirement --title 'Be fast'"),
            ("create_bad_priority", "subject create --kind task --title x --priority urgentest"),
            ("create_no_title", "subject create --kind task"),
            ("create_empty_title", "subject create --kind task --title ' '"),
            ("create_mistakes", "subject create --kind bug --titel x --priority urgentest"),
        ],
    );
    let again = "subject create --kind task --title 'Fix login bug'";
    let allowed = format!("{again} --allow-duplicate");
    check(filled, &[("create_duplicate", again), ("create_duplicate_allowed", &allowed)]);
}

#[test]
fn subject_get() {
    check(
        filled,
        &[
            ("get", "subject get --kind task --id task:TASK-001"),
            ("get_described", "subject get --kind task --id task:TASK-002"),
            ("get_missing", "subject get --kind task --id task:NONEXISTENT"),
            ("get_another_kind", "subject get --kind requirement --id task:TASK-001"),
            ("get_bad_id", "subject get --kind task --id TASK-001"),
        ],
    );
    filled().golden(PACKAGE, "get.plain", "subject get --kind task --id task:TASK-002");
}

#[test]
fn subject_list() {
    check(sandbox, &[("list_empty", "subject list")]);
    check(
        filled,
        &[
            ("list", "subject list"),
            ("list_filtered", "subject list --kind task --status in-progress --priority high"),
            ("list_bad_status", "subject list --status bogus"),
        ],
    );
    filled().golden(PACKAGE, "list.plain", "subject list");
    sandbox().golden(PACKAGE, "list_empty.plain", "subject list");
}

#[test]
fn subject_status() {
    check(
        filled,
        &[
            ("status", "subject status --kind task --id task:TASK-002 --set in-progress"),
            ("status_same", "subject status --kind task --id task:TASK-001 --set in-progress"),
            ("status_conflict", "subject status --kind task --id task:TASK-002 --set done"),
            ("status_missing", "subject status --kind task --id task:TASK-404 --set done"),
        ],
    );
}

#[test]
fn project_root() {
    let file = || sandbox().file("file", "");
    check(
        file,
        &[
            ("root_missing", "subject list --project-root absent/deeper"),
            ("root_file", "subject list --project-root file"),
        ],
    );
    let corrupt = || sandbox().file(".animus/subjects.json", "{\"subjects\": [");
    check(
        corrupt,
        &[
            ("store_corrupt", "subject list"),
            ("store_corrupt_create", "subject create --kind task --title x"),
        ],
    );
}

#[test]
fn unknown_words() {
    check(sandbox, &[("unknown_command", "frobnicate"), ("unknown_flag", "subject list --bogus")]);
}

#[test]
fn daemon_that_runs() {
    let sandbox = filled();
    let _guard = StopAtEnd(&sandbox);
    for (mode, flag) in [("json", "--json"), ("rich", "--output rich"), ("plain", "")] {
        let golden = |name: &str, line: &str| {
            sandbox.golden(PACKAGE, &format!("{name}.{mode}"), format!("{line} {flag}").trim_end());
        };
        golden("daemon_start", "daemon start");
        golden("daemon_start_again", "daemon start");
        golden("daemon_status", "daemon status");
        golden("daemon_stop", "daemon stop");
        golden("daemon_status_stopped", "daemon status");
        golden("daemon_stop_again", "daemon stop");
    }
}

#[test]
fn daemon_that_does_not_start() {
    let corrupt = || sandbox().file(".animus/subjects.json", "[]");
    check(corrupt, &[("daemon_start_failed", "daemon start")]);
}

#[test]
fn daemon_that_does_not_answer() {
    let sandbox = sandbox().file(".animus/daemon/log", "");
    let _listener = UnixListener::bind(sandbox.directory().join(".animus/daemon/socket")).unwrap();
    sandbox.golden(PACKAGE, "daemon_silent.json", "daemon status --json");
    let line = "daemon stop --shutdown-timeout-secs 1 --output rich";
    sandbox.golden(PACKAGE, "daemon_silent.rich", line);
}

#[test]
fn a_file_that_breaks_while_the_daemon_watches() {
    let sandbox = filled();
    let _daemon = Daemon::start(&sandbox);
    std::fs::write(sandbox.directory().join(".animus/subjects.json"), "{").unwrap();
    sandbox.golden(PACKAGE, "daemon_status_problem.json", "daemon status --json");
    sandbox.golden(PACKAGE, "daemon_status_problem.rich", "daemon status --output rich");
}
