//! Owns: however a handler, a reader, a terminal or a signal misbehaves, the real process answers in
//! one valid envelope, or does what is documented instead.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(target_os = "linux")]

mod support;

use manila::{DIALECTS, Dialect, Envelope, Exit};
use rustix::process::Signal;
use serde_json::Value;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use support::{
    ESC, Ran, Run, drained, full, full_disk, hung_up, misbehave, nonblocking, shows, speaking,
    terminal, warnings,
};

/// The same call in every dialect.
fn everywhere(line: &str) -> impl Iterator<Item = Run> {
    DIALECTS.iter().map(move |dialect| speaking(*dialect, line))
}

/// The signals that end a run with an answer.
const ENDING: [(Signal, i32); 3] =
    [(Signal::INT, libc::SIGINT), (Signal::TERM, libc::SIGTERM), (Signal::HUP, libc::SIGHUP)];

/// Everything about an answer that is not a warning.
fn without_warnings(envelope: &Envelope) -> String {
    let mut content = envelope.content().clone();
    content.warnings.clear();
    if let Some(error) = &mut content.error {
        error.details = None;
    }
    format!("{content:?}")
}

fn can_redirect(dialect: &dyn Dialect) -> bool {
    dialect.about().exits.rows.iter().any(|row| row.exit == Exit::Redirected)
}

// The core, in every dialect.

#[test]
fn a_success_and_a_failure_are_one_document_in_every_dialect() {
    for run in everywhere("ok") {
        run.run().succeeds_quietly();
    }
    for run in everywhere("fail") {
        run.run().fails_as(Exit::NotFound, "NO_SUCH_THING");
    }
}

#[test]
fn json_can_be_asked_for_before_and_after_the_command() {
    for line in ["--json ok", "ok --json", "--output json ok", "ok --output=json"] {
        for run in everywhere(line) {
            run.run().succeeds_quietly();
        }
    }
}

#[test]
fn questions_about_the_program_are_answered_in_every_dialect() {
    for line in ["", "--help", "help", "ok --help", "--version"] {
        for run in everywhere(line) {
            run.run().succeeds_quietly();
        }
    }
}

#[test]
fn mistakes_in_the_arguments_are_told_in_every_dialect() {
    let mistakes = [
        ("big", "MISSING_ARGUMENT"),
        ("big many", "INVALID_VALUE"),
        ("ok --what", "UNKNOWN_ARGUMENT"),
        ("nonsense", "UNKNOWN_COMMAND"),
        ("ok --timeout soon", "INVALID_VALUE"),
        ("ok --timeout", "INVALID_VALUE"),
        ("destroy", "CONFIRMATION_REQUIRED"),
    ];
    for (line, code) in mistakes {
        for run in everywhere(line) {
            run.run().fails_as(Exit::ArgError, code);
        }
    }
}

#[test]
fn callers_of_a_moved_or_misspelled_command_are_told_the_exact_call() {
    for (line, call) in [("former --json", "misbehave ok --json"), ("okk", "misbehave ok")] {
        for run in everywhere(line) {
            let ran = run.run();
            if !can_redirect(ran.dialect) {
                ran.fails(Exit::ArgError);
                continue;
            }
            let envelope = ran.fails(Exit::Redirected);
            let redirect = envelope.error().and_then(|error| error.redirect.as_ref());
            let told = redirect.expect("a redirect").command.as_str();
            assert!(same_words(told, call), "{told}");
        }
    }
}

/// Whether two calls have the same words, in whatever order.
fn same_words(one: &str, other: &str) -> bool {
    let sorted = |line: &str| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        words.sort();
        words
    };
    sorted(one) == sorted(other)
}

#[test]
fn deprecated_destructive_and_textual_commands_keep_to_what_they_declare() {
    for run in everywhere("old") {
        let ran = run.run();
        let envelope = ran.succeeds();
        let said = format!("{:?}{}", warnings(&envelope), ran.err());
        assert!(said.contains("`old` is deprecated since 1.1.0"), "{ran:?}");
    }
    for run in everywhere("destroy --yes") {
        run.run().succeeds_quietly();
    }
    for run in everywhere("text --json") {
        let ran = run.run();
        assert_eq!((ran.out().as_str(), ran.status.code()), ("behaved\n", Some(0)), "{ran:?}");
    }
}

#[test]
fn a_time_limit_ends_whatever_the_handler_does_in_every_dialect() {
    for line in ["loop", "sleep", "ignore-term", "untidy"] {
        for run in everywhere(line) {
            let started = run.arg("--timeout").arg("200ms").start().ready();
            started.end().fails_as(Exit::Timeout, "TIMEOUT");
        }
    }
}

#[test]
fn a_signal_ends_a_run_with_an_answer_in_every_dialect() {
    for (signal, number) in ENDING {
        for line in ["loop", "sleep"] {
            for run in everywhere(line) {
                run.start().ready().signal(signal).end().is_cancelled_by(number);
            }
        }
    }
}

// Panics.

#[test]
fn a_panic_is_a_failure_in_every_dialect() {
    for line in ["panic", "panic-again", "panic-oddly"] {
        for run in everywhere(line) {
            let ran = run.run();
            let envelope = ran.fails_as(Exit::General, "PANICKED");
            let message = &envelope.error().expect("an error").message;
            assert!(message.starts_with("misbehave panicked: "), "{message}");
        }
    }
}

#[test]
fn of_two_panics_the_one_that_ended_the_run_is_told() {
    let envelope = misbehave("panic-again").run().fails(Exit::General);
    let message = &envelope.error().expect("an error").message;
    assert!(message.contains("the second bug") && !message.contains("the first bug"), "{message}");
}

#[test]
fn a_panic_in_a_thread_is_a_warning() {
    for run in everywhere("panic-in-thread") {
        let ran = run.run();
        let said = format!("{:?}{}", warnings(&ran.succeeds()), ran.err());
        assert!(said.contains("a thread panicked: a bug elsewhere"), "{ran:?}");
    }
}

#[test]
fn a_panic_while_the_answer_is_made_is_a_failure() {
    for run in everywhere("panic-in-reply") {
        run.run().fails_as(Exit::General, "PANICKED");
    }
}

#[test]
fn a_panic_while_the_answer_is_shown_is_told_on_standard_error() {
    for mode in ["rich", "plain"] {
        let ran = misbehave("panic-in-reply --output").arg(mode).run();
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        assert!(ran.err().contains("a bug in a reply"), "{ran:?}");
    }
}

#[test]
fn a_panic_while_the_arguments_are_read_is_a_failure() {
    for run in everywhere("early panic") {
        run.run().fails_as(Exit::General, "PANICKED");
    }
}

// What others print.

#[test]
fn whatever_is_printed_is_a_warning_and_nothing_else_in_every_dialect() {
    for line in ["println", "print", "c-print", "child"] {
        for run in everywhere(line) {
            let ran = run.run();
            let envelope = ran.succeeds();
            assert!(!without_warnings(&envelope).contains("chatter"), "{ran:?}");
            let said = format!("{:?}{}", warnings(&envelope), ran.err());
            assert!(said.contains("THIRD_PARTY_STDOUT") && said.contains("chatter"), "{ran:?}");
        }
    }
}

#[test]
fn what_is_printed_while_the_arguments_are_read_is_a_warning_too() {
    for line in ["early print", "early c-print"] {
        for run in everywhere(line) {
            run.run().succeeds();
        }
    }
}

#[test]
fn what_would_steer_a_terminal_is_made_visible_in_warnings() {
    for run in everywhere("steer") {
        run.run().succeeds();
    }
    misbehave("warn").arg("\u{1b}[31mred\u{7}").run().succeeds();
    misbehave("panic").arg("\u{1b}[31mred\u{7}").run().fails(Exit::General);
    misbehave("big").arg("\u{1b}[31mred\u{7}").run().fails(Exit::ArgError);
}

#[test]
fn megabytes_that_are_printed_are_counted_and_forgotten() {
    for _ in 0..5 {
        let ran = misbehave("flood").run();
        let envelope = ran.succeeds();
        assert!(warnings(&envelope)[0].contains("10000500 bytes"), "{ran:?}");
        assert!(ran.stdout.len() < 4000, "{ran:?}");
    }
}

#[test]
fn children_that_print_until_they_are_stopped_do_not_stop_the_handler() {
    for _ in 0..5 {
        misbehave("babble").run().succeeds();
    }
}

#[test]
fn a_thread_that_never_stops_printing_does_not_hold_up_the_answer() {
    for _ in 0..5 {
        let envelope = misbehave("babble-on").run().succeeds();
        assert!(warnings(&envelope)[0].starts_with("THIRD_PARTY_STDOUT: "));
    }
}

#[test]
fn what_is_printed_without_end_does_not_outlast_the_time_limit_or_a_signal() {
    for _ in 0..3 {
        misbehave("babble-and-wait --timeout 300ms").run().fails(Exit::Timeout);
        let started = misbehave("babble-and-wait").start().ready();
        started.signal(Signal::TERM).end().is_cancelled_by(libc::SIGTERM);
    }
}

#[test]
fn a_child_that_lives_on_does_not_keep_the_reader_waiting() {
    let ran = misbehave("orphan").stderr(Stdio::null()).run();
    ran.succeeds_quietly();
}

#[test]
fn whoever_holds_standard_output_holds_up_the_answer_only_up_to_the_time_limit() {
    misbehave("hold-stdout --timeout 500ms").run().fails_as(Exit::Timeout, "TIMEOUT");
}

#[test]
fn whoever_waits_for_standard_input_holds_up_the_answer_only_up_to_the_time_limit() {
    let run = misbehave("hold-stdin --timeout 2s").stdin(Stdio::piped());
    let mut started = run.start();
    let open = started.stdin();
    let ran = started.end();
    drop(open);
    // Who comes first is a race.
    if ran.status.success() {
        ran.succeeds();
    } else {
        ran.fails_as(Exit::Timeout, "TIMEOUT");
    }
}

#[test]
fn for_people_what_was_printed_first_comes_first() {
    for line in ["print --output plain", "c-print --output plain"] {
        let ran = misbehave(line).run();
        assert_eq!(ran.out(), "chatterprinted\n", "{line}");
    }
}

// Payloads.

#[test]
fn what_has_no_json_form_is_a_failure_in_every_dialect() {
    for line in ["path", "keys", "refuse"] {
        for run in everywhere(line) {
            run.run().fails_as(Exit::General, "SERIALIZATION_FAILED");
        }
    }
}

#[test]
fn a_number_that_is_none_is_null_in_every_dialect() {
    for run in everywhere("nan") {
        let ran = run.run();
        let envelope = ran.succeeds_quietly();
        let data = envelope.content().data.as_ref().expect("data").as_str().replace(' ', "");
        assert!(data.contains(r#""value":null"#), "{ran:?}");
    }
}

#[test]
fn a_failure_may_have_much_to_show() {
    for run in everywhere("big-failure 100000") {
        run.run().fails(Exit::PartialFailure);
    }
}

#[test]
fn what_is_said_twice_is_written_once() {
    for run in everywhere("twice") {
        run.run().succeeds();
    }
}

#[test]
fn a_time_limit_ends_an_answer_that_is_never_complete() {
    for line in ["loop-in-reply --timeout 200ms", "loop-in-reply --timeout 200ms --output plain"] {
        let ran = misbehave(line).start().ready().end();
        assert_eq!(ran.status.code(), Some(10), "{ran:?}");
    }
}

#[test]
fn pages_lead_from_one_to_the_next_and_meet_every_item_once() {
    let (mut seen, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut run = misbehave("page --limit 20");
        if let Some(cursor) = &cursor {
            run = run.arg("--cursor").arg(cursor);
        }
        let envelope = run.run().succeeds_quietly();
        let items: Value =
            serde_json::from_str(envelope.content().data.as_ref().expect("data").as_str())
                .expect("JSON");
        let ids = items.as_array().expect("a list").iter().map(|item| item["id"].as_u64());
        seen.extend(ids.map(|id| id.expect("a number")));
        cursor.clone_from(&envelope.meta().cursor);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, (1..=45).collect::<Vec<_>>());
}

// Streams.

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
    assert!(envelope.meta().extra.get("frames").is_none(), "nobody counted them");
}

#[test]
fn a_frame_of_another_thread_is_whole_before_the_last_words() {
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
    assert_eq!(started.end().status.signal(), Some(libc::SIGALRM));
    drop(unread);
    let mut started = misbehave("stream-on --output jsonl --timeout 300ms").start();
    let unread = started.stdout.take().expect("a pipe");
    assert_eq!(started.end().status.code(), Some(10));
    drop(unread);
}

#[test]
fn a_stream_that_nobody_reads_ends() {
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

// Readers.

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
    for (line, status) in [("big 1000000", 0), ("panic", 1), ("println", 0), ("nonsense", 3)] {
        let ran = misbehave(line).stdout(hung_up()).stderr(hung_up()).run();
        assert_eq!(ran.status.code(), Some(status), "{line}");
    }
}

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
    for line in ["old", "println", "panic-in-thread", "warn careful"] {
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
fn a_hundred_megabytes_arrive_whole() {
    const SIZE: usize = 100_000_000;
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
    for line in ["ok", "fail", "panic", "--help", "nonsense", "big 100000", "big-failure 100000"] {
        for run in everywhere(line) {
            merged(run).opened();
        }
    }
    // Other dialects have no place for warnings in the document.
    for line in ["println", "c-print", "old", "panic-in-thread"] {
        for run in everywhere(line).filter(Run::is_roomy) {
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

// Terminals.

/// Runs it with both streams on a terminal, and gives what that shows.
fn on_terminal(run: Run) -> (Vec<u8>, Ran) {
    let (ours, theirs) = terminal();
    let other = theirs.try_clone().expect("a second end");
    let started = run.stdout(theirs).stderr(other).start();
    let reader = drained(ours);
    let ran = started.end();
    (reader.join().expect("read"), ran)
}

#[test]
fn a_terminal_is_coloured_and_shows_no_envelope() {
    for line in ["fail", "--help", "panic", "old"] {
        let (shown, _) = on_terminal(misbehave(line).env("TERM", "xterm"));
        assert!(shown.contains(&ESC), "{line}");
        assert!(!shows(&shown, "{\"ok\""), "{line}");
    }
}

#[test]
fn colour_is_declined_in_every_way_there_is() {
    let ways = [("NO_COLOR", "1"), ("CI", "true"), ("TERM", "dumb"), ("CLICOLOR", "0")];
    for line in ["ok", "fail", "--help", "panic", "old", "stream", "progress busy", "page"] {
        for (name, value) in ways {
            let run = misbehave(line).env("TERM", "xterm").env(name, value);
            let (shown, _) = on_terminal(run);
            assert!(!shown.contains(&ESC), "{line} {name}: {}", String::from_utf8_lossy(&shown));
        }
        let (shown, _) = on_terminal(misbehave(line).env("TERM", "xterm").arg("--color=never"));
        let is_progress = line == "stream" || line.starts_with("progress");
        assert!(is_progress || !shown.contains(&ESC), "{line}");
    }
}

#[test]
fn a_document_on_a_terminal_has_no_escapes_whoever_forces_them() {
    for line in ["ok", "fail", "--help", "panic", "nonsense", "steer", "stream", "progress busy"] {
        for (name, value) in [("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "1"), ("TERM", "xterm")] {
            for dialect in DIALECTS {
                let run = speaking(*dialect, line).arg("--json").env("TERM", "xterm");
                let (shown, _) = on_terminal(run.env(name, value));
                let text = String::from_utf8_lossy(&shown);
                assert!(!shown.contains(&ESC), "{line} {name} {dialect:?}: {text}");
            }
        }
    }
}

#[test]
fn forced_colour_colours_a_page_in_a_pipe() {
    let ran = misbehave("fail --output rich").env("CLICOLOR_FORCE", "1").run();
    assert!(ran.stderr.contains(&ESC), "{ran:?}");
}

#[test]
fn progress_steers_no_terminal() {
    let words = "\u{1b}]0;owned\u{7}busy\rbusy\nbusy";
    let run = misbehave("progress").arg(words).env("TERM", "xterm");
    let (shown, _) = on_terminal(run);
    assert!(shows(&shown, "busy"), "it is shown: {}", String::from_utf8_lossy(&shown));
    assert!(!shows(&shown, "\u{1b}]0;"), "{}", String::from_utf8_lossy(&shown));
    assert!(!shown.contains(&7));
}

#[test]
fn whoever_is_not_there_is_not_asked() {
    for run in everywhere("ask") {
        let mut started = run.stdin(Stdio::piped()).start();
        // Nobody writes, and nobody hangs up.
        let stdin = started.stdin();
        let ran = started.end();
        drop(stdin);
        ran.fails_as(Exit::Precondition, "INPUT_REQUIRED");
    }
    let envelope = misbehave("ask").run().fails(Exit::Precondition);
    let error = envelope.error().expect("an error");
    assert!(error.suggestion.as_deref().is_some_and(|it| it.contains("--name")), "{error:?}");
}

#[test]
fn whoever_declines_or_is_a_machine_is_not_asked_on_a_terminal_either() {
    let ways = [("--no-input", "TERM"), ("--json", "TERM"), ("--output=rich", "CI")];
    for (flag, variable) in ways {
        let (ours, theirs) = terminal();
        let [stdin, stderr] = [(); 2].map(|()| theirs.try_clone().expect("another end"));
        let run = misbehave("ask").arg(flag).env("TERM", "xterm").env(variable, "xterm");
        let started = run.stdin(stdin).stdout(theirs).stderr(stderr).start();
        let reader = drained(ours);
        assert_eq!(started.end().status.code(), Some(4), "{flag}");
        let shown = reader.join().expect("read");
        assert!(shows(&shown, "INPUT_REQUIRED") && shows(&shown, "--name"), "{flag}");
    }
}

#[test]
fn whoever_is_there_is_asked() {
    let (mut ours, theirs) = terminal();
    let [stdin, stderr] = [(); 2].map(|()| theirs.try_clone().expect("another end"));
    let run = misbehave("ask").env("TERM", "xterm");
    let started = run.stdin(stdin).stdout(theirs).stderr(stderr).start();
    let (mut seen, mut byte) = (Vec::new(), [0]);
    while !seen.ends_with(b"what is your name?") {
        assert_eq!(ours.read(&mut byte).expect("readable"), 1);
        seen.push(byte[0]);
    }
    ours.write_all(b"Ada\n").expect("writable");
    let reader = drained(ours);
    assert_eq!(started.end().status.code(), Some(0));
    assert!(shows(&reader.join().expect("read"), "Ada"));
}

// Signals.

#[test]
fn a_second_signal_changes_nothing_for_the_answer() {
    for (signal, number) in ENDING {
        // The first may have ended it already, so that nobody is left to get the second.
        let started = misbehave("sleep").start().ready().signal(signal);
        started.try_signal(signal).end().is_cancelled_by(number);
    }
}

#[test]
fn a_handler_that_watches_for_signals_ends_in_order() {
    for (signal, number) in ENDING {
        for run in everywhere("tidy") {
            run.start().ready().signal(signal).end().is_cancelled_by(number);
        }
    }
}

#[test]
fn a_handler_that_watches_may_tidy_up_for_people_too() {
    for mode in ["plain", "rich"] {
        let started = misbehave("tidy --output").arg(mode).start().ready();
        let ran = started.signal(Signal::TERM).end();
        assert_eq!(ran.status.code(), Some(128 + libc::SIGTERM), "{ran:?}");
        assert!(ran.err().contains("CANCELLED"), "{ran:?}");
    }
}

#[test]
fn a_handler_that_stopped_watching_is_ended_after_a_while() {
    let started = misbehave("untidy").start().ready().signal(Signal::TERM);
    started.end().is_cancelled_by(libc::SIGTERM);
    // A second signal does not wait.
    let started = misbehave("untidy").start().ready();
    let started = started.signal(Signal::TERM).try_signal(Signal::TERM);
    started.end().is_cancelled_by(libc::SIGTERM);
}

#[test]
fn a_signal_while_the_answer_is_written_lets_it_be_written() {
    let mut started = misbehave("big 300000").start();
    let stdout = started.stdout.take().expect("a pipe");
    full(&stdout);
    let started = started.signal(Signal::TERM);
    let reader = drained(stdout);
    let ran = Ran { stdout: Vec::new(), ..started.end() };
    Ran { stdout: reader.join().expect("read"), ..ran }.succeeds_quietly();
}

#[test]
fn two_signals_end_an_answer_that_nobody_reads() {
    let mut started = misbehave("big 300000").start();
    let stdout = started.stdout.take().expect("a pipe");
    full(&stdout);
    let started = started.signal(Signal::TERM);
    let ran = started.try_signal(Signal::INT).end();
    assert!(ran.status.code().is_none(), "{ran:?}");
    drop(stdout);
}

#[test]
fn a_signal_that_was_ignored_from_the_start_stays_ignored() {
    fn ignore() {
        // SAFETY: a plain call.
        #[expect(unsafe_code, reason = "signals have no safe interface")]
        unsafe {
            libc::signal(libc::SIGHUP, libc::SIG_IGN);
        }
    }
    let started = misbehave("sleep").first(ignore).start().ready();
    let started = started.signal(Signal::HUP).signal(Signal::TERM);
    started.end().is_cancelled_by(libc::SIGTERM);
}

/// Blocks every signal, as some who start programs do.
fn block() {
    // SAFETY: plain calls on a set of their own.
    #[expect(unsafe_code, reason = "signals have no safe interface")]
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
}

#[test]
fn a_time_limit_holds_although_the_caller_blocked_every_signal() {
    misbehave("loop --timeout 200ms").first(block).run().fails(Exit::Timeout);
}

#[test]
fn printing_megabytes_ends_although_the_caller_blocked_every_signal() {
    misbehave("flood").first(block).run().succeeds();
}

#[test]
fn other_names_for_failures_of_the_boundary_are_used_throughout() {
    let renamed = |line: &str| misbehave(line).env("MISBEHAVE_RENAMED", "1");
    let code = |envelope: Envelope| envelope.error().expect("an error").code.clone();
    assert_eq!(code(renamed("panic").run().fails(Exit::General)), "BUG");
    assert_eq!(code(renamed("loop --timeout 200ms").run().opened().envelope), "TOO_LATE");
    assert_eq!(code(renamed("ask").run().fails(Exit::Precondition)), "NOBODY_HOME");
    for line in ["sleep", "tidy"] {
        let ran = renamed(line).start().ready().signal(Signal::TERM).end();
        assert_eq!(code(ran.opened().envelope), "STOPPED", "{line}");
    }
}

// The documented exceptions: there is no answer, and nothing that could be taken for one.

#[test]
fn signals_that_ask_for_no_answer_kill() {
    for (signal, number) in [
        (Signal::QUIT, libc::SIGQUIT),
        (Signal::USR1, libc::SIGUSR1),
        (Signal::KILL, libc::SIGKILL),
        (Signal::ABORT, libc::SIGABRT),
    ] {
        for line in ["sleep", "loop"] {
            misbehave(line).start().ready().signal(signal).end().dies_of(number);
        }
    }
}

#[test]
fn whoever_watches_for_nothing_and_answers_people_dies_of_the_signal() {
    for (signal, number) in ENDING {
        let started = misbehave("sleep --output plain").start().ready();
        started.signal(signal).end().dies_of(number);
    }
}

#[test]
fn a_handler_that_blocks_every_signal_ends_with_the_one_that_cannot_be_blocked() {
    let started = misbehave("block-all").start().ready().signal(Signal::TERM);
    started.signal(Signal::KILL).end().dies_of(libc::SIGKILL);
}

#[test]
fn a_handler_that_leaves_early_leaves_nothing_but_its_status() {
    for status in [0, 3, 42] {
        let ran = misbehave("exit-early").arg(status.to_string()).run();
        assert_eq!((ran.status.code(), ran.out().as_str()), (Some(status), ""), "{ran:?}");
    }
}

#[test]
fn a_handler_that_aborts_or_uses_up_the_stack_dies() {
    misbehave("abort").run().dies_of(libc::SIGABRT);
    misbehave("overflow").run().dies_of(libc::SIGABRT);
}

// Secrets.

/// Secrets, each with pieces that nothing else has, the digits of ids included.
const SECRETS: &[(&str, &[&str])] = &[
    ("hunter2-0815-long-enough", &["hunter2", "long-enough"]),
    ("it's \"so\" $hid4711 \\den815", &["hid4711", "den815"]),
    ("-----BEGIN-----\nMIIEpAIB\nQ2FwdGFp\n-----END-----", &["MIIEpAIB", "Q2FwdGFp"]),
    ("p\u{e4}ssw\u{f6}rd4711", &["rd4711", "p\u{e4}ssw"]),
    ("tab\tand\u{7f}bell\u{7}ring4711", &["tab\\t", "bell\\", "ring4711"]),
];

const SLIPS: [&str; 14] = [
    "message",
    "suggestion",
    "target",
    "details",
    "panic",
    "thread",
    "data",
    "key",
    "field",
    "item",
    "progress",
    "warning",
    "issue",
    "note",
];

/// Every place where a piece of a secret was found.
#[derive(Default)]
struct Leaks(Vec<String>);

impl Leaks {
    fn look(&mut self, place: &str, bytes: &[u8], pieces: &[&str]) {
        let found = pieces.iter().filter(|piece| shows(bytes, piece));
        self.0.extend(found.map(|piece| format!("{place}: {piece:?}")));
    }

    fn look_at(&mut self, place: &str, ran: &Ran, pieces: &[&str]) {
        self.look(&format!("{place} on stdout"), &ran.stdout, pieces);
        self.look(&format!("{place} on stderr"), &ran.stderr, pieces);
    }

    #[track_caller]
    fn assert_none(self) {
        assert!(self.0.is_empty(), "{} leaks:\n{}", self.0.len(), self.0.join("\n"));
    }
}

#[test]
fn a_secret_that_slips_is_in_no_document() {
    let (mut leaks, mut documents) = (Leaks::default(), Vec::new());
    for (secret, pieces) in SECRETS {
        for slip in SLIPS.into_iter().chain(["stdout", "nowhere"]) {
            for dialect in DIALECTS {
                for mode in ["json", "jsonl"] {
                    let run = speaking(*dialect, &format!("secret {slip} --output {mode}"));
                    let ran = run.arg(["--token=", secret].concat()).run();
                    leaks.look_at(&format!("{slip} in {mode} of {dialect:?}"), &ran, pieces);
                    documents.extend(Some(ran).filter(|_| mode == "json"));
                }
            }
        }
    }
    leaks.assert_none();
    for ran in documents {
        ran.opened();
    }
}

#[test]
fn a_secret_that_slips_is_shown_to_nobody() {
    let mut leaks = Leaks::default();
    for (secret, pieces) in SECRETS {
        let token = ["--token=", secret].concat();
        for slip in SLIPS {
            for mode in ["plain", "rich"] {
                let run = misbehave(&format!("secret {slip} --output {mode}"));
                leaks.look_at(&format!("{slip} in {mode}"), &run.arg(&token).run(), pieces);
            }
            let run = misbehave(&format!("secret {slip}")).env("TERM", "xterm");
            let (shown, _) = on_terminal(run.arg(&token));
            leaks.look(&format!("{slip} on a terminal"), &shown, pieces);
        }
    }
    leaks.assert_none();
}

#[test]
fn a_secret_is_not_cut_into_something_that_is_none() {
    let secret = "hunter2-0815-long-enough-for-two";
    let ran = misbehave("secret edge-of-stdout --token").arg(secret).run();
    ran.succeeds();
    let mut leaks = Leaks::default();
    leaks.look_at("the end of what is kept", &ran, &["hunter2"]);
    leaks.assert_none();
}

#[test]
fn a_secret_from_the_environment_is_hidden_too() {
    let mut leaks = Leaks::default();
    for (secret, pieces) in SECRETS {
        for mode in ["json", "plain", "rich"] {
            let run = misbehave("secret data --key env:HIDDEN --output").arg(mode);
            leaks.look_at(mode, &run.env("HIDDEN", secret).run(), pieces);
        }
    }
    leaks.assert_none();
}

#[test]
fn a_secret_in_mistaken_arguments_is_in_no_answer() {
    let mut leaks = Leaks::default();
    for (secret, pieces) in SECRETS {
        let (long, short) = (["--token=", secret].concat(), ["-t", secret].concat());
        let calls: [&[&str]; 17] = [
            &["secret", "data", "--token", secret, "--count", "x"],
            &["secret", "data", "--token", secret, "extra"],
            &["secret", "data", "--tokne", secret],
            &["secret", "data", "--key", secret],
            &["secret", "data", "--what", "--token", secret],
            &["secret", "data", &long, "--what"],
            &["secret", "data", &short, "--what"],
            &["leak", "data", "--token", secret],
            &["leak", "data", "-t", secret],
            &["leak", "data", "--pat", secret],
            &["leak", "data", &long],
            &["leak", "data", &short],
            &["sign-in", secret],
            &["logni", secret],
            &["login", secret, secret],
            &["secrte", "data", "--token", secret],
            &["sleep", "--token", secret],
        ];
        for mode in ["json", "plain"] {
            for words in calls {
                let run = words.iter().fold(misbehave("--output").arg(mode), Run::arg);
                let shown = words.join(" ").replace(secret, "…");
                leaks.look_at(&format!("{shown} in {mode}"), &run.run(), pieces);
            }
        }
    }
    leaks.assert_none();
}

#[test]
fn a_secret_that_is_a_word_of_the_envelope_does_not_tear_it() {
    for secret in ["true", "null", "data", "error", "meta", "code", "kind", "warnings", "schema"] {
        for dialect in DIALECTS {
            let run = speaking(*dialect, "secret nowhere --token");
            run.arg(secret).run().succeeds();
        }
    }
}

// Surroundings.

#[test]
fn a_folder_that_is_gone_is_no_reason_not_to_answer() {
    for dialect in DIALECTS {
        let name = format!("gone-{}", dialect.id().replace('/', "-"));
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let run = speaking(*dialect, "ok").inside(&folder);
        // Between fork and exec the folder is the current one already.
        let gone = || {
            let here = std::env::current_dir();
            let _ = here.and_then(std::fs::remove_dir);
        };
        run.first(gone).run().succeeds_quietly();
    }
}

#[test]
fn a_value_that_is_no_text_belongs_to_its_own_flag() {
    let odd = |flag: &[u8]| OsString::from_vec([flag, b"=\xff"].concat());
    for flag in [b"--output", b"--timeout" as &[u8], b"--color"] {
        let ran = misbehave("").arg(odd(flag)).arg("ok").run();
        let message = ran.fails(Exit::ArgError).error().expect("an error").message.clone();
        assert!(!message.contains("'ok'"), "{message}");
    }
}

#[test]
fn without_descriptors_to_spare_there_is_still_an_answer() {
    fn limit() {
        let few = libc::rlimit { rlim_cur: 4, rlim_max: 4 };
        // SAFETY: a plain call.
        #[expect(unsafe_code, reason = "limits have no safe interface here")]
        unsafe {
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const few);
        }
    }
    for dialect in DIALECTS {
        // In some dialects the warning about it goes to standard error.
        speaking(*dialect, "ok").first(limit).run().succeeds();
    }
}

#[test]
fn names_for_the_call_from_outside_are_no_danger_to_the_document() {
    for trace in ["\u{1b}[31mred", "\"quoted\"", "two\nlines", "\u{202e}turned"] {
        for run in everywhere("ok") {
            run.env("MISBEHAVE_TRACE_ID", trace).run().succeeds();
        }
    }
}
