//! The daemon as a process: it counts what others change, and no end leaves a state that stops the
//! next one.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use rustix::process::{Pid, Signal, getsid, kill_process};
use serde_json::json;
use std::fs;
use support::{Daemon, StopAtEnd, data, filled, sandbox};

fn process(daemon: &Daemon<'_>) -> Pid {
    Pid::from_raw(daemon.pid.cast_signed()).unwrap()
}

#[test]
fn it_sees_what_others_change() {
    let sandbox = filled();
    let daemon = Daemon::start(&sandbox);
    let status = || data(&sandbox.succeeds("daemon status --json"));
    assert_eq!(status()["pid"], daemon.pid);
    assert_eq!(status()["subjects"]["by_status"]["backlog"], 2);
    sandbox.succeeds("subject create --kind task --title new");
    sandbox.succeeds("subject status --id task:TASK-001 --set done");
    let subjects = status()["subjects"].clone();
    assert_eq!(subjects["total"], 4);
    let by_status = json!({
        "backlog": 3, "ready": 0, "in-progress": 0, "blocked": 0, "done": 1, "cancelled": 0
    });
    assert_eq!(subjects["by_status"], by_status);
}

#[test]
fn it_is_a_process_of_its_own() {
    let sandbox = sandbox();
    let daemon = Daemon::start(&sandbox);
    let process = process(&daemon);
    assert_eq!(getsid(Some(process)), Ok(process), "it leads a session");
}

#[test]
fn after_a_stop_nothing_is_left_of_it() {
    let sandbox = sandbox();
    let daemon = Daemon::start(&sandbox);
    sandbox.succeeds("daemon stop");
    daemon.lock().try_lock().unwrap();
    assert!(!sandbox.directory().join(".animus/daemon/socket").exists());
    assert_eq!(data(&sandbox.succeeds("daemon status --json")), "stopped");
    let next = Daemon::start(&sandbox);
    assert_ne!(next.pid, daemon.pid);
}

#[test]
fn the_next_one_starts_after_it_was_killed() {
    let sandbox = filled();
    let daemon = Daemon::start(&sandbox);
    let lock = daemon.lock();
    kill_process(process(&daemon), Signal::KILL).unwrap();
    lock.lock().unwrap();
    drop(lock);
    assert!(sandbox.directory().join(".animus/daemon/socket").exists());
    assert_eq!(data(&sandbox.succeeds("daemon status --json")), "stopped");
    let next = Daemon::start(&sandbox);
    assert_eq!(data(&sandbox.succeeds("daemon status --json"))["pid"], next.pid);
}

#[test]
fn a_signal_ends_it_in_good_order() {
    let sandbox = sandbox();
    let daemon = Daemon::start(&sandbox);
    let lock = daemon.lock();
    kill_process(process(&daemon), Signal::TERM).unwrap();
    lock.lock().unwrap();
    assert!(!sandbox.directory().join(".animus/daemon/socket").exists());
}

#[test]
fn without_its_project_it_ends() {
    let sandbox = sandbox();
    let daemon = Daemon::start(&sandbox);
    let lock = daemon.lock();
    fs::remove_dir_all(sandbox.directory().join(".animus")).unwrap();
    lock.lock().unwrap();
}

#[test]
fn callers_who_say_nothing_or_nonsense_do_no_harm() {
    use std::io::Write;
    use std::os::unix::net::UnixStream;
    let sandbox = sandbox();
    let daemon = Daemon::start(&sandbox);
    let socket = sandbox.directory().join(".animus/daemon/socket");
    let _silent = UnixStream::connect(&socket).unwrap();
    for nonsense in [&b"\xff\0"[..], b"statusstatusstatusstatus", b"stop now", b""] {
        UnixStream::connect(&socket).unwrap().write_all(nonsense).unwrap();
    }
    assert_eq!(data(&sandbox.succeeds("daemon status --json"))["pid"], daemon.pid);
}

#[test]
fn each_project_has_its_own() {
    let (one, other) = (sandbox(), sandbox());
    let _daemon = Daemon::start(&one);
    assert_eq!(data(&other.succeeds("daemon status --json")), "stopped");
}

/// The address of a socket has room for about a hundred bytes, a path for thousands.
#[cfg(target_os = "linux")]
#[test]
fn a_project_may_be_deeper_than_a_socket_name_is_long() {
    let deep = "deep/".repeat(60);
    let sandbox = sandbox().file(&format!("{deep}file"), "");
    let root = sandbox.directory().join(&deep);
    let deeper = sandbox.variable("PROJECT_ROOT", &root);
    assert!(root.as_os_str().len() > 300);
    let call = |line: &str| data(&deeper.succeeds(&format!("{line} --json")));
    let _guard = StopAtEnd(&deeper);
    let pid = call("daemon start")["pid"].clone();
    assert!(root.join(".animus/daemon/socket").exists());
    assert_eq!(call("daemon status")["pid"], pid);
    let again = deeper.call("daemon start --json").opened();
    assert_eq!(again.envelope.error().unwrap().code, "conflict");
    call("daemon stop");
    assert_eq!(call("daemon status"), "stopped");
    assert!(!root.join(".animus/daemon/socket").exists());
}
