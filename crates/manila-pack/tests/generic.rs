//! The generic reading of words as programs write them: `generic.tsv`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at the first surprise")]

use manila::{Confidence, Status, Transcript};
use manila_pack::read_any;
use std::fmt::Write as _;

/// The class, the status, the call and stderr of a line.
fn cases() -> Vec<(&'static str, i32, Vec<String>, String)> {
    let text = include_str!("generic.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut parts = line.splitn(4, '\t');
            let mut part = || parts.next().unwrap_or_else(|| panic!("four columns: {line}"));
            let (class, status, call, stderr) = (part(), part(), part(), part());
            let status = status.parse().unwrap_or_else(|_| panic!("a status: {line}"));
            let argv = shlex::split(call).expect("shell words");
            (class, status, argv, stderr.replace("\\n", "\n"))
        })
        .collect()
}

#[test]
fn each_is_read_as_an_expert_would() {
    let mut wrong = String::new();
    for (class, status, argv, stderr) in cases() {
        let status = Status::Exited(status);
        let transcript = Transcript {
            argv,
            stderr: stderr.clone().into_bytes(),
            status,
            ..Transcript::default()
        };
        let reading = read_any(&transcript);
        if reading.class_name() != class {
            let (found, rule) = (reading.class_name(), &reading.rule);
            let _ = writeln!(wrong, "{stderr:?}: {class} expected, {found} by {rule}");
        }
        assert!(reading.confidence < Confidence::Certain || reading.class.is_none(), "{stderr}");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn nothing_generic_says_that_nothing_was_done() {
    for (_, status, argv, stderr) in cases() {
        let status = Status::Exited(status);
        let transcript =
            Transcript { argv, stderr: stderr.into_bytes(), status, ..Transcript::default() };
        assert_eq!(read_any(&transcript).effects, manila::exit::Effects::Unknown);
    }
}

#[test]
fn a_stated_wait_is_read_and_one_of_hours_is_a_quota() {
    let read = |stderr: &str| {
        let (stderr, status) = (stderr.as_bytes().to_vec(), Status::Exited(1));
        read_any(&Transcript { stderr, status, ..Transcript::default() })
    };
    let throttled = read("error: rate limit exceeded, retry after 30 seconds");
    assert_eq!((throttled.wait_ms, throttled.retry, throttled.quota), (Some(30_000), true, false));
    let quota = read("error: rate limit exceeded, try again in 5 hours");
    assert_eq!((quota.retry, quota.quota), (false, true));
}

#[test]
fn a_time_at_which_a_limit_ends_is_a_wait_for_a_caller_with_a_clock() {
    let stderr = b"error: usage limit reached|1763424000".to_vec();
    let run = Transcript { stderr, status: Status::Exited(1), ..Transcript::default() };
    let reading = read_any(&run);
    assert_eq!((reading.wait_ms, reading.quota), (None, true));
    assert_eq!(reading.at(1_763_424_000_000 - 5_000).wait_ms, Some(5_000));
}
