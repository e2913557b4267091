//! Owns: what a caller of the library hands in and gets out: bytes, variables, a classifier, lines, what is next.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::{Confidence, Exit, Status, Stream};
use manila_pack::Reading;
use manila_run::{Classifier, Input, Policy, run_lines};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use support::{acting, data, settled, within};

fn state(test: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::Builder::new().prefix(test).tempdir().unwrap();
    let step = format!("state {}", dir.path().join("calls").display());
    (dir, step)
}

const BUSY: &str = r#"out {"ok":false,"data":null,"error":{"code":"BUSY","message":"later","retryable":true,"retry_after":0},"warnings":[],"meta":{"schema_version":"1.0"}} ; exit 11"#;

#[test]
fn bytes_are_read_in_every_attempt() {
    let (_dir, state) = state("bytes");
    let busy = format!("read-stdin ; {BUSY}");
    let call =
        acting(&[&state, BUSY, "read-stdin"]).stdin(Input::Bytes(b"{\"n\":1}".as_slice().into()));
    let outcome = settled(&call, &Policy { idempotent: true, ..Policy::default() });
    assert_eq!(data(&outcome), r#"{"n":1}"#);
    assert_eq!(outcome.trace.steps.len(), 2, "{busy}");
}

#[test]
fn a_variable_is_removed_from_the_environment_of_the_program() {
    let call = acting(&["print-env PATH KEPT"]).without_variable("PATH").variable("KEPT", "x");
    let outcome = settled(&call, &Policy::default());
    let said = String::from_utf8(outcome.output.stdout).unwrap();
    assert!(said.contains("KEPT=x") || said.contains('x'), "{said}");
    assert!(!said.contains("/bin"), "{said}");
}

#[test]
fn the_streams_are_there_as_they_were() {
    let outcome = settled(&acting(&["out a", "err b", "exit 3"]), &Policy::default());
    assert_eq!((&*outcome.output.stdout, &*outcome.output.stderr), (&b"a\n"[..], &b"b\n"[..]));
    assert_eq!(outcome.output.status, Status::Exited(3));
}

#[test]
fn a_classifier_is_asked_first() {
    let classifier = Classifier::new(|run| {
        let is_busy = run.stderr.starts_with(b"come back");
        is_busy.then(|| Reading {
            class: Some(Exit::Unavailable),
            retry: true,
            rule: "mine".to_owned(),
            confidence: Confidence::Certain,
            ..Reading::accepted()
        })
    });
    let (_dir, state) = state("classifier");
    let call = acting(&[&state, "err come back ; exit 9", "out done"]);
    let policy = Policy { classifier, idempotent: true, ..Policy::default() };
    let outcome = settled(&call, &policy);
    assert!(outcome.envelope.ok(), "{outcome:?}");
    assert_eq!(outcome.trace.steps[0].exit, Exit::Unavailable);
}

#[test]
fn what_is_next_is_said_with_its_wait() {
    let busy = BUSY.replace("\"retry_after\":0", "\"retry_after\":3600");
    let outcome = settled(&acting(&[&busy]), &Policy::default());
    let next = outcome.next();
    assert_eq!((next.action, next.after_ms), ("retry", Some(3_600_000)), "{next:?}");
    let done = settled(&acting(&["out x"]), &Policy::default());
    assert_eq!(done.next().action, "accept");
}

#[test]
fn lines_come_one_by_one() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let outcome = within(move || {
        run_lines(
            &acting(&["out one", "err two", "half-line three"]),
            &Policy::default(),
            move |line| {
                log.lock().unwrap().push((line.stream, line.text().into_owned(), line.is_ended));
                ControlFlow::Continue(())
            },
        )
    });
    assert!(outcome.envelope.ok());
    let mut seen = seen.lock().unwrap().clone();
    seen.sort_by_key(|(stream, ..)| *stream == Stream::Stderr);
    let line = |stream, text: &str, is_ended| (stream, text.to_owned(), is_ended);
    assert_eq!(
        seen,
        [
            line(Stream::Stdout, "one", true),
            line(Stream::Stdout, "three", false),
            line(Stream::Stderr, "two", true)
        ]
    );
}
