//! Owns: `decide` says what to do, why, and which row of the table says so, from flags alone.

mod support;

use serde_json::{Value, json};
use support::{RATE_LIMITED, manila, seed, words};

/// What `decide` says of this document, with these flags.
fn of(document: &str, flags: &str) -> Value {
    words(&format!("decide --json {flags}")).input(document).data()
}

/// What `decide` says of this example of the seeds, with these arguments.
fn of_seed(name: &str, arguments: &[&str]) -> Value {
    manila(["decide", "--json", "--run"]).arg(seed(name)).args(arguments).run().data()
}

#[track_caller]
fn assert_says(decision: &Value, action: &str, row: u8) {
    assert_eq!(
        (&decision["action"]["do"], &decision["row"]["number"]),
        (&action.into(), &row.into()),
        "{decision}"
    );
    assert!(decision["reason"].as_str().is_some_and(|it| !it.is_empty()), "{decision}");
}

fn notes(decision: &Value) -> String {
    decision["notes"].to_string()
}

#[test]
fn a_rate_limit_that_states_its_wait_is_retried_after_it() {
    let decision = of(RATE_LIMITED, "--exit-code 11");
    assert_says(&decision, "retry", 15);
    assert_eq!(decision["action"], json!({"do": "retry", "wait_ms": 30_000, "change": null}));
    assert_eq!(decision["dialect"], "response-envelope/1.0");
    assert_eq!(decision["exit"], "RATE_LIMITED");
    assert_eq!(decision["code"], "RATE_LIMIT_EXCEEDED");

    let text = words("decide --exit-code 11").input(RATE_LIMITED).text();
    assert!(text.starts_with("retry after 30 s\n"), "{text}");
    assert!(text.contains("15 wait-stated"), "{text}");
    assert_says(&of_seed("response-envelope-rate-limited", &[]), "retry", 15);
}

#[test]
fn wrong_arguments_are_to_be_corrected_and_not_retried() {
    let decision = of_seed("response-envelope-arg-error", &[]);
    assert_says(&decision, "correct-arguments", 18);
    assert_eq!(decision["action"], json!({"do": "correct-arguments", "wait_ms": 0}));
    let text = manila(["decide", "--run"]).arg(seed("response-envelope-arg-error")).run().text();
    assert!(text.starts_with("correct the arguments\n"), "{text}");
    assert!(text.contains("Valid environments: prod, staging, dev"), "{text}");
    assert!(!text.contains("retry at once"), "{text}");
    assert_says(&of_seed("response-envelope-arg-error", &["--attempt", "4"]), "give-up", 25);
    // Dialects in which nothing but a correction helps say the same.
    assert_says(&of_seed("td-ambiguous-match", &[]), "correct-arguments", 19);
}

#[test]
fn a_failure_that_a_document_states_is_shown_whatever_its_dialect_and_status() {
    let document = r#"{"ok":false,"error":"boom"}"#;
    for (status, action, row) in [(0, "escalate", 2), (1, "inspect-state", 23)] {
        let decision = of(document, &format!("--exit-code {status}"));
        assert_says(&decision, action, row);
        assert_eq!((&decision["message"], &decision["dialect"]), (&json!("boom"), &Value::Null));
        let text = words(&format!("decide --exit-code {status}")).input(document).text();
        assert!(text.contains("error         boom\n"), "{text}");
    }
    let expired = r#"{"status":"error","error":{"code":"TOKEN_INVALID","message":"who?"}}"#;
    assert_says(&of(expired, "--exit-code 1"), "acquire-credentials", 14);
    let text = words("decide --exit-code 1").input(expired).text();
    assert!(text.contains("TOKEN_INVALID: who?"), "{text}");
}

#[test]
fn an_unknown_revision_is_escalated() {
    let document = r#"{"timestamp":"2026-04-22T10:10:00Z","command":"list-sessions","exit_code":0,"output_format":"json","schema_version":"3.0","sessions":[]}"#;
    let decision = of(document, "--exit-code 0");
    assert_says(&decision, "escalate", 1);
    assert!(decision["reason"].as_str().is_some_and(|it| it.contains("3.0")), "{decision}");
}

#[test]
fn a_success_without_an_error_key_is_accepted_with_a_note() {
    let decision = of(r#"{"ok":true,"data":{"n":1},"meta":{}}"#, "--exit-code 0");
    assert_says(&decision, "accept", 0);
    assert!(notes(&decision).contains("`error` is absent"), "{decision}");
}

#[test]
fn expired_credentials_with_a_stated_fix_are_refreshed_where_that_can_be_done() {
    let document = r#"{"ok":false,"data":null,"error":{"code":"TOKEN_EXPIRED","message":"m","retryable":false,"fix_required":"a token","fix_command":"tool login"},"warnings":[],"meta":{"duration_ms":1}}"#;
    assert_says(&of(document, "--exit-code 8"), "escalate", 10);
    assert_says(&of(document, "--exit-code 8 --can-refresh"), "refresh-credentials", 13);
}

#[test]
fn the_fourth_failure_alike_exhausts_the_budget() {
    assert_says(&of(RATE_LIMITED, "--exit-code 11 --attempt 3"), "retry", 15);
    assert_says(&of(RATE_LIMITED, "--exit-code 11 --attempt 4"), "give-up", 25);
    let text = words("decide --exit-code 11 --attempt 4").input(RATE_LIMITED).text();
    assert!(text.starts_with("give up\n") && text.contains("25 budget"), "{text}");
}

#[test]
fn failures_of_another_kind_do_not_count_against_the_budget() {
    let flags = "--exit-code 11 --after OTHER --attempt 4";
    assert_says(&of(RATE_LIMITED, flags), "retry", 15);
    let flags = "--exit-code 11 --after RATE_LIMIT_EXCEEDED --after OTHER --attempt 5";
    assert_says(&of(RATE_LIMITED, flags), "retry", 15);
    let alike = "--after RATE_LIMIT_EXCEEDED ".repeat(3);
    assert_says(&of(RATE_LIMITED, &format!("--exit-code 11 {alike}")), "give-up", 25);
}

#[test]
fn the_budget_is_what_the_caller_says() {
    assert_says(&of(RATE_LIMITED, "--exit-code 11 --retries 0"), "give-up", 25);
    assert_says(&of(RATE_LIMITED, "--exit-code 11 --attempt 9 --retries 9"), "retry", 15);
}

#[test]
fn an_expired_token_is_refreshed_once_and_then_acquired_anew() {
    assert_says(&of_seed("response-envelope-auth-required", &[]), "refresh-credentials", 13);
    let again = of_seed("response-envelope-auth-required", &["--refreshed"]);
    assert_says(&again, "acquire-credentials", 14);
    assert!(again["reason"].as_str().is_some_and(|it| it.contains("refreshed")), "{again}");
}

#[test]
fn a_redirect_to_the_same_program_is_followed_word_by_word() {
    let decision = of_seed("response-envelope-redirected", &[]);
    assert_says(&decision, "redirect", 9);
    assert_eq!(
        decision["action"],
        json!({"do": "redirect", "command": "tool users add --name alice",
            "argv": ["tool", "users", "add", "--name", "alice"], "remember": true})
    );
    assert_says(&of_seed("response-envelope-redirected", &["--program", "tool"]), "redirect", 9);
    let path = of_seed("response-envelope-redirected", &["--program", "/usr/bin/tool"]);
    assert_says(&path, "redirect", 9);
}

#[test]
fn a_redirect_to_another_program_is_followed_only_if_any_may_be() {
    let other = of_seed("response-envelope-redirected", &["--program", "other"]);
    assert_says(&other, "escalate", 9);
    assert!(other["reason"].as_str().is_some_and(|it| it.contains("tool")), "{other}");
    let any = ["--program", "other", "--redirects", "any"];
    assert_says(&of_seed("response-envelope-redirected", &any), "redirect", 9);
}

#[test]
fn no_redirect_is_followed_if_none_may_be() {
    let never = of_seed("response-envelope-redirected", &["--redirects", "never"]);
    assert_says(&never, "escalate", 9);
}

#[test]
fn a_redirect_that_was_followed_before_is_a_loop() {
    let followed = ["--followed", "tool users add --name alice"];
    assert_says(&of_seed("response-envelope-redirected", &followed), "give-up", 9);
    let another = ["--followed", "tool users create"];
    assert_says(&of_seed("response-envelope-redirected", &another), "redirect", 9);
}

#[test]
fn redirects_end_where_the_caller_says() {
    let hops = ["--max-hops", "1", "--followed", "tool users create"];
    assert_says(&of_seed("response-envelope-redirected", &hops), "give-up", 9);
}

#[test]
fn a_redirect_is_noted_when_the_called_program_is_unknown() {
    let stdout = std::fs::read_to_string(seed("response-envelope-redirected").join("stdout"));
    let stdout = stdout.expect("reads");
    let decision = of(&stdout, "--exit-code 13");
    assert_says(&decision, "redirect", 9);
    assert!(notes(&decision).contains("the called program is not known"), "{decision}");
    assert_eq!(of(&stdout, "--exit-code 13 --program tool")["notes"], json!([]));
}

#[test]
fn a_redirect_that_needs_a_shell_is_never_run() {
    let stdout = std::fs::read_to_string(seed("response-envelope-redirected").join("stdout"));
    let stdout = stdout.expect("reads").replace("alice", "alice; rm -rf /");
    let decision = of(&stdout, "--exit-code 13 --redirects any");
    assert_says(&decision, "escalate", 9);
}

#[test]
fn a_wait_that_does_not_fit_into_the_time_left_is_not_begun() {
    assert_says(&of(RATE_LIMITED, "--exit-code 11 --remaining-ms 30000"), "retry", 15);
    let late = of(RATE_LIMITED, "--exit-code 11 --remaining-ms 29999");
    assert_says(&late, "give-up", 15);
    assert!(late["reason"].as_str().is_some_and(|it| it.contains("29999")), "{late}");
}

#[test]
fn what_is_not_modified_is_taken_from_what_was_kept_or_asked_for_anew_once() {
    let document = r#"{"ok":true,"data":null,"error":null,"warnings":[],"meta":{"duration_ms":1,"not_modified":true}}"#;
    assert_says(&of(document, "--exit-code 0 --cached"), "use-cache", 7);
    let anew = of(document, "--exit-code 0");
    assert_says(&anew, "retry", 7);
    assert_eq!(anew["action"]["change"], "without-etag");
    assert_says(&of(document, "--exit-code 0 --reissued"), "escalate", 7);
}

#[test]
fn pages_are_fetched_until_a_cursor_comes_again() {
    let document = r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1,"truncated":true,"cursor":"c2"}}"#;
    let next = of(document, "--exit-code 0 --seen-cursor c1");
    let beside = r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1},"pagination":{"has_more":true,"next_cursor":"c2"}}"#;
    assert_eq!(of(beside, "--exit-code 0 --seen-cursor c1")["action"], next["action"]);
    assert_says(&next, "next-page", 8);
    assert_eq!(next["action"]["cursor"], "c2");
    assert_says(&of(document, "--exit-code 0 --seen-cursor c1 --seen-cursor c2"), "give-up", 8);
}

#[test]
fn a_stated_fix_is_run_only_if_fixes_may_be_and_once() {
    let document = r#"{"ok":false,"data":null,"error":{"code":"NO_CONFIG","message":"m","retryable":false,"fix_command":"tool init"},"warnings":[],"meta":{"duration_ms":1}}"#;
    assert_says(&of(document, "--exit-code 4"), "escalate", 10);
    let fix = of(document, "--exit-code 4 --allow-fixes");
    assert_says(&fix, "apply-fix", 10);
    assert_eq!(fix["action"]["argv"], json!(["tool", "init"]));
    assert_says(&of(document, "--exit-code 4 --allow-fixes --fixed"), "give-up", 10);
}

#[test]
fn what_may_be_partly_done_is_looked_at_unless_it_may_be_done_twice() {
    let document = r#"{"ok":false,"data":null,"error":{"code":"TIMEOUT","message":"m","retryable":true},"warnings":[],"meta":{"duration_ms":1}}"#;
    assert_says(&of(document, "--exit-code 10"), "inspect-state", 22);
    let again = of(document, "--exit-code 10 --idempotent --jitter 0.5");
    assert_says(&again, "retry", 22);
    assert_eq!(again["action"]["wait_ms"], 1500);
}

#[test]
fn success_is_accepted() {
    assert_says(&of_seed("response-envelope-success", &[]), "accept", 0);
    assert_says(&of_seed("td-task-list", &[]), "accept", 0);
}

#[test]
fn without_an_envelope_the_status_alone_decides() {
    for input in ["it broke\n", "", "{\"cut\":", "[1,2,3]"] {
        for (status, action, row, why) in [
            (0, "escalate", 1, "no envelope"),
            (1, "inspect-state", 23, "exit status 1"),
            (101, "inspect-state", 24, "panicked"),
            (-9, "inspect-state", 24, "signal 9"),
            (137, "inspect-state", 24, "137"),
        ] {
            let decision = of(input, &format!("--exit-code {status}"));
            assert_says(&decision, action, row);
            assert!(decision["reason"].as_str().is_some_and(|it| it.contains(why)), "{decision}");
            assert_eq!(decision["dialect"], Value::Null);
            assert_eq!(decision["code"], Value::Null);
        }
        assert_says(&of(input, ""), "escalate", 1);
    }
}

#[test]
fn an_envelope_of_a_run_that_was_killed_is_not_retried_blindly() {
    for status in ["-9", "137", "101"] {
        let decision = of(RATE_LIMITED, &format!("--exit-code {status}"));
        assert_ne!(decision["action"]["do"], "retry", "{status}: {decision}");
    }
}

#[test]
fn both_faces_name_the_same_row_and_reason() {
    for name in support::seeds() {
        let answer = of_seed(&name, &[]);
        let text = manila(["decide", "--run"]).arg(seed(&name)).run().text();
        let row =
            format!("{} {}: ", answer["row"]["number"], answer["row"]["id"].as_str().unwrap());
        assert!(text.contains(&row), "{name}: {row} in {text}");
        assert!(text.contains(answer["reason"].as_str().unwrap()), "{name}: {text}");
    }
}

#[test]
fn a_recorded_run_has_the_clock_that_a_limit_ends_by() {
    let dir = support::empty_dir("decide_clock");
    // 2026-11-18T12:00:00Z
    let run = r#"{"argv":["claude","-p","x"],"exit_code":1,"ended_ms":1795003200000}"#;
    std::fs::write(dir.join("run.json"), run).unwrap();
    std::fs::write(dir.join("stdout"), "You've hit your session limit · resets 3pm (UTC)\n")
        .unwrap();
    let decision = manila(["decide", "--json", "--run"]).arg(&dir).run().data();
    assert_eq!(decision["action"]["do"], "give-up", "{decision}");
    assert_eq!(decision["after_ms"], 3 * 3_600_000, "{decision}");
}
