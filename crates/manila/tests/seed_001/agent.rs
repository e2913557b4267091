//! "Agent interpretation": rules for callers that read the envelope.

use crate::support::*;
use manila::json::FactKind;
use manila::{Action, Change, Exit, History, Malformed, Policy, Status};

const X: &str = r#"{"code":"X","message":"m"}"#;

// ---- Determining outcome ----

// Seed: "Primary signal: exit code. Secondary signal: ok."
#[test]
fn the_exit_code_is_the_primary_signal_and_ok_the_secondary() {
    for status in 0..=255 {
        let ok = status == 0;
        let agreed = if ok { document(ok, "{}", "null", "") } else { document(ok, "null", X, "") };
        assert_eq!(call(agreed, status).opened().envelope.ok(), ok, "status {status}");
    }
    // The secondary signal decides only where the primary one was not recorded.
    assert!(ended(SUCCESS, Status::Unknown).opened().envelope.ok());
    assert!(!ended(RATE_LIMITED, Status::Unknown).opened().envelope.ok());
    ended(SUCCESS, Status::Unknown).does(0, Action::Accept);
}

// Seed: "If they conflict, trust exit code"; a document that says it failed is docs/deviations.md's.
#[test]
fn if_exit_code_and_ok_conflict_the_exit_code_is_trusted() {
    for status in 1..=255 {
        let opened = call(document(true, "{}", "null", ""), status).opened();
        assert!(!opened.envelope.ok(), "status {status}");
        assert_eq!(opened.envelope.status(), Some(status));
        assert!(opened.facts.has(FactKind::OkContradictsStatus), "status {status}");
    }
}

// Seed: "ok: true + non-zero exit code — command proxy or wrapper may have swallowed the code;
// treat as failure, inspect error"
#[test]
fn ok_true_with_a_nonzero_exit_code_is_a_failure() {
    for exit in failures() {
        let call =
            call(document(true, "{}", "null", r#","schema_version":"1.0""#), status_of(exit));
        assert!(!call.opened().envelope.ok());
        assert_eq!(call.exit(), exit);
        call.does(3, Action::InspectState);
    }
}

// Seed: "… treat as failure, inspect error"
#[test]
fn ok_true_with_a_nonzero_exit_code_and_an_error_is_decided_by_the_error() {
    let limited = call(RATE_LIMITED.replacen("false", "true", 1), 11);
    limited.does(15, retry(30_000));
    limited.notes("ok is true although the process failed");
    assert!(limited.opened().facts.has(FactKind::ErrorOnSuccess));
    call(TOKEN_EXPIRED.replacen("false", "true", 1), 8).does(13, Action::RefreshCredentials);
}

// Seed: "ok: false + exit code 0 — treat as success; ok may be stale in a cached or proxied response";
// docs/deviations.md says why this is not done.
#[test]
fn ok_false_with_exit_code_zero_is_a_failure_all_the_same() {
    let stale = call(SUCCESS.replacen("true", "false", 1), 0);
    assert!(!stale.opened().envelope.ok());
    assert!(stale.opened().facts.has(FactKind::OkContradictsStatus));
    assert_eq!(stale.exit(), Exit::General);
    stale.does(2, Action::Escalate);
    stale.notes("ok is false although the process ended with 0");
}

// Seed: as above; ours (row 2): an error beside exit code 0 is a conflict, and data are not used.
#[test]
fn ok_false_with_exit_code_zero_and_an_error_is_not_acted_on() {
    for example in [ARG_ERROR, TOKEN_EXPIRED, REDIRECTED, RATE_LIMITED] {
        call(example, 0).does(2, Action::Escalate);
    }
}

// ---- Missing or null fields ----

// Seed: "error key absent entirely — malformed response; treat as GENERAL_ERROR; do not retry blindly"
#[test]
fn an_absent_error_key_is_a_general_error_that_is_not_retried_blindly() {
    let claimed = r#""schema_version":"1.0""#;
    for (ok, meta, from) in [(true, claimed, 0), (false, claimed, 0), (false, "", 0), (true, "", 1)]
    {
        for status in from..=255 {
            let document = format!(r#"{{"ok":{ok},"data":{{}},"warnings":[],"meta":{{{meta}}}}}"#);
            let call = call(document, status).idempotent();
            let opened = call.opened();
            assert_eq!(opened.envelope.exit(), Exit::General);
            assert_eq!(opened.claims.malformed, Some(Malformed::ErrorKeyAbsent));
            assert!(opened.facts.iter().any(|fact| fact.subject.as_deref() == Some("error")));
            call.does(4, Action::InspectState);
        }
    }
}

// Seed: as above; a success that does not claim the dialect is docs/deviations.md's.
#[test]
fn an_absent_error_key_of_a_success_that_does_not_claim_the_dialect_is_noted() {
    for document in [
        r#"{"ok":true,"data":{"n":1},"meta":{}}"#,
        r#"{"ok":true,"data":[{"id":1}],"meta":{"total":1}}"#,
        r#"{"ok":true,"data":{},"warnings":[],"meta":{"duration_ms":1}}"#,
    ] {
        for status in [Status::Exited(0), Status::Unknown] {
            let call = ended(document, status);
            assert_eq!(call.opened().claims.malformed, None, "{document}");
            assert_eq!(call.opened().detection.dialect.id(), "response-envelope/1.0");
            call.does(0, Action::Accept);
            call.notes("`error` is absent and read as null");
        }
    }
}

// Seed: "data: null and error: null simultaneously — malformed; log and escalate; do not act on data"
#[test]
fn data_and_error_both_null_is_malformed_and_escalated() {
    for ok in [true, false] {
        let call = call(document(ok, "null", "null", ""), 0);
        let opened = call.opened();
        assert_eq!(opened.claims.malformed, Some(Malformed::NothingSaid));
        assert!(opened.facts.has(FactKind::NothingSaid), "it must be logged");
        assert!(!opened.envelope.ok() && opened.envelope.content().data.is_none());
        call.does(5, Action::Escalate);
    }
}

// Seed: as above; the sentence does not say "with exit code 0", and row 5 comes before all retries.
#[test]
fn data_and_error_both_null_is_malformed_and_escalated_whatever_the_exit_code() {
    let silent = document(false, "null", "null", r#","schema_version":"1.0""#);
    let decided = failures().map(|exit| {
        let decision = call(&*silent, status_of(exit)).decision();
        (exit, decision.row.number, decision.action)
    });
    let wrong: Vec<_> = decided.filter(|it| (it.1, &it.2) != (5, &Action::Escalate)).collect();
    assert_eq!(wrong, []);
}

// Seed: "warnings key absent — treat as empty array; do not fail"
#[test]
fn an_absent_warnings_key_is_an_empty_array_and_does_not_fail() {
    let call = call(SUCCESS.replace(r#""warnings":[],"#, ""), 0);
    assert_eq!(call.opened().envelope.content().warnings, []);
    call.does(0, Action::Accept);
    call.notes("`warnings` is absent and read as empty");
}

// ---- Deciding whether to act on data ----

// Seed: "meta.truncated: true — data is incomplete; do not draw conclusions or trigger downstream
// actions until all pages are fetched"
#[test]
fn truncated_data_are_not_acted_on_until_all_pages_are_fetched() {
    let mut history = History::default();
    let pages = [
        r#","truncated":true,"cursor":"b""#,
        r#","truncated":true,"cursor":"c""#,
        r#","truncated":false"#,
    ];
    let mut actions = Vec::new();
    for meta in pages {
        let page =
            Call { history: history.clone(), ..call(document(true, "[1]", "null", meta), 0) };
        if let Action::NextPage { cursor } = page.action() {
            history.cursors.push(cursor);
        }
        actions.push(page.action());
    }
    let next = |cursor: &str| Action::NextPage { cursor: cursor.to_owned() };
    assert_eq!(actions, [next("b"), next("c"), Action::Accept]);
}

// Seed: "meta.not_modified: true — data is intentionally null; use the previously cached response;
// this is not an error"
#[test]
fn not_modified_uses_the_previously_cached_response_and_is_not_an_error() {
    let mut call = call(document(true, "null", "null", r#","not_modified":true"#), 0);
    call.policy.cached = true;
    let opened = call.opened();
    assert!(opened.envelope.ok() && opened.envelope.error().is_none());
    assert_eq!(opened.claims.malformed, None);
    call.does(7, Action::UseCache);
}

// ---- Retrying ----

// Seed: "error.retryable: true without error.retry_after — retry immediately for ARG_ERROR; apply
// 1s default back-off for all others"
#[test]
fn retryable_true_without_retry_after_is_retried_at_once_for_arg_error_and_after_one_second_for_all_others()
 {
    for exit in failures() {
        // The caller says that the call may be made twice: whether it may is another sentence.
        let call = call(failed("X", r#","retryable":true"#), status_of(exit)).idempotent();
        assert_eq!(call.exit(), exit);
        match exit {
            Exit::ArgError => call.does(18, correct_arguments(0)),
            // Five classes say themselves what must happen before a call can work.
            Exit::AuthRequired => call.does(14, Action::AcquireCredentials),
            Exit::Redirected => call.does(9, Action::Escalate),
            Exit::RateLimited => call.does(16, retry(60_000)),
            Exit::Unavailable => call.does(17, retry(1_000)),
            Exit::Timeout => call.does(22, retry(1_000)),
            _ => call.does(18, retry(1_000)),
        }
    }
}

// Seed: the same, for the example that it gives itself.
#[test]
fn the_example_of_a_retryable_arg_error_is_retried_at_once_with_corrected_arguments() {
    call(ARG_ERROR, 3).does(18, correct_arguments(0));
}

// Seed: "retry_after — Seconds to wait before retrying"
#[test]
fn retryable_true_with_retry_after_waits_that_many_seconds() {
    call(RATE_LIMITED, 11).does(15, retry(30_000));
}

// Seed: "error.retryable absent — fall back to the exit code's retryability from exit-code.md"
#[test]
fn retryable_absent_falls_back_to_the_retryability_of_the_exit_code() {
    for exit in failures() {
        let call = call(failed("X", ""), status_of(exit));
        assert_eq!(call.exit(), exit);
        match exit {
            Exit::Success => unreachable!("only failures"),
            Exit::General => call.does(23, Action::InspectState),
            Exit::PartialFailure => call.does(19, Action::InspectState),
            Exit::ArgError => call.does(19, correct_arguments(0)),
            Exit::NotFound | Exit::Conflict | Exit::PermissionDenied => {
                call.does(19, Action::GiveUp);
            }
            Exit::AuthRequired => call.does(14, Action::AcquireCredentials),
            Exit::Precondition | Exit::PaymentRequired => call.does(19, Action::Escalate),
            Exit::Timeout => call.does(22, Action::InspectState),
            Exit::RateLimited => call.does(16, retry(60_000)),
            Exit::Unavailable => call.does(17, retry(1_000)),
            Exit::Redirected => call.does(9, Action::Escalate),
        }
    }
}

// Seed: "Never retry more than 3 times on the same error code without a state change"
#[test]
fn never_retries_more_than_three_times_on_the_same_error_code_without_a_state_change() {
    for exit in failures() {
        let mut attempts = Vec::new();
        loop {
            let call = call(failed("X", r#","retryable":true"#), status_of(exit)).idempotent();
            let call = call.after(&attempts);
            if call.action().wait_ms().is_none() {
                break;
            }
            attempts.push("X");
            assert!(attempts.len() <= 3, "{exit:?} is retried endlessly");
        }
        let own = [Exit::AuthRequired, Exit::Redirected];
        assert_eq!(attempts.len(), if own.contains(&exit) { 0 } else { 3 }, "{exit:?}");
    }
}

// Seed: "… without a state change"
#[test]
fn a_state_change_allows_three_more_retries() {
    let used_up = call(RATE_LIMITED, 11).after(&["RATE_LIMIT_EXCEEDED"; 3]);
    used_up.does(25, Action::GiveUp);
    // A change of the state begins a new list of attempts.
    used_up.after(&[]).does(15, retry(30_000));
}

// ---- Auth flow ----

// Seed: "error.code: "TOKEN_EXPIRED" — refresh token, replace credential, retry the original call
// once; if the retry also returns TOKEN_EXPIRED, escalate to TOKEN_INVALID handling"
#[test]
fn token_expired_is_refreshed_and_retried_once_and_then_handled_as_token_invalid() {
    let mut call = call(TOKEN_EXPIRED, 8);
    call.does(13, Action::RefreshCredentials);
    call.history.refreshed = true;
    let again = call.decision();
    let invalid = crate::support::call(failed("TOKEN_INVALID", ""), 8).decision();
    assert_eq!(again.action, invalid.action);
    assert_eq!((again.row.number, invalid.row.number), (14, 14));
}

// Seed: "error.code: "TOKEN_INVALID" or "TOKEN_MISSING" — do not retry; acquire new credentials
// from the appropriate source"
#[test]
fn token_invalid_and_token_missing_are_not_retried_but_need_new_credentials() {
    for code in ["TOKEN_INVALID", "TOKEN_MISSING"] {
        for more in ["", r#","retryable":true"#, r#","retryable":true,"retry_after":1"#] {
            call(failed(code, more), 8).does(14, Action::AcquireCredentials);
            // Not even for a caller that may call twice, or at a status that names no class.
            call(failed(code, more), 8).idempotent().does(14, Action::AcquireCredentials);
            call(failed(code, more), 1).does(14, Action::AcquireCredentials);
        }
    }
}

// ---- Redirect flow ----

fn moved(command: &str, permanent: bool) -> String {
    let more = format!(r#","redirect":{{"command":"{command}","permanent":{permanent}}}"#);
    failed("COMMAND_RENAMED", &more)
}

// Seed: "error.redirect present — execute error.redirect.command verbatim on the next call; do not
// modify it"
#[test]
fn a_redirect_is_executed_verbatim_and_not_modified() {
    let command = "tool users add --name 'alice  b' --note $HOME";
    // What only a shell could read verbatim is not run in another reading.
    call(moved(command, true), 13).does(9, Action::Escalate);
    let command = "tool  users add --name 'alice  b; $HOME'";
    let argv = ["tool", "users", "add", "--name", "alice  b; $HOME"];
    call(moved(command, true), 13).does(9, redirect(command, &argv, true));
}

// Seed: as above; a word that begins with # is a word, not a remark to leave out.
#[test]
fn a_redirect_never_loses_a_word() {
    match call(moved("tool issue close #5", false), 13).action() {
        Action::Redirect { argv, .. } => assert_eq!(argv, ["tool", "issue", "close", "#5"]),
        refused => assert_eq!(refused, Action::Escalate),
    }
}

// Seed: "error.redirect.permanent: true — record the mapping (old command → new command) before
// retrying; apply it to all future calls in this session and persist to memory"
#[test]
fn a_permanent_redirect_is_to_be_remembered() {
    let argv = ["tool", "users", "add", "--name", "alice"];
    call(REDIRECTED, 13).does(9, redirect("tool users add --name alice", &argv, true));
}

// Seed: "error.redirect.permanent: false — use replacement for this call only; do not update stored
// knowledge"
#[test]
fn a_redirect_that_is_not_permanent_is_for_this_call_only() {
    call(moved("tool b", false), 13).does(9, redirect("tool b", &["tool", "b"], false));
    // Nothing is remembered on the strength of a key that is not there.
    let unsaid = failed("MOVED", r#","redirect":{"command":"tool b"}"#);
    call(unsaid, 13).does(9, redirect("tool b", &["tool", "b"], false));
}

// ---- Warnings ----

// Seed: "Non-empty warnings on a successful response — log all warnings; complete the current
// action; surface warnings to the orchestrator for review"
#[test]
fn warnings_on_a_success_are_all_surfaced_and_the_action_completes() {
    let call = call(SUCCESS.replace("[]", r#"["disk is 91% full","clock is 2 s off"]"#), 0);
    call.does(0, Action::Accept);
    let notes = call.decision().notes;
    assert_eq!(notes, ["warning: disk is 91% full", "warning: clock is 2 s off"]);
}

// Seed: "A warning containing words like "deprecated" or "will be removed" — treat as a soft
// REDIRECTED; plan to update the call in a future session"
#[test]
fn a_warning_of_deprecation_is_a_soft_redirect_to_plan_for() {
    for words in ["--all is deprecated", "Deprecated: use -a", "`ls` WILL BE REMOVED in 3.0"] {
        let call = call(SUCCESS.replace("[]", &format!("[\"{words}\"]")), 0);
        call.does(0, Action::Accept);
        call.notes("plan to change this call");
    }
    let harmless = call(SUCCESS.replace("[]", r#"["disk is 91% full"]"#), 0);
    assert_eq!(harmless.decision().notes.len(), 1);
}

// The seed's policy numbers are the defaults, and a missing cache asks once more without an etag.
#[test]
fn the_defaults_are_the_seeds() {
    let policy = Policy::default();
    assert_eq!((policy.retries, policy.idempotent, policy.cached), (3, false, false));
    let again = Action::Retry { wait_ms: 0, change: Some(Change::WithoutEtag) };
    call(document(true, "null", "null", r#","not_modified":true"#), 0).does(7, again);
}
