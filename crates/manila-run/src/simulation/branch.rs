//! The branches of settling that no law pins down, one example each.

use super::runtime::{Claim, Ending, RENEW, Script, ScriptedAnswer, SimulatedRuntime, TOOL};
use super::script::{call, expired, failure, fixable, limited, moved, page, success};
use crate::event::{Cause, Event};
use crate::invocation::{Input, Invocation};
use crate::outcome::Outcome;
use crate::policy::{Observer, Policy, Trust};
use crate::redirects::RedirectStore;
use manila::{ErrorObject, Exit, Fix, Status};
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn code(outcome: &Outcome) -> &str {
    outcome.envelope.error().map_or("", |error| &error.code)
}

fn warned(outcome: &Outcome, words: &str) -> bool {
    outcome.envelope.content().warnings.iter().any(|warning| warning.text().contains(words))
}

fn causes(outcome: &Outcome) -> Vec<&Cause> {
    outcome.trace.steps.iter().map(|step| &step.cause).collect()
}

fn argv(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

// ---- credentials ----

fn renewing() -> Policy {
    Policy { refresh: Some(Invocation::new(RENEW).arg("token")), ..Policy::default() }
}

#[test]
fn credentials_are_renewed_once() {
    let renewals = vec![ScriptedAnswer::new("renewed\n", 0, Claim::Silent)];
    let works = Script { renewals, ..Script::of([expired(), success("[1]", "")]) };
    let (outcome, runtime) = SimulatedRuntime::play(&works, &call(), &renewing());
    assert!(outcome.envelope.ok());
    assert_eq!(runtime.lines(), ["/opt/tool run 1", "renew token", "/opt/tool run 1"]);
    assert_eq!(causes(&outcome), [&Cause::First, &Cause::Refresh, &Cause::Again]);
    assert_eq!(outcome.summary().attempts, 2);
    let script = Script { calls: vec![expired()], ..works };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &renewing());
    assert_eq!((code(&outcome), runtime.attempts.len()), ("TOKEN_EXPIRED", 3));
    assert_eq!(outcome.trace.steps[2].decision.action.name(), "acquire-credentials");
}

#[test]
fn credentials_that_cannot_be_renewed_end_the_call() {
    for renewal in [
        ScriptedAnswer::new("no network\n", 1, Claim::Otherwise),
        limited(5),
        ScriptedAnswer { ending: Ending::NotStarted, ..success("[]", "") },
    ] {
        let script = Script { renewals: vec![renewal], ..Script::of([expired()]) };
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &renewing());
        assert_eq!((code(&outcome), runtime.attempts.len()), ("TOKEN_EXPIRED", 2));
        assert!(warned(&outcome, "the refresh command failed"));
    }
}

#[test]
fn credentials_are_renewed_although_the_error_states_a_fix() {
    let fix = |command: Option<&str>| Fix {
        required: Some("a token that is valid".to_owned()),
        command: command.map(str::to_owned),
    };
    for fix in [fix(None), fix(Some("tool repair"))] {
        let error = ErrorObject { fix, ..ErrorObject::new("TOKEN_EXPIRED", "the token is old") };
        let error = ErrorObject { retryable: Some(false), ..error };
        let calls = vec![failure(Exit::AuthRequired, error), success("[1]", "")];
        let script = Script { calls, renewals: vec![success("[]", "")], ..Script::default() };
        let policy = Policy { fixes: true, ..renewing() };
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        assert!(outcome.envelope.ok());
        assert_eq!(runtime.lines(), ["/opt/tool run 1", "renew token", "/opt/tool run 1"]);
        assert_eq!(outcome.trace.steps[0].decision.row, "token-expired");
    }
}

#[test]
fn no_refresh_command_is_set() {
    let (outcome, runtime) =
        SimulatedRuntime::play(&Script::of([expired()]), &call(), &Policy::default());
    assert_eq!((code(&outcome), runtime.attempts.len()), ("TOKEN_EXPIRED", 1));
    assert!(warned(&outcome, "no refresh command is set"));
}

// ---- fixes ----

fn fixing() -> Policy {
    Policy { fixes: true, ..Policy::default() }
}

#[test]
fn a_stated_fix_is_run_and_the_call_made_again() {
    let calls = vec![fixable(Exit::Precondition, "tool repair 'a b'"), success("[1]", "")];
    let repairs = vec![success("[]", "")];
    let script = Script { calls, repairs, ..Script::default() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &fixing());
    assert!(outcome.envelope.ok());
    assert_eq!(runtime.attempts[1].argv, [TOOL, "repair", "a b"]);
    assert_eq!(causes(&outcome), [&Cause::First, &Cause::Fix, &Cause::Again]);
}

#[test]
fn a_fix_that_does_not_work_ends_the_call() {
    let repairs =
        vec![failure(Exit::Conflict, ErrorObject::new("LOCKED", "another process holds it"))];
    let script = Script { repairs, ..Script::of([fixable(Exit::Precondition, "tool repair")]) };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &fixing());
    assert_eq!((code(&outcome), runtime.attempts.len()), ("NOT_INITIALISED", 2));
    assert!(warned(&outcome, "the stated fix failed: another process holds it"));
}

#[test]
fn a_fix_may_not_bring_in_what_is_forbidden() {
    let script = Script::of([fixable(Exit::Precondition, "tool repair --yes")]);
    let policy = Policy { denied_args: vec!["--yes".to_owned()], ..fixing() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!((code(&outcome), runtime.attempts.len()), ("NOT_INITIALISED", 1));
    assert!(warned(&outcome, "it brings in --yes"));
    let (outcome, runtime) =
        SimulatedRuntime::play(&script, &call(), &Policy { trust: Trust::Never, ..fixing() });
    assert_eq!((code(&outcome), runtime.attempts.len()), ("NOT_INITIALISED", 1));
}

// ---- redirects and what is remembered of them ----

#[test]
fn a_permanent_redirect_is_remembered_and_another_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("redirects");
    let policy = Policy { redirect_store: Some(path.clone()), ..Policy::default() };
    for (permanent, remembered) in [(false, 0), (true, 1)] {
        let script = Script::of([moved("tool start 1", permanent), success("[1]", "")]);
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        assert!(outcome.envelope.ok());
        assert_eq!(runtime.lines(), ["/opt/tool run 1", "/opt/tool start 1"]);
        assert_eq!(RedirectStore::at(&path).list().unwrap().len(), remembered);
    }
    let (outcome, runtime) =
        SimulatedRuntime::play(&Script::of([success("[1]", "")]), &call().arg("--all"), &policy);
    assert_eq!(runtime.lines(), ["/opt/tool start 1 --all"]);
    assert_eq!(causes(&outcome), [&Cause::Remembered]);
}

#[test]
fn what_is_remembered_is_trusted_no_more_than_what_is_said() {
    let forbidding = Policy { denied_args: vec!["--yes".to_owned()], ..Policy::default() };
    let never = Policy { trust: Trust::Never, ..Policy::default() };
    let declined = Policy { trust: Trust::Ask(Arc::new(|_| false)), ..Policy::default() };
    for (to, policy) in [
        ("/opt/tool start --yes", forbidding),
        ("other start", Policy::default()),
        ("/opt/tool start", never),
        ("/opt/tool start", declined),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("redirects");
        RedirectStore::at(&path).remember(&argv("/opt/tool run"), &argv(to)).unwrap();
        let policy = Policy { redirect_store: Some(path), ..policy };
        let (outcome, runtime) =
            SimulatedRuntime::play(&Script::of([success("[1]", "")]), &call(), &policy);
        assert_eq!(runtime.lines(), ["/opt/tool run 1"]);
        assert!(warned(&outcome, "is not run"), "{to}");
    }
}

#[test]
fn a_redirect_store_that_cannot_be_used_is_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let policy = Policy { redirect_store: Some(dir.path().to_owned()), ..Policy::default() };
    let script = Script::of([moved("tool start 1", true), success("[1]", "")]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert!(outcome.envelope.ok());
    assert_eq!(runtime.attempts.len(), 2);
    assert!(warned(&outcome, "cannot be read") && warned(&outcome, "cannot remember the redirect"));
}

#[test]
fn a_circle_is_left() {
    let script =
        Script::of([moved("tool a", false), moved("tool b", false), moved("tool a", false)]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert_eq!((code(&outcome), runtime.attempts.len()), ("COMMAND_RENAMED", 3));
    let (_, runtime) = SimulatedRuntime::play(
        &Script::of([moved("/opt/tool run 1", false)]),
        &call(),
        &Policy::default(),
    );
    assert_eq!(runtime.attempts.len(), 1);
}

// ---- input that can be read once ----

#[test]
fn input_that_can_be_read_once_is_read_once() {
    let policy = Policy { idempotent: true, ..renewing() };
    for answer in [
        limited(5),
        expired(),
        moved("tool a", false),
        fixable(Exit::Precondition, "tool repair"),
        page("[1]", "b"),
    ] {
        let script = Script { renewals: vec![success("[]", "")], ..Script::of([answer]) };
        let script = Script { repairs: vec![success("[]", "")], ..script };
        let policy = Policy { fixes: true, ..policy.clone() };
        let (_, runtime) = SimulatedRuntime::play(&script, &call().stdin(Input::Ours), &policy);
        assert_eq!(runtime.lines(), ["/opt/tool run 1"]);
    }
}

#[test]
fn input_that_can_be_read_once_allows_one_page() {
    let script = Script::of([page("[1]", "b")]);
    let (outcome, _) =
        SimulatedRuntime::play(&script, &call().stdin(Input::Ours), &Policy::default());
    assert!(outcome.envelope.ok() && outcome.envelope.meta().truncated);
    assert_eq!(outcome.envelope.meta().cursor.as_deref(), Some("b"));
    assert!(warned(&outcome, "its input can be read only once"));
}

#[test]
fn a_file_is_read_from_its_beginning_in_every_attempt() {
    let script = Script::of([limited(5), success("[1]", "")]);
    let call = call().stdin(Input::File("/etc/hostname".into()));
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call, &Policy::default());
    assert!(outcome.envelope.ok());
    assert_eq!(runtime.attempts.len(), 2);
}

// ---- the end of a call ----

#[test]
fn a_call_may_end_before_it_begins() {
    let at_once = Script { cancelled_at: Some(Duration::ZERO), ..Script::of([success("[]", "")]) };
    let fine = Script::of([success("[]", "")]);
    let no_time = Policy { deadline: Some(Duration::ZERO), ..Policy::default() };
    let no_attempt = Policy { max_attempts: 0, ..Policy::default() };
    for (script, policy, why) in [
        (&at_once, Policy::default(), "CANCELLED"),
        (&fine, no_time, "DEADLINE"),
        (&fine, no_attempt, "TOO_MANY_ATTEMPTS"),
    ] {
        let (outcome, runtime) = SimulatedRuntime::play(script, &call(), &policy);
        assert_eq!((code(&outcome), runtime.attempts.len()), (why, 0));
        assert!(outcome.trace.steps.is_empty());
    }
}

#[test]
fn a_cancelled_call_does_not_wait() {
    let at = Some(Duration::from_secs(1));
    let script = Script { cancelled_at: at, ..Script::of([limited(60_000)]) };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert_eq!((code(&outcome), runtime.attempts.len()), ("CANCELLED", 1));
    assert_eq!(Some(runtime.ended()), at);
}

#[test]
fn a_wait_that_does_not_fit_is_not_begun() {
    let policy = Policy { deadline: Some(Duration::from_secs(10)), ..Policy::default() };
    let (outcome, runtime) =
        SimulatedRuntime::play(&Script::of([limited(60_000)]), &call(), &policy);
    assert_eq!((code(&outcome), runtime.attempts.len()), ("RATE_LIMITED", 1));
    assert!(runtime.waits.is_empty());
    assert!(outcome.trace.steps[0].decision.reason.contains("does not fit"));
}

#[test]
fn nothing_is_waited_for_if_no_attempt_is_left() {
    let policy = Policy { max_attempts: 1, ..Policy::default() };
    let (outcome, runtime) =
        SimulatedRuntime::play(&Script::of([limited(60_000)]), &call(), &policy);
    assert_eq!((code(&outcome), runtime.attempts.len()), ("RATE_LIMITED", 1));
    assert!(runtime.waits.is_empty());
}

#[test]
fn attempts_are_counted_whatever_they_are_for() {
    let policy = Policy { max_attempts: 3, hops: 9, ..Policy::default() };
    let (outcome, runtime) =
        SimulatedRuntime::play(&Script::of([moved("tool c@N", false)]), &call(), &policy);
    assert_eq!((code(&outcome), runtime.attempts.len()), ("TOO_MANY_ATTEMPTS", 3));
}

#[test]
fn one_that_takes_too_long_is_called_again_only_if_that_is_safe() {
    let slow = ScriptedAnswer { takes: Duration::from_secs(99), ..success("[1]", "") };
    let script = Script::of([slow, success("[2]", "")]);
    let limit = Some(Duration::from_secs(1));
    let policy = Policy { attempt_limit: limit, ..Policy::default() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!((code(&outcome), runtime.attempts.len()), ("TIMEOUT", 1));
    assert_eq!(outcome.trace.unknown, ["how much of its work is done"]);
    let policy = Policy { idempotent: true, ..policy };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert!(outcome.envelope.ok());
    assert_eq!(runtime.attempts.len(), 2);
}

#[test]
fn wrong_arguments_are_not_tried_again() {
    let wrong = r#"{"ok":false,"data":null,"error":{"code":"USAGE","message":"no","retryable":true},"warnings":[],"meta":{"duration_ms":1,"schema_version":"1.0"}}"#;
    let script = Script::of([ScriptedAnswer::new(wrong, 3, Claim::Otherwise)]);
    let policy = Policy { idempotent: true, ..Policy::default() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!((code(&outcome), runtime.attempts.len()), ("USAGE", 1));
    assert_eq!(outcome.trace.steps[0].decision.action.name(), "correct-arguments");
}

// ---- programs without an envelope ----

#[test]
fn a_program_without_an_envelope_gets_a_truthful_one() {
    let silent = Script::of([ScriptedAnswer::new("[1, 2.0]\n", 0, Claim::Silent)]);
    let (outcome, _) = SimulatedRuntime::play(&silent, &call(), &Policy::default());
    assert!(outcome.envelope.ok());
    assert_eq!(outcome.envelope.content().data.as_ref().unwrap().as_str(), "[1, 2.0]");
    assert_eq!(outcome.trace.dialect, None);
    assert!(outcome.trace.unknown[0].starts_with("whether it did what it should"));
    let died = ScriptedAnswer {
        stderr: "oh\nno\n".to_owned(),
        ..ScriptedAnswer::new("half", 1, Claim::Otherwise)
    };
    let (outcome, _) =
        SimulatedRuntime::play(&Script::of([died.clone()]), &call(), &Policy::default());
    assert_eq!(code(&outcome), "FAILED_WITHOUT_ENVELOPE");
    assert_eq!(outcome.envelope.error().unwrap().message, "exit status 1: no");
    let killed = ScriptedAnswer { status: Status::Signaled(9), ..died };
    let (outcome, _) = SimulatedRuntime::play(&Script::of([killed]), &call(), &Policy::default());
    assert_eq!(code(&outcome), "KILLED");
}

#[test]
fn a_failure_that_a_program_states_in_its_own_way_is_a_failure() {
    for (document, status, code_of, message) in [
        (r#"{"ok":false,"error":"boom"}"#, 0, "EXPLICIT_FAILURE", "boom"),
        (r#"{"error":{"code":"E404","message":"no such package"}}"#, 1, "E404", "no such package"),
    ] {
        let script = Script::of([ScriptedAnswer::new(document, status, Claim::Otherwise)]);
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
        assert_eq!((code(&outcome), runtime.attempts.len()), (code_of, 1));
        assert_eq!(outcome.envelope.error().unwrap().message, message);
        assert_eq!(outcome.envelope.status(), Some(status));
        assert_eq!(outcome.envelope.content().data.as_ref().unwrap().as_str(), document);
    }
}

#[test]
fn an_answer_of_an_unknown_revision_is_not_handed_on_as_a_success() {
    let later = success(r#"{"n":1}"#, r#","schema_version":"9.0""#);
    let (outcome, _) = SimulatedRuntime::play(&Script::of([later]), &call(), &Policy::default());
    assert_eq!(code(&outcome), "UNTRUSTED_ANSWER");
    assert!(outcome.envelope.error().unwrap().message.contains("9.0"));
    assert_eq!(outcome.envelope.content().data.as_ref().unwrap().as_str(), r#"{"n":1}"#);
}

#[test]
fn pages_are_read_beside_meta_too() {
    let more = r#""pagination":{"has_more":true,"next_cursor":"b"},"ok""#;
    let first = success("[1]", "").stdout.replacen("\"ok\"", more, 1);
    let script =
        Script::of([ScriptedAnswer::new(first.clone(), 0, Claim::Success), success("[2]", "")]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert_eq!(runtime.lines(), ["/opt/tool run 1", "/opt/tool run 1 --cursor b"]);
    assert_eq!(outcome.envelope.content().data.as_ref().unwrap().as_str(), "[1,2]");
    // Without a cursor the rest cannot be fetched, and a warning says so.
    let endless = first.replace(r#","next_cursor":"b""#, "");
    let script = Script::of([ScriptedAnswer::new(endless, 0, Claim::Success)]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert!(outcome.envelope.ok() && outcome.envelope.meta().truncated);
    assert!(warned(&outcome, "the data is incomplete"));
}

#[test]
fn a_lock_that_says_how_long_is_waited_for() {
    let error =
        ErrorObject { wait_ms: Some(250), ..ErrorObject::new("LOCK_HELD", "another call runs") };
    let error = ErrorObject { retryable: Some(true), ..error };
    let script = Script::of([failure(Exit::Conflict, error), success("[1]", "")]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert!(outcome.envelope.ok());
    assert_eq!(runtime.waits, [Duration::from_millis(250)]);
}

#[test]
fn the_caller_may_know_the_dialect() {
    let answer = success("[1]", "");
    let policy = Policy { dialect: manila::dialect("response-envelope/1.6"), ..Policy::default() };
    let (outcome, _) = SimulatedRuntime::play(&Script::of([answer]), &call(), &policy);
    assert_eq!(outcome.trace.dialect, Some("response-envelope/1.6"));
    assert_eq!(outcome.trace.steps[0].dialect, Some("response-envelope/1.6"));
}

// ---- what is reported ----

#[test]
fn each_attempt_is_recorded_and_the_call_logged() {
    let dir = tempfile::tempdir().unwrap();
    let (runs, log) = (dir.path().join("runs"), dir.path().join("log"));
    let policy = Policy { record: Some(runs.clone()), log: Some(log.clone()), ..Policy::default() };
    let script = Script::of([limited(5), success("[1]", "")]);
    let (_, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(fs::read_dir(&runs).unwrap().count(), 2);
    assert_eq!(
        fs::read_to_string(runs.join("0002/stdout")).unwrap(),
        runtime.attempts[1].answer.stdout
    );
    let line: serde_json::Value =
        serde_json::from_str(fs::read_to_string(&log).unwrap().trim_end()).unwrap();
    assert_eq!(line["meta"]["run"]["attempts"], 2);
    assert_eq!(line["meta"]["run"]["argv"][0], TOOL);
    let (outcome, _) = SimulatedRuntime::play(
        &script,
        &call(),
        &Policy { record: Some(log), log: Some(runs), ..policy },
    );
    assert!(outcome.envelope.ok());
    assert!(
        warned(&outcome, "cannot record the run") && warned(&outcome, "cannot write to the log")
    );
}

#[test]
fn the_observer_gets_each_step_in_order() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ours = Arc::clone(&heard);
    let observer = Observer::new(move |event| {
        ours.lock().unwrap().push(match event {
            Event::Attempt { number, .. } => format!("attempt {number}"),
            Event::Answered { code, .. } => format!("answered {}", code.unwrap_or("well")),
            Event::Decided(decision) => decision.action.name().to_owned(),
            Event::Waiting(time) => format!("waiting {time:?}"),
            Event::Noted(_) => "noted".to_owned(),
        });
    });
    let script = Script::of([limited(5), page("[1]", "")]);
    SimulatedRuntime::play(&script, &call(), &Policy { observer, ..Policy::default() });
    #[rustfmt::skip]
    let all = [
        "attempt 1", "answered RATE_LIMITED", "retry", "waiting 5ms",
        "attempt 2", "answered well", "escalate", "noted",
    ];
    assert_eq!(*heard.lock().unwrap(), all);
}
