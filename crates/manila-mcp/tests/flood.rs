//! Clients that send more than a server can use, or read nothing: every line is answered, the memory stays small,
//! and the end comes when it is due.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{PATIENCE, Recorder, ended};

const CURRENT: &str = "2025-11-25";
/// More than a server of the debug profile takes, and a small part of what it is sent.
const MOST_MEMORY: u64 = 64 << 20;

/// The most memory that a process has had, in bytes.
fn peak(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[test]
fn a_flood_of_lines_that_are_no_messages_is_answered_and_not_kept() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    let deep = "[".repeat(50_000);
    let long = vec![b'x'; 128 << 20];
    let numbers = format!("[{}0]", "0,".repeat(500_000));
    let lines: &[(&[u8], usize, i64)] = &[
        (b"nonsense", 5000, -32700),
        (b"\0\0\0\0", 2000, -32700),
        (b"\xff\xfe\xc0\"", 2000, -32700),
        (deep.as_bytes(), 20, -32700),
        (numbers.as_bytes(), 5, -32600),
        (&long, 1, -32600),
    ];
    for (line, times, code) in lines {
        (0..*times).for_each(|_| client.send_line(line));
        for _ in 0..*times {
            assert_eq!(client.receive()["error"]["code"], *code);
        }
    }
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    let peak = peak(client.id());
    assert!(peak < MOST_MEMORY, "{peak} bytes");
    assert!(client.close().success());
}

#[test]
fn many_calls_at_once_are_all_answered() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    recorder.write("a.out", "answered");
    let call = |argv: &[&str]| json!({"name": "read", "arguments": {"argv": argv}});
    let mut open: BTreeMap<i64, bool> = (0..560)
        .map(|number| {
            let argv: &[&str] =
                if number < 60 { &["tool", "show", "a"] } else { &["no-such-program"] };
            (client.begin("tools/call", call(argv)), number < 60)
        })
        .collect();
    while !open.is_empty() {
        let answer = client.receive();
        let succeeds = open.remove(&answer["id"].as_i64().unwrap()).expect("one answer each");
        assert_eq!(answer["result"]["structuredContent"]["ok"], succeeds, "{answer}");
    }
}

#[test]
fn a_client_that_reads_nothing_takes_no_memory_and_does_not_hold_up_the_end() {
    let recorder = Recorder::new();
    let mut server = Command::new(env!("CARGO_BIN_EXE_manila-mcp"))
        .arg("--cwd")
        .arg(recorder.path())
        .args(["--program", &recorder.tool()])
        .env("XDG_CONFIG_HOME", recorder.path().join("no-config"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = server.stdin.take().unwrap();
    let stdout = server.stdout.take().unwrap();
    let params = json!({
        "protocolVersion": CURRENT, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    });
    let begin = json!({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params});
    let writing = std::thread::spawn(move || {
        writeln!(stdin, "{begin}").unwrap();
        // The server reads on for as long as its answers fit; the end of it ends this.
        (0..u64::MAX)
            .map(|id| json!({"jsonrpc": "2.0", "id": id, "method": "ping"}))
            .find_map(|ping| writeln!(stdin, "{ping}").err())
    });
    let begin = Instant::now();
    while rustix::io::ioctl_fionread(&stdout).unwrap() < 60_000 {
        assert!(begin.elapsed() < PATIENCE, "stdout is not full");
        std::thread::park_timeout(Duration::from_millis(10));
    }
    let peak = peak(server.id());
    assert!(peak < MOST_MEMORY, "{peak} bytes");
    let pid = Pid::from_raw(i32::try_from(server.id()).unwrap()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    assert!(ended(&mut server).success());
    assert!(writing.join().unwrap().is_some(), "the server reads no more");
    drop(stdout);
}
