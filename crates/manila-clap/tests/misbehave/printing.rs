//! What handlers, libraries and children print is on stderr and not in the answer.

use crate::everywhere;
use crate::support::misbehave;
use manila::Exit;
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

// proves: F-006, F-050, F-060
#[test]
fn whatever_is_printed_is_on_stderr_and_not_in_the_answer_in_every_dialect() {
    for line in ["println", "print", "c-print", "child"] {
        for run in everywhere(line) {
            let ran = run.run();
            let envelope = ran.succeeds();
            assert!(!format!("{:?}", envelope.content()).contains("chatter"), "{ran:?}");
            assert!(ran.err().contains("chatter"), "{ran:?}");
        }
    }
}

// proves: F-006, F-060
#[test]
fn what_is_printed_while_the_arguments_are_read_is_on_stderr_too() {
    for line in ["early print", "early c-print"] {
        for run in everywhere(line) {
            let ran = run.run();
            ran.succeeds();
            assert!(ran.err().contains("printed by a parser"), "{ran:?}");
        }
    }
}

// proves: F-007
#[test]
fn what_would_steer_a_terminal_is_made_visible_in_warnings() {
    misbehave("warn").arg("\u{1b}[31mred\u{7}").run().succeeds();
    let ran = misbehave("big").arg("\u{1b}[31mred\u{7}").run();
    ran.fails(Exit::ArgError);
}

// proves: F-060
#[test]
fn megabytes_that_are_printed_arrive_on_stderr() {
    let ran = misbehave("flood").run();
    ran.succeeds();
    assert_eq!(ran.stderr.len(), 10_000_500);
}

#[test]
fn children_that_print_until_they_are_stopped_do_not_stop_the_handler() {
    misbehave("babble").stderr(Stdio::null()).run().succeeds();
}

// proves: F-060
#[test]
fn a_thread_that_never_stops_printing_does_not_hold_up_the_answer() {
    misbehave("babble-on").stderr(Stdio::null()).run().succeeds();
}

#[test]
fn what_is_printed_without_end_does_not_outlast_the_time_limit() {
    let run = misbehave("babble-and-wait --timeout 300ms").stderr(Stdio::null());
    run.run().fails(Exit::Timeout);
}

#[test]
fn a_child_that_lives_on_does_not_keep_the_reader_waiting() {
    let ran = misbehave("orphan").stderr(Stdio::null()).run();
    ran.succeeds_quietly();
}

#[test]
fn a_thread_that_locks_stdout_delays_the_answer_only_up_to_the_time_limit() {
    misbehave("hold-stdout --timeout 500ms").run().fails_as(Exit::Timeout, "TIMEOUT");
}

#[test]
fn a_thread_that_waits_for_stdin_delays_the_answer_only_up_to_the_time_limit() {
    let run = misbehave("hold-stdin --timeout 2s").stdin(Stdio::piped());
    let mut started = run.start();
    let open = started.stdin();
    let ran = started.end();
    drop(open);
    // Which comes first is a race.
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

#[test]
fn what_an_unconverted_command_prints_is_its_answer_in_every_dialect() {
    for (printed, data) in [
        ("{\"id\":7}", r#"{"id":7}"#),
        ("{\"id\":1}\n{\"id\":2}\n", r#"[{"id":1},{"id":2}]"#),
        ("two\nlines\n", r#"{"text":"two\nlines\n"}"#),
    ] {
        for run in everywhere("printed") {
            let ran = run.arg(printed).run();
            let envelope = ran.succeeds();
            let found = envelope.content().data.as_ref().expect("data").as_str().replace(' ', "");
            let found: String = found.lines().map(str::trim).collect();
            assert!(found.contains(data), "{found}: {ran:?}");
            assert_eq!(ran.err(), "", "{ran:?}");
        }
        let ran = misbehave("printed --output plain").arg(printed).run();
        assert_eq!((ran.out().as_str(), ran.status.code()), (printed, Some(0)));
    }
}

#[test]
fn what_was_printed_is_not_lost_with_a_signal_or_the_time_limit() {
    let started = misbehave("print-and-wait").start().ready();
    let ran = started.signal(Signal::TERM).end();
    assert!(ran.err().contains("half an answer"), "{ran:?}");
    ran.is_cancelled_by(libc::SIGTERM);
    let ran = misbehave("print-and-wait --timeout 300ms").run();
    assert!(ran.err().contains("half an answer"), "{ran:?}");
    ran.fails(Exit::Timeout);
}

#[test]
fn what_was_printed_is_not_lost_if_it_is_not_the_answer() {
    for (how, status) in [("fail", None), ("panic", None), ("exit", Some(7)), ("answer", Some(0))] {
        for run in everywhere("print-and-end") {
            let ran = run.arg(how).run();
            assert_eq!(ran.err().matches("half an answer").count(), 1, "{how}: {ran:?}");
            assert!(status.is_none_or(|status| ran.status.code() == Some(status)), "{ran:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_was_printed_is_not_lost_if_the_process_cannot_answer() {
    let started = misbehave("print-and-wait").start().ready();
    let killed = started.signal(Signal::KILL).end();
    let aborted = misbehave("print-and-end abort").run();
    for (ran, signal) in [(killed, libc::SIGKILL), (aborted, libc::SIGABRT)] {
        assert_eq!((ran.err().as_str(), ran.out().as_str()), ("half an answer\n", ""), "{ran:?}");
        assert_eq!(ran.status.signal(), Some(signal), "{ran:?}");
    }
    let ran = misbehave("print-and-end exec").run();
    assert_eq!(ran.err(), "half an answer\nexecuted\n", "{ran:?}");
    assert_eq!((ran.out().as_str(), ran.status.code()), ("", Some(0)), "{ran:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_waits_for_every_child_has_none_that_it_did_not_start() {
    fn adopt() {
        // SAFETY: a plain call.
        #[expect(unsafe_code, reason = "attributes of processes have no safe interface")]
        unsafe {
            libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        }
    }
    for run in [misbehave("print-and-end wait"), misbehave("print-and-end wait").first(adopt)] {
        let ran = run.run();
        assert!(ran.out().contains(r#""text":"half an answer\n""#), "{ran:?}");
    }
}

#[test]
fn a_line_that_was_begun_is_not_lost_with_the_time_limit() {
    for line in ["print-and-wait --timeout 300ms --plain", "begin-line --timeout 300ms --plain"] {
        let ran = misbehave(line).run();
        assert!(ran.out().contains("half an answer"), "{ran:?}");
        assert_eq!(ran.status.code(), Some(10), "{ran:?}");
    }
}

#[test]
fn of_a_program_and_its_daemon_one_answers_and_both_are_heard() {
    for (how, data) in [("exit", r#"{"text":""}"#), ("_exit", r#"{"text":""}"#)] {
        let ran = misbehave("daemon").arg(how).run();
        let document = ran.out();
        assert_eq!(document.lines().count(), 1, "{ran:?}");
        assert!(document.contains(data), "{ran:?}");
        assert_eq!(ran.err(), "from the daemon\n", "{ran:?}");
    }
}

#[test]
fn a_program_that_becomes_another_loses_nothing() {
    let ran = misbehave("exec").run();
    assert_eq!((ran.err().as_str(), ran.status.code()), ("executed\n", Some(0)), "{ran:?}");
}
