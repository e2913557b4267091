//! The documented exceptions: there is no answer, and nothing that could be taken for one.

use crate::support::misbehave;
use crate::{ENDING, everywhere};
use rustix::process::Signal;

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

// proves: F-013
#[test]
fn a_text_run_that_does_not_watch_for_signals_dies_of_the_signal() {
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
fn a_handler_that_calls_exit_is_answered_for_in_every_dialect() {
    for status in [0, 3, 42] {
        for run in everywhere("exit-early") {
            let ran = run.arg(status.to_string()).run();
            assert_eq!(ran.status.code(), Some(status), "{ran:?}");
            let envelope = ran.opened_oddly().envelope;
            assert_eq!(envelope.ok(), status == 0, "{ran:?}");
            let is_retryable = envelope.error().and_then(|error| error.retryable);
            assert_ne!(is_retryable, Some(true), "it may have done something: {ran:?}");
            assert!(ran.err().contains("not lost"), "{ran:?}");
        }
    }
}

#[test]
fn a_handler_that_aborts_or_uses_up_the_stack_dies() {
    misbehave("abort").run().dies_of(libc::SIGABRT);
    misbehave("overflow").run().dies_of(libc::SIGABRT);
}
