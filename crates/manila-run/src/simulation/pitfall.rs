//! What is easy to get wrong: each of these once was.

use super::cache::{cached, not_modified};
use super::law::config;
use super::runtime::{Claim, RENEW, Script, ScriptedAnswer, SimulatedRuntime};
use super::script::{
    call, expired, failure, fixable, limited, moved, page, policy, script, success,
};
use crate::event::Cause;
use crate::invocation::{Input, Invocation};
use crate::outcome::Outcome;
use crate::policy::Policy;
use manila::{ErrorObject, Exit};
use proptest::prelude::*;
use std::time::Duration;

fn data(outcome: &Outcome) -> &str {
    outcome.envelope.content().data.as_ref().map_or("", |data| data.as_str())
}

/// A document that says failure, whatever the status says.
const BUSY: &str = r#"{"ok":false,"data":null,"error":{"code":"BUSY","message":"no"},"warnings":[],"meta":{"duration_ms":1}}"#;

#[test]
fn a_refusal_by_a_process_that_succeeded_is_not_repeated() {
    let (_dir, policy) = cached("[1]");
    // Status 0: whatever it says of its arguments, it may have done its work.
    let refused = BUSY.replace("BUSY", "ARG_ERROR");
    let script = Script::of([ScriptedAnswer::new(refused, 0, Claim::Otherwise)]);
    let (_, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(runtime.attempts.len(), 1);
}

#[test]
fn input_that_can_be_read_once_is_read_once_with_a_cached_answer_too() {
    let (_dir, keeping) = cached("[1]");
    let refused = failure(Exit::ArgError, ErrorObject::new("USAGE", "there is no --etag"));
    for (answer, policy) in [(refused, keeping), (not_modified(), Policy::default())] {
        let script = Script::of([answer]);
        let (_, runtime) = SimulatedRuntime::play(&script, &call().stdin(Input::Ours), &policy);
        assert_eq!(runtime.attempts.len(), 1);
    }
}

#[test]
fn a_page_beside_a_failure_is_no_success() {
    // The same without `truncated` is an UNTRUSTED_ANSWER.
    let both = format!("{}\n{BUSY}\n", page("[1]", "b").stdout);
    let script = Script::of([ScriptedAnswer::new(both, 0, Claim::Otherwise)]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert!(!outcome.envelope.ok());
}

#[test]
fn not_modified_and_truncated_and_without_data_is_no_success() {
    let script = Script::of([success("null", r#","not_modified":true,"truncated":true"#)]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert!(!outcome.envelope.ok());
}

#[test]
fn text_is_not_a_last_page() {
    let words = ScriptedAnswer::new("Segmentation fault (not really)\n", 0, Claim::Silent);
    let (outcome, _) =
        SimulatedRuntime::play(&Script::of([page("[1]", "b"), words]), &call(), &Policy::default());
    // Nothing says that the list is whole.
    assert!(!outcome.envelope.ok() || outcome.envelope.meta().truncated, "{}", data(&outcome));
}

#[test]
fn a_kept_answer_is_no_page() {
    let (_dir, policy) = cached("[1]");
    let script = Script::of([page("[1]", "b"), not_modified()]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_ne!(data(&outcome), "[1,1]");
}

#[test]
fn without_a_version_means_without_a_version() {
    let script = Script::of([not_modified(), success("[2]", "")]);
    let call = call().args(["--etag", "v1"]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call, &Policy::default());
    for (attempt, step) in runtime.calls(&outcome) {
        let names_version = attempt.argv.iter().any(|word| word == "--etag");
        assert!(step.cause != Cause::WithoutEtag || !names_version);
    }
}

#[test]
fn a_cursor_brings_in_nothing_that_is_forbidden() {
    let policy = Policy { denied_args: vec!["--yes".to_owned()], ..Policy::default() };
    let script = Script::of([page("[1]", "--yes"), success("[2]", "")]);
    let (_, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert!(runtime.attempts.iter().all(|attempt| !attempt.argv.contains(&"--yes".to_owned())));
}

#[test]
fn a_member_that_stands_twice_is_not_lost() {
    let twice = |number: u8| format!(r#"{{"items":[{number}],"items":"note {number}"}}"#);
    let script = Script::of([page(&twice(1), "b"), success(&twice(2), "")]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert!(data(&outcome).contains("note 1") && data(&outcome).contains("note 2"));
}

#[test]
fn keys_keep_their_spelling() {
    let spelled = |number: u8| format!(r#"{{"\u00e9":1,"items":[{number}]}}"#);
    let script = Script::of([page(&spelled(1), "b"), success(&spelled(2), "")]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert_eq!(data(&outcome), r#"{"\u00e9":1,"items":[1,2]}"#);
}

#[test]
fn the_story_names_the_dialect_however_it_ends() {
    let forbidding = Policy { denied_args: vec!["--yes".to_owned()], ..Policy::default() };
    for answer in [expired(), moved("tool a --yes", false)] {
        let (outcome, _) = SimulatedRuntime::play(&Script::of([answer]), &call(), &forbidding);
        assert_eq!(outcome.trace.dialect, outcome.trace.steps[0].dialect);
    }
}

#[test]
fn what_is_decided_about_a_step_aside_is_what_is_done() {
    let refresh = Some(Invocation::new(RENEW));
    let script = Script { renewals: vec![limited(5)], ..Script::of([expired()]) };
    let (outcome, runtime) =
        SimulatedRuntime::play(&script, &call(), &Policy { refresh, ..Policy::default() });
    assert_eq!(runtime.attempts.len(), 2);
    assert_ne!(outcome.trace.steps[1].decision.action.name(), "retry");
}

#[test]
fn a_clean_exit_after_sigterm_is_still_a_timeout() {
    let (takes, stubborn) = (Duration::from_secs(99), Duration::from_millis(1));
    let script =
        Script::of([ScriptedAnswer { takes, stubborn, ..success("[1]", "") }, success("[2]", "")]);
    let attempt_limit = Some(Duration::from_secs(1));
    let policy = Policy { attempt_limit, idempotent: true, ..Policy::default() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(runtime.attempts.len(), 2);
    assert!(outcome.envelope.ok());
}

#[test]
fn a_general_error_is_not_repeated_after_a_fix_or_a_refresh() {
    let expired = failure(Exit::General, ErrorObject::new("TOKEN_EXPIRED", "the token is old"));
    let policy = Policy { fixes: true, refresh: Some(Invocation::new(RENEW)), ..Policy::default() };
    for answer in [fixable(Exit::General, "tool repair"), expired] {
        let done = vec![success("[]", "")];
        let script = Script { renewals: done.clone(), repairs: done, ..Script::of([answer]) };
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        assert_eq!(runtime.calls(&outcome).len(), 1);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
        fn nothing_at_all_begins_after_the_end(script in script(), policy in policy()) {
        let (_, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        let ends = [policy.deadline, script.cancelled_at].into_iter().flatten();
        let end = ends.min().unwrap_or(Duration::MAX);
        prop_assert!(runtime.attempts.iter().all(|attempt| attempt.began < end), "{:#?}", runtime.attempts);
    }
}
