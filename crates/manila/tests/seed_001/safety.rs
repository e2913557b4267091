//! Nothing that may have had effects is called again blindly.

use crate::support::*;
use manila::exit::Effects;
use manila::{Action, Exit, Phase, Status};

/// The process did not end normally, so its document may be incomplete.
fn is_violent(status: Status) -> bool {
    match status {
        Status::Signaled(_) => true,
        Status::Exited(code) => code == 101 || code > 128,
        Status::Unknown => false,
    }
}

fn statuses() -> impl Iterator<Item = Status> {
    (0..=255).map(Status::Exited).chain((1..=15).map(Status::Signaled)).chain([Status::Unknown])
}

/// Every combination of what an error may say about calling again.
fn errors() -> Vec<String> {
    let mut errors = vec![String::new()];
    for choices in [
        vec!["", r#","retryable":true"#, r#","retryable":false"#],
        vec!["", r#","phase":"validation""#, r#","phase":"execution""#, r#","phase":"cleanup""#],
        vec!["", r#","retry_after":1"#, r#","retry_after_ms":1"#],
    ] {
        let longer = |error: &String| -> Vec<String> {
            choices.iter().map(|choice| format!("{error}{choice}")).collect()
        };
        errors = errors.iter().flat_map(longer).collect();
    }
    errors
}

#[test]
fn whenever_a_retry_is_advised_the_class_leaves_no_partial_work() {
    let mut retries = 0;
    for revision in ["1.0", "1.6"] {
        for error in errors() {
            for status in statuses() {
                let call = ended(failed_in(revision, "X", &error), status);
                if call.action().name() != "retry" {
                    continue;
                }
                retries += 1;
                let opened = call.opened();
                let failure = opened.envelope.error().expect("a failure");
                let (_, effects) = opened.detection.dialect.table().exits.conclude(call.exit());
                // The seed: "validation" guarantees zero side effects, whatever the class.
                let validated = failure.phase == Some(Phase::Validation);
                let what = format!("{revision} {status} {error}");
                assert!(effects != Effects::Partial || validated, "{what}");
                assert!(effects != Effects::Unknown || failure.retryable == Some(true), "{what}");
                assert!(!is_violent(status), "{what}");
                assert_ne!(failure.retryable, Some(false), "{what}");
            }
        }
    }
    assert!(retries > 500, "the loop must have seen retries, not {retries}");
}

#[test]
fn work_that_is_partly_done_is_inspected_whatever_the_error_says() {
    // Milliseconds are the newer revision's mark, in which these two statuses mean something else.
    let of_the_seed = |error: &&String| !error.contains("_ms") && !error.contains("validation");
    for error in errors().iter().filter(of_the_seed) {
        call(failed("X", error), status_of(Exit::PartialFailure)).decides_to_inspect();
        if !error.contains("false") {
            call(failed("X", error), status_of(Exit::Timeout)).decides_to_inspect();
        }
    }
}

#[test]
fn renewed_credentials_do_not_excuse_calling_again_after_partial_work() {
    // The token ran out half-way: calling again would do the first half twice.
    for code in ["TOKEN_EXPIRED", "CREDENTIALS_EXPIRED", "AUTH_EXPIRED"] {
        call(failed(code, ""), status_of(Exit::PartialFailure)).decides_to_inspect();
        ended(failed(code, ""), Status::Signaled(15)).decides_to_inspect();
    }
}

#[test]
fn a_stated_fix_does_not_excuse_calling_again_after_partial_work() {
    let fixable = failed_in("1.6", "X", r#","fix_command":"tool init""#);
    let mut partial = call(&*fixable, 3);
    assert_eq!(partial.exit(), Exit::PartialFailure);
    partial.policy.fixes = true;
    partial.decides_to_inspect();
    let mut killed = ended(fixable, Status::Signaled(15));
    killed.policy.fixes = true;
    killed.decides_to_inspect();
}

impl Call {
    #[track_caller]
    fn decides_to_inspect(&self) {
        let decision = self.decision();
        assert_eq!(decision.action, Action::InspectState, "{:?}", decision.row);
    }
}
