//! What a terminal shows, and who is asked on one.

use crate::support::{ESC, drained, misbehave, shows, speaking, terminal};
use crate::{everywhere, on_terminal};
use manila::Exit;
use manila::dialects::WRITTEN;
use std::io::{Read, Write};
use std::process::Stdio;

#[test]
fn a_terminal_is_coloured_and_shows_no_envelope() {
    for line in ["fail", "--help", "panic", "old"] {
        let (shown, _) = on_terminal(misbehave(line).env("TERM", "xterm"));
        assert!(shown.contains(&ESC), "{line}");
        assert!(!shows(&shown, "{\"ok\""), "{line}");
    }
}

// proves: F-008
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
fn a_document_on_a_terminal_has_no_escapes_even_if_they_are_forced() {
    for line in ["ok", "fail", "--help", "nonsense", "stream", "progress busy"] {
        for (name, value) in [("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "1"), ("TERM", "xterm")] {
            for dialect in WRITTEN {
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

// proves: F-009
#[test]
fn without_a_terminal_nothing_is_asked() {
    for run in everywhere("ask") {
        let mut started = run.stdin(Stdio::piped()).start();
        // Nothing is written, and nothing is closed.
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
fn no_input_and_ci_are_not_asked_on_a_terminal_either() {
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
fn a_person_at_a_terminal_is_asked() {
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
