//! Signals end a run with an answer, in order, or leave it alone.

use crate::support::{Ran, drained, full, misbehave};
use crate::{ENDING, everywhere};
use manila::{Envelope, Exit};
use rustix::process::Signal;

// proves: F-013
#[test]
fn a_second_signal_changes_nothing_for_the_answer() {
    for (signal, number) in ENDING {
        // The first may have ended it already, so that no process is left to get the second.
        let started = misbehave("sleep").start().ready().signal(signal);
        started.try_signal(signal).end().is_cancelled_by(number);
    }
}

// proves: F-013, C-017
#[test]
fn a_handler_that_watches_for_signals_ends_in_order() {
    for (signal, number) in ENDING {
        for run in everywhere("tidy") {
            run.start().ready().signal(signal).end().is_cancelled_by(number);
        }
    }
}

// proves: F-013, C-017
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
fn two_signals_end_an_answer_that_is_not_read() {
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
fn other_names_for_failures_of_the_boundary_are_used_throughout() {
    let renamed = |line: &str| misbehave(line).env("MISBEHAVE_RENAMED", "1");
    let code = |envelope: Envelope| envelope.error().expect("an error").code.clone();
    assert_eq!(code(renamed("panic").run().fails(Exit::General)), "BUG");
    assert_eq!(code(renamed("loop --timeout 200ms").run().opened().envelope), "TOO_LATE");
    assert_eq!(code(renamed("ask").run().fails(Exit::Precondition)), "NO_INPUT");
    for line in ["sleep", "tidy"] {
        let ran = renamed(line).start().ready().signal(Signal::TERM).end();
        assert_eq!(code(ran.opened().envelope), "STOPPED", "{line}");
    }
}

#[test]
fn a_handler_that_the_program_installed_comes_first_and_its_answer_follows() {
    let ran = misbehave("own-handler").start().ready().signal(Signal::TERM).end();
    ran.succeeds();
}
