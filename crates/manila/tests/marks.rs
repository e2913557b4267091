//! Owns: a document that says it failed is never accepted, whatever its dialect and its exit status.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use manila::json::FactKind;
use manila::{
    Action, Answer, Decision, EXPLICIT_FAILURE, Error, FailureMark, History, Opened, Options,
    Policy, Redirects, Status, Transcript, decide, open,
};
use proptest::prelude::*;
use proptest::sample::select;

/// Successes of every dialect, and of none.
const SUCCESSES: &[&str] = &[
    r#"{"ok":true,"data":{"n":1},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#,
    r#"{"ok":true,"data":{"n":1},"error":null,"warnings":[],"meta":{"duration_ms":1,"schema_version":"1.6"}}"#,
    r#"{"ok":true,"data":null,"error":null,"warnings":[],"meta":{"duration_ms":1,"not_modified":true}}"#,
    r#"{"ok":true,"data":[1],"error":null,"warnings":[],"meta":{"duration_ms":1,"truncated":true,"cursor":"c"}}"#,
    r#"{"ok":true,"data":{"n":1},"meta":{}}"#,
    r#"{"schema":"animus.cli.v1","ok":true,"data":1}"#,
    r#"{"kind":"list-sessions","sessions":[],"type":"success"}"#,
    r#"{"command":"list-sessions","sessions":[]}"#,
    r#"{"kind":"doctor","action":"show","status":"ok"}"#,
    r#"{"timestamp":"2026-04-22T10:10:00Z","command":"x","exit_code":0,"output_format":"json","schema_version":"2.0","n":1}"#,
    r#"{"ok":true,"type":"task","data":{}}"#,
    r#"{"ok":true,"kind":"validate","data":{},"issues":[],"meta":{"apiVersion":"1","cwd":"/"}}"#,
    r#"{"n":1}"#,
];

/// Members that say that it failed.
const MARKS: &[&str] = &[
    r#""ok":false"#,
    r#""success":false"#,
    r#""status":"error""#,
    r#""is_error":true"#,
    r#""isError":true"#,
    r#""error":{"code":"X","message":"boom"}"#,
    r#""error":{}"#,
    r#""error":"boom""#,
    r#""error":true"#,
    r#""errors":[{"message":"boom"}],"data":null"#,
    r#""er\u0072or":"boom""#,
];

fn read(document: &str, status: Status) -> (Transcript, Result<Opened, Error>) {
    let transcript = Transcript::from_stdout(document, status);
    let opened = open(&transcript, &Options::default());
    (transcript, opened)
}

fn decided(document: &str, status: Status) -> Decision {
    let (transcript, opened) = read(document, status);
    let answer = Answer::new(&transcript, opened.as_ref());
    decide(&answer, &History::default(), &Policy::default())
}

/// A document with a member at its beginning or its end.
fn with(document: &str, member: &str, first: bool) -> String {
    let inside = document.strip_prefix('{').unwrap().strip_suffix('}').unwrap();
    if first { format!("{{{member},{inside}}}") } else { format!("{{{inside},{member}}}") }
}

proptest! {
    #[test]
    fn no_document_with_an_explicit_failure_mark_is_ever_accepted(
        document in select(SUCCESSES),
        marks in proptest::collection::vec((select(MARKS), any::<bool>()), 1..3),
        status in select(vec![Status::Exited(0), Status::Unknown, Status::Exited(1), Status::Exited(7)]),
        (stderr, noise) in (any::<bool>(), select(vec!["", "Done.\n", "{\"log\":1}\n"])),
        (idempotent, cached, fixes, refresh) in any::<(bool, bool, bool, bool)>(),
    ) {
        let document =
            marks.iter().fold(document.to_owned(), |all, (mark, first)| with(&all, mark, *first));
        // GraphQL allows errors beside data, and a second `data` is not null.
        prop_assume!(!marks.iter().all(|(mark, _)| mark.contains("errors")) || !document.contains("\"data\":{")
            && !document.contains("\"data\":[") && !document.contains("\"data\":1"));
        let bytes = format!("{noise}{document}\n").into_bytes();
        let streams = if stderr { (Vec::new(), bytes) } else { (bytes, Vec::new()) };
        let transcript =
            Transcript { stdout: streams.0, stderr: streams.1, status, ..Transcript::default() };
        let opened = open(&transcript, &Options::default());
        let policy = Policy {
            idempotent, cached, fixes, refresh, redirects: Redirects::Any, ..Policy::default()
        };
        let answer = Answer::new(&transcript, opened.as_ref());
        let decision = decide(&answer, &History::default(), &policy);
        let uses = ["accept", "use-cache", "next-page"].contains(&decision.action.name());
        prop_assert!(!uses, "{document}: {decision:?}");
        prop_assert!(opened.is_ok_and(|opened| !opened.envelope.ok()) || answer_is_stated(&transcript));
    }
}

fn answer_is_stated(transcript: &Transcript) -> bool {
    let error = open(transcript, &Options::default()).unwrap_err();
    error.stated_failure().is_some()
}

#[test]
fn a_mark_that_the_dialect_does_not_know_is_a_fact_and_brings_its_message() {
    let document = r#"{"ok":true,"type":"task","data":{},"is_error":true,"message":"boom"}"#;
    let opened = read(document, Status::Exited(0)).1.unwrap();
    assert!(!opened.envelope.ok());
    assert!(opened.facts.has(FactKind::FailureMark));
    assert_eq!(opened.claims.failure_mark, Some(FailureMark::IsError));
    assert_eq!(opened.envelope.error().unwrap().message, "boom");
    let decision = decided(document, Status::Exited(0));
    assert_eq!((decision.row.number, decision.action), (2, Action::Escalate));
    assert!(decision.reason.contains("`is_error` is true"), "{}", decision.reason);
}

#[test]
fn a_failure_without_an_error_finds_its_message_elsewhere() {
    let document = r#"{"ok":false,"type":"task","data":{},"message":"boom"}"#;
    for status in [0, 1] {
        let opened = read(document, Status::Exited(status)).1.unwrap();
        assert_eq!(opened.envelope.error().unwrap().message, "boom");
    }
}

#[test]
fn a_failure_of_no_known_dialect_is_a_failure_with_its_message() {
    for (document, code, message) in [
        (r#"{"ok":false,"error":"boom"}"#, EXPLICIT_FAILURE, "boom"),
        (r#"{"ok":false,"error":"no such","error_code":"not_found"}"#, "not_found", "no such"),
        (r#"{"error":{"code":"E404","description":"d"}}"#, "E404", "d"),
        (r#"{"data":null,"errors":[{"message":"no field"}]}"#, EXPLICIT_FAILURE, "no field"),
    ] {
        let (transcript, opened) = read(document, Status::Exited(0));
        let error = opened.unwrap_err();
        let stated = error.stated_failure().unwrap();
        assert_eq!((&*stated.error.code, &*stated.error.message), (code, message), "{document}");
        assert_eq!(&transcript.stdout[stated.span.clone()], document.as_bytes());
        for (status, row, action) in [
            (Status::Exited(0), 2, Action::Escalate),
            (Status::Exited(1), 23, Action::InspectState),
            (Status::Unknown, 23, Action::InspectState),
            (Status::Exited(137), 24, Action::InspectState),
        ] {
            let decision = decided(document, status);
            assert_eq!(
                (decision.row.number, decision.action),
                (row, action),
                "{document} {status}"
            );
            assert!(decision.notes.iter().any(|note| note.contains("no known dialect")));
        }
    }
    let expired = decided(r#"{"error":{"code":"UNAUTHENTICATED"}}"#, Status::Exited(1));
    assert_eq!(expired.action, Action::AcquireCredentials);
}

#[test]
fn a_log_on_stderr_fails_no_answer_that_succeeded() {
    let log = b"{\"level\":\"warn\",\"error\":\"connection reset\"}\n".to_vec();
    let plain = Transcript {
        stdout: b"done\n".to_vec(),
        stderr: log.clone(),
        status: Status::Exited(0),
        ..Transcript::default()
    };
    let stated = |transcript: &Transcript| {
        open(transcript, &Options::default()).unwrap_err().stated_failure().is_some()
    };
    assert!(!stated(&plain));
    assert!(stated(&Transcript { stdout: Vec::new(), ..plain.clone() }));
    assert!(stated(&Transcript { status: Status::Exited(1), ..plain.clone() }));
    // The last document is the answer, not one of the records before it.
    let stdout = [log, b"{\"n\":1}\n".to_vec()].concat();
    assert!(!stated(&Transcript { stdout, ..plain }));
}
