//! Answers in every dialect: success, failure, help, mistakes, time limits, signals.

use crate::support::warnings;
use crate::{ENDING, everywhere};
use manila::{Dialect, Exit};

#[test]
fn a_success_and_a_failure_are_one_document_in_every_dialect() {
    for run in everywhere("ok") {
        run.run().succeeds_quietly();
    }
    for run in everywhere("fail") {
        run.run().fails_as(Exit::NotFound, "NO_SUCH_THING");
    }
}

// proves: F-067
#[test]
fn json_can_be_asked_for_before_and_after_the_command() {
    for line in ["--json ok", "ok --json", "--output json ok", "ok --output=json"] {
        for run in everywhere(line) {
            run.run().succeeds_quietly();
        }
    }
}

// proves: F-068
#[test]
fn questions_about_the_program_are_answered_in_every_dialect() {
    for line in ["--help", "help", "ok --help", "--version"] {
        for run in everywhere(line) {
            run.run().succeeds_quietly();
        }
    }
}

// proves: C-013
#[test]
fn mistakes_in_the_arguments_are_reported_in_every_dialect() {
    let mistakes = [
        ("", "MISSING_ARGUMENT"),
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

// proves: F-075
#[test]
fn callers_of_a_moved_or_misspelled_command_get_the_exact_call() {
    for (line, call) in [("former --json", "misbehave ok --json"), ("okk", "misbehave ok")] {
        for run in everywhere(line) {
            let ran = run.run();
            if !can_redirect(ran.dialect) {
                ran.fails(Exit::ArgError);
                continue;
            }
            let envelope = ran.fails(Exit::Redirected);
            let redirect = envelope.error().and_then(|error| error.redirect.as_ref());
            let command = redirect.expect("a redirect").command.as_str();
            assert!(same_words(command, call), "{command}");
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

// proves: F-075
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

// proves: F-012
#[test]
fn a_time_limit_ends_whatever_the_handler_does_in_every_dialect() {
    for line in ["loop", "sleep", "ignore-term", "untidy"] {
        for run in everywhere(line) {
            let ran = run.arg("--timeout").arg("200ms").run();
            ran.fails_as(Exit::Timeout, "TIMEOUT");
        }
    }
}

// proves: F-013, F-069
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

fn can_redirect(dialect: &dyn Dialect) -> bool {
    dialect.table().exits.rows.iter().any(|row| row.exit == Exit::Redirected)
}
