//! Time limits and signals: started processes are gone, and finished work is reported.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::read;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;
use showcase_test_support::Sandbox;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use support::Version;

/// A sandbox in which `sleep` writes down who it is before it sleeps.
fn sleepy() -> Sandbox {
    with_program("sleep", "echo $$ >> started\nexec /bin/sleep \"$1\"")
}

/// A sandbox in which a program is this script.
fn with_program(name: &str, script: &str) -> Sandbox {
    let path = format!(".tools/{name}");
    let sandbox = Version::V2.sandbox().file(&path, format!("#!/bin/sh\n{script}\n"));
    let program = sandbox.directory().join(path);
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    sandbox
}

/// Starts a call and waits until it sleeps; the process of the call and of the sleeper.
fn start(sandbox: &Sandbox, line: &str) -> (Child, Pid) {
    // Opening a FIFO for reading waits for a writer.
    let fifo = Command::new("mkfifo").arg(sandbox.directory().join("started")).status().unwrap();
    assert!(fifo.success());
    let mut claw = sandbox.command(line);
    let claw = claw.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let claw = claw.spawn().unwrap();
    let sleeper = sleepers(sandbox).pop().unwrap();
    (claw, sleeper)
}

/// Who wrote down that they sleep.
fn sleepers(sandbox: &Sandbox) -> Vec<Pid> {
    let written = fs::read_to_string(sandbox.directory().join("started")).unwrap_or_default();
    written.lines().map(|line| Pid::from_raw(line.parse().unwrap()).unwrap()).collect()
}

/// Sends a signal to a call and reads its last document.
fn interrupt(claw: Child, signal: Signal) -> (Value, i32) {
    kill_process(Pid::from_child(&claw), signal).unwrap();
    let output = claw.wait_with_output().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn a_cancelled_loop_tells_what_it_did_and_leaves_no_process_behind() {
    for signal in [Signal::INT, Signal::TERM] {
        let sandbox = sleepy();
        let line = "turn-loop '/BashTool sleep 300' --session sess_abc123 --json";
        let (claw, sleeper) = start(&sandbox, line);
        let (document, status) = interrupt(claw, signal);
        assert_eq!((status, &document["exit_code"]), (1, &1.into()));
        assert_eq!(document["final_stop_reason"], "cancelled");
        assert_eq!(document["final_cancel_observed"], true);
        assert_eq!(document["turns"][0]["cancel_observed"], true);
        assert_eq!(document["error"]["message"], "a signal ended the run");
        assert!(test_kill_process(sleeper).is_err(), "the sleeper sleeps on");
        let stored = sandbox.succeeds("list-sessions --json").data::<Value>();
        assert_eq!(stored["sessions"][0]["stopped"], true);
    }
}

#[test]
fn a_cancelled_tool_is_gone() {
    let sandbox = sleepy();
    let (claw, sleeper) = start(&sandbox, "exec-tool BashTool 'sleep 300' --json");
    let (document, status) = interrupt(claw, Signal::TERM);
    assert_eq!((status, &document["command"]), (1, &"exec-tool".into()));
    assert!(test_kill_process(sleeper).is_err(), "the sleeper sleeps on");
}

#[test]
fn a_tool_that_takes_too_long_is_gone_with_all_that_it_started() {
    for line in [
        "exec-tool BashTool 'sleep 300' --timeout-seconds LIMIT --json",
        // The limit of the whole call is kept by the program before the boundary must.
        "exec-tool BashTool 'sleep 300' --timeout LIMITs --json",
        "bootstrap '/BashTool sleep 300' --timeout-seconds LIMIT --json",
        "turn-loop '/BashTool sleep 300' --timeout-seconds LIMIT --json",
    ] {
        // On a machine so slow that it was killed before it wrote, it gets more time.
        let mut limits = ["1", "4", "16", "64"].into_iter();
        let sleepers = limits.find_map(|limit| ended_by_limit(&line.replace("LIMIT", limit)));
        let sleepers = sleepers.unwrap_or_else(|| panic!("{line}: nothing was started"));
        for sleeper in sleepers {
            assert!(test_kill_process(sleeper).is_err(), "{line}: it sleeps on");
        }
    }
}

/// Makes a call that its limit ends; those who wrote down that they slept, if there are any.
fn ended_by_limit(line: &str) -> Option<Vec<Pid>> {
    let sandbox = sleepy();
    let output = sandbox.command(line).stdin(Stdio::null()).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &document["exit_code"]), (Some(2), &2.into()), "{line}");
    assert_eq!(document["error"]["kind"], "runtime", "{line}");
    Some(sleepers(&sandbox)).filter(|sleepers| !sleepers.is_empty())
}

#[test]
fn what_a_tool_leaves_behind_is_gone_and_what_it_said_is_heard() {
    let sandbox = with_program("uname", "/bin/sleep 300 > held &\necho here");
    let held = sandbox.directory().join("held");
    assert!(Command::new("mkfifo").arg(&held).status().unwrap().success());
    let held = open(&held, OFlags::NONBLOCK, Mode::empty()).unwrap();
    let data: Value = sandbox.succeeds("exec-tool BashTool uname --json").data();
    assert_eq!(data["output"], "here\n");
    // A pipe that a process could still write to would not be at its end.
    assert_eq!(read(held, &mut [0; 1]), Ok(0), "the sleeper sleeps on");
}

#[test]
fn what_a_tool_says_is_heard_up_to_a_limit() {
    let sandbox = Version::V2.sandbox();
    let long = "y".repeat(100_000);
    let called = sandbox.call_words(["exec-tool", "BashTool", &format!("echo {long}"), "--json"]);
    let data: Value = called.data();
    let output = data["output"].as_str().unwrap();
    assert!(output.len() < 70_000 && output.ends_with("… (cut)\n"), "{}", output.len());
}
