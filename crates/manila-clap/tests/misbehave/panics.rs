//! A panic is a failure, wherever it happens.

use crate::everywhere;
use crate::support::{misbehave, warnings};
use manila::Exit;

// proves: F-006
#[test]
fn a_panic_is_a_failure_in_every_dialect() {
    for line in ["panic", "panic-again", "panic-oddly"] {
        for run in everywhere(line) {
            let ran = run.run();
            let envelope = ran.fails_as(Exit::General, "PANICKED");
            let message = &envelope.error().expect("an error").message;
            assert!(message.starts_with("misbehave panicked: "), "{message}");
            assert!(ran.err().contains("panicked at"), "the hook of the library spoke: {ran:?}");
        }
    }
}

#[test]
fn the_hook_of_the_program_and_its_backtrace_stay() {
    let ran = misbehave("panic").env("RUST_BACKTRACE", "1").run();
    ran.fails_as(Exit::General, "PANICKED");
    assert!(ran.err().contains("stack backtrace:"), "{ran:?}");
    let ran = misbehave("panic").env("MISBEHAVE_HOOK", "1").run();
    ran.fails_as(Exit::General, "PANICKED");
    assert_eq!(ran.err(), "the hook of the program\n", "{ran:?}");
}

#[test]
fn of_two_panics_the_one_that_ended_the_run_is_reported() {
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

// proves: F-006
#[test]
fn a_panic_while_the_answer_is_made_is_a_failure() {
    for run in everywhere("panic-in-reply") {
        run.run().fails_as(Exit::General, "PANICKED");
    }
}

#[test]
fn a_panic_while_the_answer_is_shown_is_reported_on_stderr() {
    for mode in ["rich", "plain"] {
        let ran = misbehave("panic-in-reply --output").arg(mode).run();
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        assert!(ran.err().contains("a bug in a reply"), "{ran:?}");
    }
}

// proves: F-006
#[test]
fn a_panic_while_the_arguments_are_read_is_a_failure() {
    for run in everywhere("early panic") {
        run.run().fails_as(Exit::General, "PANICKED");
    }
}
