//! Readers that hang up, are slow, or do not read.

use crate::everywhere;
use crate::support::{
    Ran, Run, drained, full, full_disk, hung_up, misbehave, nonblocking, terminal,
};
use manila::Exit;
use std::io::{self, Read};

// proves: F-014
#[test]
fn a_reader_that_hangs_up_changes_nothing() {
    for (line, exit) in [("ok", Exit::Success), ("fail", Exit::NotFound), ("--help", Exit::Success)]
    {
        for mode in ["json", "jsonl", "plain", "rich"] {
            for run in everywhere(line) {
                let ran = run.arg("--output").arg(mode).stdout(hung_up()).run();
                let expected = ran.dialect.status(exit);
                assert_eq!(ran.status.code(), Some(expected), "{ran:?}");
                assert!(exit != Exit::Success || ran.stderr.is_empty(), "{ran:?}");
            }
        }
    }
    for (line, status) in [("big 1000000", 0), ("panic", 1), ("nonsense", 3)] {
        let ran = misbehave(line).stdout(hung_up()).stderr(hung_up()).run();
        assert_eq!(ran.status.code(), Some(status), "{line}");
    }
}

// proves: F-014
#[test]
fn a_reader_that_hangs_up_in_the_middle_changes_nothing() {
    for (line, status) in [("big 1000000", 0), ("big 1000000 --output plain", 0)] {
        let mut started = misbehave(line).start();
        let mut stdout = started.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0]).expect("a byte");
        drop(stdout);
        let ran = started.end();
        assert_eq!((ran.status.code(), ran.err().as_str()), (Some(status), ""), "{ran:?}");
    }
}

#[test]
fn a_terminal_that_is_closed_is_a_reader_that_hung_up() {
    for line in ["ok --output rich", "ok --json"] {
        let (ours, theirs) = terminal();
        drop(ours);
        let ran = misbehave(line).stdout(theirs).run();
        assert_eq!((ran.status.code(), ran.err().as_str()), (Some(0), ""), "{line} {ran:?}");
    }
}

#[test]
fn an_answer_that_could_not_be_written_is_no_success() {
    for run in everywhere("ok") {
        let ran = run.stdout(full_disk()).run();
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        assert!(ran.err().starts_with("error[OUTPUT_FAILED]: "), "{ran:?}");
        assert_eq!(ran.err().lines().count(), 1, "{ran:?}");
    }
    for line in ["ok --output plain", "--help", "--version", "big 1000000", "old"] {
        let ran = misbehave(line).stdout(full_disk()).run();
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        assert!(ran.err().contains("error[OUTPUT_FAILED]: "), "{ran:?}");
    }
    for run in everywhere("fail") {
        let ran = run.stdout(full_disk()).run();
        assert_eq!(ran.status.code(), Some(ran.dialect.status(Exit::NotFound)), "{ran:?}");
        assert!(!ran.stderr.is_empty(), "{ran:?}");
    }
}

#[test]
fn warnings_that_could_not_be_written_do_not_take_the_answer_with_them() {
    for line in ["old", "warn careful"] {
        for run in everywhere(line) {
            let ran = run.stderr(full_disk()).run();
            ran.succeeds();
        }
        let ran = misbehave(line).arg("--output").arg("plain").stderr(full_disk()).run();
        assert_eq!(ran.status.code(), Some(0), "{line} {ran:?}");
        assert!(!ran.stdout.is_empty(), "{line}");
    }
}

#[test]
fn a_failure_that_could_not_be_written_is_still_one() {
    for run in everywhere("fail") {
        let ran = run.stdout(full_disk()).stderr(full_disk()).run();
        assert_eq!(ran.status.code(), Some(ran.dialect.status(Exit::NotFound)), "{ran:?}");
    }
    for run in everywhere("ok") {
        let ran = run.stdout(full_disk()).stderr(full_disk()).run();
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    }
}

#[test]
fn a_slow_reader_gets_every_byte() {
    for run in everywhere("big 300") {
        let mut started = run.start();
        let mut stdout = started.stdout.take().expect("a pipe");
        let (mut all, mut byte) = (Vec::new(), [0]);
        while stdout.read(&mut byte).expect("readable") == 1 {
            all.push(byte[0]);
        }
        Ran { stdout: all, ..started.end() }.succeeds_quietly();
    }
}

#[test]
fn a_reader_that_begins_late_gets_every_byte() {
    for run in everywhere("big 1000000") {
        let mut started = run.start();
        let stdout = started.stdout.take().expect("a pipe");
        full(&stdout);
        let reader = drained(stdout);
        let ran = Ran { stdout: Vec::new(), ..started.end() };
        Ran { stdout: reader.join().expect("read"), ..ran }.succeeds_quietly();
    }
}

#[test]
fn a_pipe_that_does_not_wait_gets_every_byte() {
    for line in ["big 1000000", "big 1000000 --output plain"] {
        let (reader, writer) = nonblocking();
        let started = misbehave(line).stdout(writer).start();
        full(&reader);
        let reader = drained(reader);
        let ran = started.end();
        let stdout = reader.join().expect("read");
        assert!(stdout.len() > 1_000_000, "{ran:?}");
        if !line.contains("plain") {
            Ran { stdout, ..ran }.succeeds_quietly();
        }
    }
}

#[test]
fn twenty_megabytes_arrive_whole() {
    const SIZE: usize = 20_000_000;
    let mut started = misbehave("big").arg(SIZE.to_string()).start();
    let stdout = started.stdout.take().expect("a pipe");
    full(&stdout);
    let reader = drained(stdout);
    let ran = Ran { stdout: Vec::new(), ..started.end() };
    let envelope = Ran { stdout: reader.join().expect("read"), ..ran }.succeeds_quietly();
    let data = envelope.content().data.as_ref().expect("data").as_str();
    assert_eq!(data.len(), SIZE + r#"{"value":""}"#.len());
}

#[test]
fn both_streams_in_one_are_one_document() {
    for line in ["ok", "fail", "--help", "nonsense", "big 100000", "big-failure 100000"] {
        for run in everywhere(line) {
            merged(run).opened();
        }
    }
    // Other dialects have no place for warnings in the document.
    for line in ["old"] {
        for run in everywhere(line).filter(Run::has_meta) {
            merged(run).succeeds();
        }
    }
}

/// Runs it with both streams in one pipe, and takes what comes for the stream of the answer.
fn merged(run: Run) -> Ran {
    let (reader, writer) = io::pipe().expect("a pipe");
    let other = writer.try_clone().expect("a second end");
    let started = run.stdout(writer).stderr(other).start();
    let reader = drained(reader);
    let ran = started.end();
    let all = reader.join().expect("read");
    let ok = ran.status.code() == Some(0);
    match ran.dialect.form(ok).stream {
        manila::Stream::Stdout => Ran { stdout: all, ..ran },
        manila::Stream::Stderr => Ran { stderr: all, ..ran },
    }
}
