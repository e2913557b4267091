//! Owns: every program gets a truthful envelope, whatever it writes and however it ends.

mod support;

use manila::{Exit, Status};
use manila_run::{NoData, Policy};
use support::{SUCCESS, acting, code, data, only, outcome, settled, stdout_text, stopped};

#[test]
fn an_envelope_is_handed_on_as_it_is() {
    let outcome = outcome(&["err some progress", SUCCESS]);
    assert!(outcome.envelope.ok());
    assert_eq!(data(&outcome), r#"{"id":7}"#);
    assert_eq!(outcome.trace.dialect, Some("response-envelope/1.0"));
    assert_eq!(outcome.trace.unknown, [""; 0]);
    let usage = only(&outcome).usage.as_ref().unwrap();
    assert_eq!(usage.status, Status::Exited(0));
    assert_eq!(usage.stdout_bytes, (SUCCESS.len() - "out ".len() + 1) as u64);
    assert_eq!(usage.stderr_bytes, "some progress\n".len() as u64);
    assert!(usage.peak_memory_bytes > 0);
    assert!(usage.cut.is_empty() && usage.stopped.is_none());
}

#[test]
fn data_are_what_the_caller_takes_them_for_or_an_error_says_why_not() {
    #[derive(Debug, serde::Deserialize)]
    struct Thing {
        id: u32,
    }
    assert_eq!(outcome(&[SUCCESS]).data::<Thing>().unwrap().id, 7);
    assert!(matches!(outcome(&[SUCCESS]).data::<Vec<u8>>(), Err(NoData::Other(_))));
    let failed = outcome(&["exit 5"]).data::<Thing>().unwrap_err();
    assert!(matches!(failed, NoData::Failed(_)), "{failed}");
}

#[test]
fn text_without_an_envelope_is_data_and_nothing_more_is_claimed() {
    let outcome = outcome(&["out hello", "err beside"]);
    assert!(outcome.envelope.ok());
    assert_eq!(data(&outcome), r#"{"stdout":"hello\n","stderr":"beside\n"}"#);
    assert_eq!(outcome.trace.dialect, None);
    assert_eq!(outcome.trace.unknown.len(), 1, "{:?}", outcome.trace.unknown);
}

#[test]
fn json_without_an_envelope_is_the_data_in_its_own_spelling() {
    assert_eq!(data(&outcome(&["out [1.50, 2]"])), "[1.50, 2]");
}

#[test]
fn no_output_is_reported_as_none() {
    let quiet = outcome(&[]);
    assert!(quiet.envelope.ok());
    assert_eq!(stdout_text(&quiet), "");
    let failed = outcome(&["exit 3"]);
    assert_eq!((code(&failed), failed.envelope.exit()), ("FAILED_WITHOUT_ENVELOPE", Exit::General));
    assert_eq!(failed.envelope.status(), Some(3));
}

#[test]
fn a_failure_without_an_envelope_quotes_the_last_lines() {
    let outcome = outcome(&["out partial", "err first", "err last", "exit 9"]);
    let error = outcome.envelope.error().unwrap();
    assert_eq!(error.code, "FAILED_WITHOUT_ENVELOPE");
    assert_eq!(error.message, "first");
    assert_eq!(error.detail.as_deref(), Some("first\nlast"));
    assert_eq!(stdout_text(&outcome), "partial\n");
}

#[test]
fn half_a_line_is_kept() {
    assert_eq!(stdout_text(&outcome(&["half-line no end"])), "no end");
    let whole = outcome(&[&SUCCESS.replacen("out", "half-line", 1)]);
    assert_eq!(whole.trace.dialect, Some("response-envelope/1.0"));
}

#[test]
fn half_a_document_is_no_success() {
    let cut = outcome(&[r#"half-line {"ok":true,"data":{"id":"#, "exit 1"]);
    assert!(!cut.envelope.ok());
    let killed = outcome(&[r#"half-line {"ok":true,"data":{"id":"#, "signal KILL"]);
    assert_eq!(code(&killed), "KILLED");
}

#[test]
fn death_by_a_signal_is_reported() {
    let outcome = outcome(&["err about to die", "signal ABRT"]);
    assert_eq!((code(&outcome), outcome.envelope.status()), ("KILLED", Some(128 + 6)));
    let usage = only(&outcome).usage.as_ref().unwrap();
    assert_eq!((usage.status, usage.stopped), (Status::Signaled(6), None));
    let message = &outcome.envelope.error().unwrap().message;
    assert_eq!(message, "killed by signal 6: about to die");
    assert_eq!(only(&outcome).decision.action.name(), "inspect-state");
}

#[test]
fn a_success_that_is_killed_afterwards_is_none() {
    let outcome = outcome(&[SUCCESS, "signal KILL"]);
    assert!(!outcome.envelope.ok(), "{outcome:?}");
}

#[test]
fn an_envelope_amid_prose_is_found_and_the_prose_is_noted() {
    let outcome = outcome(&["out loading …", SUCCESS, "out done."]);
    assert_eq!((outcome.envelope.ok(), data(&outcome)), (true, r#"{"id":7}"#));
    assert!(only(&outcome).decision.notes.iter().any(|note| note.contains("recovered")));
}

#[test]
fn two_documents_of_two_minds_are_not_believed() {
    let failure = SUCCESS
        .replace("true", "false")
        .replace("\"error\":null", r#""error":{"code":"NO","message":"no"}"#);
    let outcome = outcome(&[&failure, SUCCESS]);
    assert_eq!(code(&outcome), "UNTRUSTED_ANSWER", "{outcome:?}");
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bytes");
    std::fs::write(&file, b"\xff\xfe\x00{\x80").unwrap();
    let call = acting(&["read-stdin"]).stdin(manila_run::Input::File(file));
    let outcome = settled(&call, &Policy::default());
    assert!(outcome.envelope.ok());
    assert_eq!(only(&outcome).usage.as_ref().unwrap().stdout_bytes, 5);
}

#[test]
fn output_of_other_processes_after_the_end_is_read() {
    let outcome = outcome(&["out mine", "after-exit theirs"]);
    assert_eq!(stdout_text(&outcome), "mine\ntheirs\n");
    assert_eq!(stopped(&outcome), None);
}

#[test]
fn text_is_whole_or_reported_as_cut() {
    let size = 200_000;
    let outcome = outcome(&[&format!("flood {size}")]);
    let is_whole = stdout_text(&outcome).len() == size;
    let notes = format!("{:?} {:?}", outcome.trace.unknown, outcome.envelope.content().warnings);
    assert!(is_whole || notes.contains(&size.to_string()), "{notes}");
}
