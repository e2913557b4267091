//! Frames and the envelope that closes them.

use crate::everywhere;
use crate::support::{Ran, drained, full, full_disk, hung_up, misbehave};
use rustix::process::Signal;
use serde_json::Value;
use std::io::{self, Read};

// proves: O-004
#[test]
fn a_stream_is_frames_and_one_envelope_in_every_dialect() {
    for run in everywhere("stream --output jsonl") {
        let (frames, closing) = run.start().ready().end().frames();
        let numbers: Vec<_> = frames.iter().filter_map(|frame| frame["seq"].as_u64()).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "{frames:?}");
        closing.succeeds_quietly();
    }
}

#[test]
fn a_stream_that_a_signal_ends_is_closed_by_that_failure() {
    let mut started = misbehave("stream-on --output jsonl").start().ready();
    let stdout = started.stdout.take().expect("a pipe");
    full(&stdout);
    let started = started.signal(Signal::TERM);
    let reader = drained(stdout);
    let ran = Ran { stdout: Vec::new(), ..started.end() };
    let stdout = reader.join().expect("read");
    let lines: Vec<&[u8]> = stdout.split(|byte| *byte == b'\n').collect();
    let last = lines.iter().rev().find(|line| !line.is_empty()).expect("a line");
    let ran = Ran { stdout: last.to_vec(), ..ran };
    let envelope = ran.is_cancelled_by(libc::SIGTERM);
    assert!(envelope.meta().extra.get("frames").is_none(), "they were not counted");
}

#[test]
fn a_frame_of_another_thread_is_whole_before_the_prepared_answer() {
    let mut started = misbehave("stream-elsewhere --output jsonl").start().ready();
    let stdout = started.stdout.take().expect("a pipe");
    // A frame is longer than a pipe takes: the other thread is in the middle of one.
    full(&stdout);
    let started = started.signal(Signal::TERM);
    let reader = drained(stdout);
    let ran = started.end();
    let stdout = reader.join().expect("read");
    let lines: Vec<&[u8]> =
        stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let (last, frames) = lines.split_last().expect("a line");
    assert!(!frames.is_empty(), "no frame was written");
    for frame in frames {
        assert!(serde_json::from_slice::<Value>(frame).is_ok(), "a torn frame");
    }
    Ran { stdout: last.to_vec(), ..ran }.is_cancelled_by(libc::SIGTERM);
}

#[test]
fn a_reader_that_never_reads_keeps_no_run_beyond_its_time() {
    // The answer is torn, and the status says so; last words have the status of the time limit. It
    // has begun long before that, also on a machine that is busy.
    let torn = misbehave("big 3000000 --timeout 3s");
    let mut started = torn.start();
    let unread = started.stdout.take().expect("a pipe");
    assert_eq!(started.end().status.code(), Some(10));
    drop(unread);
    let mut started = misbehave("stream-on --output jsonl --timeout 300ms").start();
    let unread = started.stdout.take().expect("a pipe");
    assert_eq!(started.end().status.code(), Some(10));
    drop(unread);
}

#[test]
fn a_stream_without_a_reader_ends() {
    for mode in ["jsonl", "plain"] {
        let run = misbehave("stream-on --output").arg(mode).stdout(hung_up());
        let ran = run.start().ready().end();
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    }
}

#[test]
fn a_stream_that_could_not_be_written_is_no_success() {
    for mode in ["jsonl", "plain", "rich", "json"] {
        let run = misbehave("stream --output").arg(mode).stdout(full_disk());
        let ran = run.start().ready().end();
        assert_ne!(ran.status.code(), Some(0), "{mode} {ran:?}");
        assert!(ran.err().contains("OUTPUT_FAILED"), "{mode} {ran:?}");
    }
}

#[test]
fn items_for_people_are_collected_in_a_pipe_and_survive_exit() {
    let ran = misbehave("stream-and-exit --plain").start().end();
    assert_eq!(ran.status.code(), Some(7));
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    let names: Vec<usize> = (1..=3).filter_map(|id| stdout.find(&format!("item {id}"))).collect();
    assert_eq!(names.len(), 3, "{stdout}");
    assert!(names.is_sorted(), "{stdout}");
}

#[test]
fn a_secret_is_in_no_item_for_people() {
    let ran = misbehave("secret item --token hunter2-0815 --plain").start().end();
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(stdout.contains("[REDACTED]") && !stdout.contains("hunter2"), "{stdout}");
}

#[test]
fn a_stream_takes_the_same_memory_however_long_it_gets() {
    for mode in ["--output jsonl", "--plain"] {
        let mut started = misbehave(&format!("stream-on {mode}")).start().ready();
        let mut stdout = started.stdout.take().expect("a pipe");
        let peak = |bytes: u64, stdout: &mut dyn Read| {
            let read = io::copy(&mut stdout.take(bytes), &mut io::sink()).expect("it writes");
            assert_eq!(read, bytes, "{mode}");
            let status = format!("/proc/{}/status", started.child.id());
            let status = std::fs::read_to_string(status).expect("it runs");
            let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("a peak");
            let number = line.split_whitespace().nth(1).expect("a number");
            number.parse::<u64>().expect("kilobytes")
        };
        let early = peak(1 << 18, &mut stdout);
        let late = peak(1 << 21, &mut stdout);
        assert!(
            late < early + 1024,
            "{mode}: {early} kB after 256 KiB, {late} kB after 2 MiB more"
        );
        let reader = drained(stdout);
        let _ = started.signal(Signal::KILL).end();
        let _ = reader.join();
    }
}
