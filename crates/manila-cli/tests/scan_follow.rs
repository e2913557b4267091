//! Owns: a log that grows is judged as it grows, through rotation and cutting, until a signal.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use support::{empty_dir, manila};

const GOOD: &str = "{\"ok\":true,\"type\":\"task\",\"data\":{\"id\":7}}\n";
const BAD: &str = "{\"ok\":true,\"type\":\"task\",\"data\":null}\n";

/// A call that follows, and the lines it has written so far.
struct Following {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Following {
    fn start(dir: &Path, line: &str) -> Following {
        let mut call = manila(["scan", "--follow", "--output", "jsonl"]);
        call.0.args(line.split_whitespace()).current_dir(dir).stdin(Stdio::piped());
        let mut child = call.0.spawn().expect("manila starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Following { child, lines }
    }

    /// The next line, once it is there.
    fn next(&mut self) -> Value {
        let line = self.lines.next().expect("a line").expect("it reads");
        serde_json::from_str(&line).expect("JSON")
    }

    /// The place of the next violation: its line and its byte.
    fn violation(&mut self) -> (u64, u64) {
        let frame = self.next();
        assert_eq!(frame["kind"], "violation", "{frame}");
        let number = |key: &str| frame["data"][key].as_u64().expect("a number");
        (number("line"), number("byte"))
    }

    /// Ends it with a signal: the envelope that closes the stream, and the status.
    fn end(mut self, signal: &str) -> (Value, Option<i32>) {
        let kill = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(kill.is_ok_and(|kill| kill.success()));
        let envelope = self.next();
        (envelope, self.child.wait().expect("it ends").code())
    }
}

/// The counts in the error of the envelope that closes the stream.
fn counted(envelope: &Value) -> &str {
    envelope["error"]["detail"].as_str().expect("counts")
}

fn append(path: &Path, text: &str) {
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).expect("it grows");
}

fn place(name: &str) -> (PathBuf, PathBuf) {
    let dir = empty_dir(name);
    let log = dir.join("log");
    (dir, log)
}

#[test]
fn a_log_that_grows_is_judged_as_it_grows() {
    let (dir, log) = place("scan_follow");
    fs::write(&log, format!("{GOOD}{BAD}")).expect("writes");
    for (signal, name) in [("-INT", "int"), ("-TERM", "term")] {
        let mut following = Following::start(&dir, "log");
        assert_eq!(following.violation(), (2, 74));
        append(&log, &format!("{GOOD}{}", &BAD[..10]));
        append(&log, &BAD[10..]);
        assert_eq!(following.violation(), (4, 154));
        let (envelope, status) = following.end(signal);
        // A signal is how it ends: the status is that of what was found.
        assert_eq!(
            (status, &envelope["error"]["code"]),
            (Some(100), &"VIOLATIONS_FOUND".into()),
            "{name}"
        );
        assert!(counted(&envelope).starts_with("4 judged, 2 bad"), "{envelope}");
        fs::write(&log, format!("{GOOD}{BAD}")).expect("writes");
    }
}

#[test]
fn rotation_and_cutting_begin_anew() {
    let (dir, log) = place("scan_follow_rotated");
    fs::write(&log, BAD).expect("writes");
    let mut following = Following::start(&dir, "log");
    assert_eq!(following.violation(), (1, 32));
    append(&log, &format!("{GOOD}{BAD}"));
    fs::rename(&log, dir.join("log.1")).expect("renames");
    append(&log, BAD);
    assert_eq!(following.violation(), (3, 112));
    assert_eq!(following.violation(), (1, 32));
    append(&log, GOOD);
    append(&log, BAD);
    assert_eq!(following.violation(), (3, 112));
    // Cut, and not as long as before again.
    fs::write(&log, BAD).expect("writes");
    assert_eq!(following.violation(), (1, 32));
    let (envelope, _) = following.end("-INT");
    assert!(counted(&envelope).starts_with("7 judged"), "{envelope}");
}

#[test]
fn a_pipe_is_followed_to_its_end() {
    let (dir, _) = place("scan_follow_pipe");
    let mut following = Following::start(&dir, "-");
    let mut stdin = following.child.stdin.take().expect("a pipe");
    stdin.write_all(BAD.as_bytes()).expect("writes");
    assert_eq!(following.violation(), (1, 32));
    stdin.write_all(GOOD.as_bytes()).expect("writes");
    drop(stdin);
    assert!(counted(&following.next()).starts_with("2 judged"));
    assert_eq!(following.child.wait().expect("it ends").code(), Some(100));
}

#[test]
fn what_was_begun_when_a_pipe_is_left_is_not_judged() {
    let (dir, _) = place("scan_follow_left");
    let mut following = Following::start(&dir, "-");
    let mut stdin = following.child.stdin.take().expect("a pipe");
    // In one piece, so that all of it was read when the violation is reported.
    stdin.write_all(format!("{BAD}{}", &GOOD[..17]).as_bytes()).expect("writes");
    assert_eq!(following.violation(), (1, 32));
    let (envelope, _) = following.end("-INT");
    drop(stdin);
    assert!(counted(&envelope).starts_with("1 judged"), "{envelope}");
    assert!(envelope["warnings"].to_string().contains("17 bytes of an unfinished"), "{envelope}");
}
