//! Owns: no program runs, writes or is held open for longer or for more than the caller allows.

mod support;

use manila::{Exit, Status};
use manila_run::{Policy, Stopped};
use support::{
    LONG, Meeting, SHORT, SUCCESS, acting, code, data, only, outcome, settled, stdout_text, stopped,
};

/// A time limit that a test may wait for and in which a program comes to what it should do, and
/// nothing else that could end anything.
fn brief() -> Policy {
    Policy { attempt_limit: Some(SHORT * 10), grace: LONG, linger: LONG, ..Policy::default() }
}

#[test]
fn a_program_that_hangs_is_terminated() {
    let outcome = settled(&acting(&["out so far", "hang"]), &brief());
    assert_eq!((code(&outcome), outcome.envelope.exit()), ("TIMEOUT", Exit::Timeout));
    assert_eq!(stopped(&outcome), Some(Stopped::TimeLimit));
    assert_eq!(only(&outcome).usage.as_ref().unwrap().status, Status::Signaled(15));
    assert_eq!(outcome.envelope.error().unwrap().detail.as_deref(), Some("so far"));
    assert_eq!(only(&outcome).decision.action.name(), "inspect-state");
}

#[test]
fn a_success_that_does_not_end_in_time_is_none() {
    let outcome = settled(&acting(&[SUCCESS, "hang"]), &brief());
    assert_eq!(code(&outcome), "TIMEOUT");
}

#[test]
fn the_deadline_of_the_call_ends_an_attempt_too() {
    let policy = Policy { deadline: Some(SHORT), grace: LONG, ..Policy::default() };
    let outcome = settled(&acting(&["hang"]), &policy);
    assert_eq!((code(&outcome), stopped(&outcome)), ("TIMEOUT", Some(Stopped::TimeLimit)));
}

#[test]
fn a_program_that_does_not_want_to_end_is_killed() {
    let meeting = Meeting::new();
    let policy = Policy { grace: SHORT, ..brief() };
    let outcome = settled(&acting(&["ignore-term", &meeting.step(), "hang"]), &policy);
    meeting.next().ends();
    assert_eq!(code(&outcome), "TIMEOUT");
    assert_eq!(only(&outcome).usage.as_ref().unwrap().status, Status::Signaled(9));
}

#[test]
fn a_program_that_is_stopped_is_ended_all_the_same() {
    let outcome = settled(&acting(&["stop", "hang"]), &brief());
    assert_eq!(code(&outcome), "TIMEOUT");
    assert_eq!(only(&outcome).usage.as_ref().unwrap().status, Status::Signaled(15));
}

#[test]
fn the_whole_group_is_ended_at_the_time_limit() {
    let meeting = Meeting::new();
    let quiet = format!("grandchild ignore-term & {} & hang", meeting.step());
    let policy = Policy { grace: SHORT, ..brief() };
    let outcome = settled(&acting(&[&quiet, "hang"]), &policy);
    meeting.next().ends();
    assert_eq!(code(&outcome), "TIMEOUT");
}

#[test]
fn a_grandchild_that_holds_the_output_is_ended_and_the_answer_counts() {
    let meeting = Meeting::new();
    let grandchild = format!("grandchild {} & hang", meeting.step());
    let policy = Policy { linger: SHORT * 10, grace: LONG, ..Policy::default() };
    let outcome = settled(&acting(&[&grandchild, SUCCESS]), &policy);
    meeting.next().ends();
    assert_eq!((outcome.envelope.ok(), data(&outcome)), (true, r#"{"id":7}"#));
    assert_eq!(stopped(&outcome), Some(Stopped::HeldOpen));
    assert_eq!(outcome.trace.unknown.len(), 1, "{:?}", outcome.trace.unknown);
}

#[test]
fn a_grandchild_that_holds_the_output_and_ignores_the_word_is_killed() {
    let meeting = Meeting::new();
    let grandchild = format!("grandchild ignore-term & {} & hang", meeting.step());
    let policy = Policy { linger: SHORT * 10, grace: SHORT, ..Policy::default() };
    let outcome = settled(&acting(&[&grandchild, SUCCESS]), &policy);
    meeting.next().ends();
    assert_eq!((outcome.envelope.ok(), stopped(&outcome)), (true, Some(Stopped::HeldOpen)));
}

#[test]
fn the_time_limit_holds_while_others_hold_the_output() {
    // One that obeys ends with the test, if nothing else ends it.
    let meeting = Meeting::new();
    let grandchild = format!("grandchild {} & obey", meeting.step());
    let policy = Policy { deadline: Some(SHORT), ..brief() };
    let outcome = settled(&acting(&[&grandchild, SUCCESS]), &policy);
    assert_eq!(stopped(&outcome), Some(Stopped::HeldOpen));
}

#[test]
fn both_streams_are_drained_at_once() {
    let all = 3_000_000;
    let flood = format!("flood-stderr {all} ; flood {all} ; flood-stderr {all}");
    let outcome = outcome(&[&flood]);
    let usage = only(&outcome).usage.as_ref().unwrap();
    assert_eq!((usage.stdout_bytes, usage.stderr_bytes), (all, 2 * all));
    assert!(usage.cut.is_empty(), "{:?}", usage.cut);
}

#[test]
fn an_answer_that_does_not_fit_into_memory_comes_back_whole() {
    let size = (5 << 20) + 7;
    let outcome = outcome(&[&format!("envelope {size}")]);
    assert_eq!(outcome.trace.dialect, Some("response-envelope/1.0"));
    let data: serde_json::Value = outcome.data().unwrap();
    assert_eq!(data["text"].as_str().map(str::len), Some(size));
}

#[test]
fn output_up_to_the_limit_is_whole_and_one_byte_more_is_too_much() {
    let policy = Policy { max_output: 10_000, ..Policy::default() };
    let fits = settled(&acting(&["flood 10000"]), &policy);
    assert_eq!(stdout_text(&fits).len(), 10_000);

    let outcome = settled(&acting(&["flood 10001"]), &policy);
    assert!(outcome.envelope.ok() && outcome.envelope.meta().truncated, "{outcome:?}");
    assert_eq!(stdout_text(&outcome).len(), 10_000);
    let warnings: Vec<&str> =
        outcome.envelope.content().warnings.iter().map(manila::Warning::text).collect();
    assert_eq!(warnings[0], "stdout: 10001 bytes were written, and the first 10000 are kept");
    let file = warnings[1].strip_prefix("more of stdout is in ").unwrap();
    assert_eq!(std::fs::metadata(file).unwrap().len(), 10_001);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn an_answer_in_output_that_is_cut_is_not_believed() {
    let policy = Policy { max_output: 1000, ..Policy::default() };
    let outcome = settled(&acting(&[SUCCESS, "flood 1000"]), &policy);
    assert_eq!(outcome.trace.dialect, None);
    assert_eq!(code(&outcome), "OUTPUT_TOO_LARGE");
}

#[test]
fn too_much_on_standard_error_does_not_spoil_the_answer() {
    let policy = Policy { max_output: 1000, ..Policy::default() };
    let outcome = settled(&acting(&["flood-stderr 5000", SUCCESS]), &policy);
    assert_eq!((outcome.envelope.ok(), data(&outcome)), (true, r#"{"id":7}"#));
    let cut = "stderr: 5000 bytes were written, and the first 1000 are kept";
    assert_eq!(outcome.trace.unknown, [cut]);
}

#[test]
fn the_end_of_a_flood_on_standard_error_is_quoted() {
    let policy = Policy { max_output: 1000, ..Policy::default() };
    let outcome = settled(&acting(&["flood-stderr 5000", "err \nthe reason", "exit 1"]), &policy);
    let detail = outcome.envelope.error().unwrap().detail.as_deref();
    assert!(detail.is_some_and(|detail| detail.ends_with("the reason")), "{detail:?}");
}

#[test]
fn a_flood_that_never_ends_is_ended() {
    let policy = Policy { max_output: 1 << 20, ..brief() };
    let outcome = settled(&acting(&[&format!("flood {}", u64::MAX)]), &policy);
    assert_eq!(code(&outcome), "TIMEOUT");
    assert!(only(&outcome).usage.as_ref().unwrap().stdout_bytes > 1 << 20);
}

#[test]
fn of_too_much_the_last_words_are_the_last() {
    let policy = Policy { max_output: 1000, ..Policy::default() };
    let outcome = settled(&acting(&["flood 5000", "out the end", "exit 1"]), &policy);
    let detail = outcome.envelope.error().unwrap().detail.as_deref().unwrap();
    assert!(detail.ends_with("the end"), "{detail:?}");
}

#[test]
fn as_many_bytes_are_kept_as_are_said_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let policy =
        Policy { max_output: 3 << 20, record: Some(dir.path().to_owned()), ..Policy::default() };
    let outcome = settled(&acting(&["flood 5000000", "exit 1"]), &policy);
    let kept = std::fs::metadata(dir.path().join("0001/stdout")).unwrap().len();
    let cut = &only(&outcome).usage.as_ref().unwrap().cut[0];
    assert!(
        cut.why.ends_with(&format!("and the first {kept} are kept")),
        "{kept} are, and it says {cut:?}"
    );
}
