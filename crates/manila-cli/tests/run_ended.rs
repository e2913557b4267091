//! Owns: `manila run` ends what must be ended, by its limits or by a signal, stays small whatever is
//! written, and still answers.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;
#[path = "support/tool.rs"]
mod tool;

use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use support::{Call, Ran, skipped};
use tool::{Tool, certain};

/// Opens the pipe beside it, so that a test knows when it is there and when all its processes are
/// gone.
const HERE: &str = "exec 3>\"$here/pipe\"; echo here >&3\n";
/// Ends on its own after some time, if nothing else ends it.
const HANG: &str = "exec sleep 100";

/// Runs a line of a shell, with a word.
fn shell(line: &str, word: &str) {
    let status = Command::new("sh").args(["-c", line, "sh", word]).stdin(Stdio::null()).status();
    assert!(status.expect("a shell").success(), "{line} {word}");
}

/// A call that has begun, and the end of the pipe that its program holds.
struct Begun {
    manila: Child,
    pipe: File,
}

fn begin(tool: &Tool, flags: &[&str]) -> Begun {
    shell("mkfifo \"$1\"", &tool.file("pipe"));
    let manila = tool.call(flags, "").0.spawn().expect("manila starts");
    // Both wait for each other.
    let mut pipe = File::open(tool.file("pipe")).expect("a pipe");
    let mut word = [0; 5];
    pipe.read_exact(&mut word).expect("a writer");
    assert_eq!(&word, b"here\n");
    Begun { manila, pipe }
}

impl Begun {
    /// Sends manila a signal and waits for its end.
    fn end(self, signal: &str) -> (Ran, File) {
        shell(&format!("kill -s {signal} \"$1\""), &self.manila.id().to_string());
        let output = self.manila.wait_with_output().expect("it ends");
        let (stdout, stderr) = (output.stdout, output.stderr);
        (Ran { stdout, stderr, status: output.status }, self.pipe)
    }
}

/// Waits until no process holds the other end any more; one that does not let go within this time
/// never will.
#[track_caller]
fn is_gone(mut pipe: File) {
    let (send, receive) = channel();
    std::thread::spawn(move || send.send(pipe.read(&mut [0]).expect("a pipe")));
    assert_eq!(receive.recv_timeout(Duration::from_secs(20)), Ok(0), "a process still lives");
}

fn usage(envelope: &Value) -> &Value {
    &envelope["meta"]["run"]["trace"]["steps"][0]["usage"]
}

#[test]
fn a_signal_to_manila_ends_the_program_and_is_answered() {
    for (name, number) in [("TERM", 15), ("INT", 2)] {
        let tool = Tool::new(&format!("ended-{name}"), &format!("{HERE}{HANG}"));
        let (ran, pipe) = begin(&tool, &["--json", "--trace"]).end(name);
        is_gone(pipe);
        let envelope = certain(&ran);
        assert_eq!(envelope["error"]["code"], "CANCELLED", "{envelope}");
        assert_eq!(usage(&envelope)["signal"], number);
        assert_eq!(usage(&envelope)["stopped"], "cancelled");
    }
}

#[test]
fn the_status_tells_of_the_signal() {
    let tool = Tool::new("ended-status", &format!("{HERE}{HANG}"));
    let (ran, pipe) = begin(&tool, &["--json", "--trace"]).end("TERM");
    is_gone(pipe);
    assert_eq!(ran.code(), 128 + 15, "{}", ran.out());
}

#[test]
fn others_that_the_program_started_are_ended_by_a_signal_too() {
    let tool = Tool::new("ended-others", &format!("{HERE}sleep 100 &\n{HANG}"));
    let (ran, pipe) = begin(&tool, &["--json", "--trace"]).end("TERM");
    is_gone(pipe);
    assert_eq!(certain(&ran)["error"]["code"], "CANCELLED");
}

#[test]
fn a_program_that_ignores_the_signal_is_killed() {
    let tool = Tool::new("ended-ignored", &format!("trap '' TERM; {HERE}{HANG}"));
    let (ran, pipe) = begin(&tool, &["--json", "--trace", "--grace", "100ms"]).end("TERM");
    is_gone(pipe);
    let envelope = certain(&ran);
    assert_eq!(
        (&envelope["error"]["code"], &usage(&envelope)["signal"]),
        (&json!("CANCELLED"), &json!(9))
    );
}

#[test]
fn a_program_that_ignores_the_signal_does_not_outlive_manila_however_long_its_grace() {
    let tool = Tool::new("ended-outlived", &format!("trap '' TERM; {HERE}{HANG}"));
    let (ran, pipe) = begin(&tool, &["--json", "--trace", "--grace", "1h"]).end("TERM");
    is_gone(pipe);
    assert_eq!(certain(&ran)["error"]["code"], "CANCELLED");
}

#[test]
fn a_signal_to_manila_ends_both_by_that_signal() {
    let tool = Tool::new("ended-people", &format!("{HERE}{HANG}"));
    let (ran, pipe) = begin(&tool, &[]).end("INT");
    is_gone(pipe);
    assert!(ran.stdout.is_empty() && ran.err().is_empty(), "{ran:?}");
    assert_eq!(ran.status.signal(), Some(2), "{ran:?}");
}

#[test]
fn a_program_does_not_outlive_manila_although_that_is_killed() {
    if !cfg!(target_os = "linux") {
        return skipped("only Linux tells a child of the death of its parent");
    }
    for flags in [&[][..], &["--json"]] {
        let tool = Tool::new(&format!("ended-killed-{}", flags.len()), &format!("{HERE}{HANG}"));
        let (ran, pipe) = begin(&tool, flags).end("KILL");
        assert_eq!(ran.status.signal(), Some(9), "{ran:?}");
        is_gone(pipe);
    }
}

#[test]
fn others_that_the_program_started_do_not_outlive_manila_either() {
    if !cfg!(target_os = "linux") {
        return skipped("only Linux tells a child of the death of its parent");
    }
    // A guardian watches the group once the program has run for a moment; that is the second
    // process which has manila as its parent.
    let tool = Tool::new("ended-guarded", &format!("{HERE}sleep 100 &\n{HANG}"));
    let begun = begin(&tool, &["--json"]);
    let children = format!("/proc/{0}/task/{0}/children", begun.manila.id());
    let count = || std::fs::read_to_string(&children).map(|list| list.split_whitespace().count());
    while count().is_ok_and(|children| children < 2) {
        std::thread::yield_now();
    }
    let (_, pipe) = begun.end("KILL");
    is_gone(pipe);
}

#[test]
fn a_signal_ends_a_wait() {
    let body = format!("{HERE}fail 11 BUSY '\"retryable\":true,\"retry_after\":3600'");
    let tool = Tool::new("ended-wait", &body);
    let (ran, _) = begin(&tool, &["--json", "--trace"]).end("TERM");
    let envelope = certain(&ran);
    assert!(!envelope["ok"].as_bool().expect("a word"));
}

#[test]
fn a_program_that_hangs_is_ended_at_its_limit_or_at_the_deadline() {
    let tool = Tool::new("ended-hang", &format!("echo so far; {HANG}"));
    for flag in ["--timeout", "--deadline"] {
        let ran = tool.json(&[flag, "2s"], "");
        let error = ran.error(10, "TIMEOUT");
        assert_eq!(error["detail"], "so far");
        let envelope = certain(&ran);
        assert_eq!(usage(&envelope)["stopped"], "time-limit");
        assert_eq!(usage(&envelope)["signal"], 15);
    }
}

#[test]
fn a_hang_is_not_called_again_unless_it_is_safe() {
    let tool =
        Tool::new("ended-again", &format!("count calls; [ \"$n\" -gt 1 ] || {HANG}\nok '{{}}'"));
    tool.json(&["--timeout", "2s"], "").error(10, "TIMEOUT");
    assert_eq!(tool.counted("calls"), 1);
}

#[test]
fn a_program_that_ignores_its_limit_is_killed_after_the_grace() {
    let tool = Tool::new("ended-grace", &format!("trap '' TERM; {HANG}"));
    let ran = tool.json(&["--timeout", "2s", "--grace", "100ms"], "");
    assert_eq!(usage(&certain(&ran))["signal"], 9);
    ran.error(10, "TIMEOUT");
}

#[test]
fn others_that_hold_the_output_are_ended_and_the_answer_counts() {
    let tool = Tool::new("ended-held", "sleep 100 &\nok '{\"id\":7}'");
    let envelope = certain(&tool.json(&["--linger", "100ms"], ""));
    assert_eq!(
        (&envelope["data"], &usage(&envelope)["stopped"]),
        (&json!({"id": 7}), &json!("held-open"))
    );
    assert_eq!(envelope["meta"]["run"]["unknown"].as_array().map(Vec::len), Some(1));
}

#[test]
fn one_that_left_the_group_cannot_hold_the_answer_back() {
    let daemon = "setsid sh -c 'echo $$ >\"$0/id\"; exec sleep 100' \"$here\" &";
    let waiting = "while [ ! -s \"$here/id\" ]; do :; done";
    let tool = Tool::new("ended-daemon", &format!("{daemon}\n{waiting}\nok '{{\"id\":7}}'"));
    let ran = tool.json(&["--linger", "100ms", "--grace", "100ms"], "");
    shell("kill -9 \"$(cat \"$1\")\"", &tool.file("id"));
    let envelope = certain(&ran);
    assert_eq!(envelope["data"], json!({"id": 7}));
    assert_eq!(usage(&envelope)["stopped"], "held-open");
}

#[test]
fn output_past_the_limit_is_cut_and_the_rest_is_in_a_file() {
    let tool = Tool::new("ended-cut", "head -c 5000 /dev/zero | tr '\\000' a");
    let envelope = certain(&tool.json(&["--max-output", "1000"], ""));
    assert_eq!(envelope["data"]["stdout"], "a".repeat(1000));
    assert_eq!(envelope["meta"]["truncated"], true);
    let warnings = envelope["warnings"].as_array().expect("warnings");
    assert_eq!(warnings[0], "stdout: 5000 bytes were written, and the first 1000 are kept");
    let file = warnings[1].as_str().and_then(|text| text.strip_prefix("more of stdout is in "));
    let file = file.expect("the file is named");
    assert_eq!(std::fs::read_to_string(file).expect("the file"), "a".repeat(5000));
    std::fs::remove_file(file).expect("it is ours to remove");
}

#[test]
fn a_document_past_the_limit_is_no_answer() {
    let tool = Tool::new("ended-document", "printf '{\"ok\":true,'; head -c 5000 /dev/zero");
    tool.json(&["--max-output", "1000"], "").error(1, "OUTPUT_TOO_LARGE");
}

/// The same call in a process that may not have more memory than this.
fn confined(call: &Call, kilobytes: u32) -> Call {
    let limited = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited]).arg(call.0.get_program()).args(call.0.get_args());
    for (name, value) in call.0.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    Call::of(command)
}

#[test]
fn manila_stays_small_whatever_is_written() {
    const KILOBYTES: u32 = 150_000;
    let flood = "printf '{'\nhead -c 200000000 /dev/zero\nhead -c 100000000 /dev/zero >&2";
    let tool = Tool::new("ended-flood", &format!("[ \"$1\" = not ] || {{ {flood}\n}}"));
    if confined(&tool.call(&["--json", "--trace"], "not"), KILOBYTES).run().status.code() != Some(0)
    {
        return skipped("no process can be confined to little memory here");
    }
    let ran =
        confined(&tool.call(&["--json", "--trace", "--max-output", "20000000"], ""), KILOBYTES)
            .run();
    ran.error(1, "OUTPUT_TOO_LARGE");
    let envelope = certain(&ran);
    let usage = usage(&envelope);
    assert_eq!(
        (&usage["stdout_bytes"], &usage["stderr_bytes"]),
        (&json!(200_000_001), &json!(100_000_000))
    );
    assert_eq!(usage["cut"].as_array().map(Vec::len), Some(2));
}
