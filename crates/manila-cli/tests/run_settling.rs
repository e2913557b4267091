//! Owns: `manila run` calls again, waits, pages, renews, fixes and keeps as the table says, within
//! what the flags allow, and never what may have had effects.

mod support;
#[path = "support/tool.rs"]
mod tool;

use serde_json::json;
use support::manila;
use tool::{Tool, assert_warns, called, causes, certain};

/// Busy twice, then done.
const BUSY: &str = r#"
count calls
[ "$n" -gt 2 ] || fail 11 BUSY '"retryable":true,"retry_after":0'
ok '{"id":7}'"#;

#[test]
fn a_program_that_is_busy_is_called_again() {
    let tool = Tool::new("settle-busy", BUSY);
    let ran = tool.json(&[], "ls");
    let envelope = certain(&ran);
    assert_eq!(causes(&envelope), ["first", "retry", "retry"]);
    assert_eq!((&envelope["data"], tool.counted("calls")), (&json!({"id": 7}), 3));
    let steps = &envelope["meta"]["run"]["trace"]["steps"];
    assert_eq!((&steps[0]["code"], &steps[0]["usage"]["exit_code"]), (&json!("BUSY"), &json!(11)));
    assert_eq!(steps[0]["decision"]["row"], "wait-stated");
}

#[test]
fn waits_are_explained() {
    let body = BUSY.replace("\"retry_after\":0", "\"retry_after\":1");
    let tool = Tool::new("settle-waits", &body.replace("-gt 2", "-gt 1"));
    let trace = tool.call(&["--explain", "--json"], "ls").run().err();
    assert!(trace.contains("  waiting 1s") && trace.contains("\nattempt 2: "), "{trace}");
    assert!(trace.contains("  because it may work now, after 1000 ms\n"), "{trace}");
}

#[test]
fn there_is_an_end_to_calling_again() {
    let tool = Tool::new("settle-budget", BUSY);
    let envelope = certain(&tool.json(&["--retries", "1"], "ls"));
    assert_eq!((causes(&envelope).len(), &envelope["error"]["code"]), (2, &json!("BUSY")));
    assert_eq!(envelope["meta"]["run"]["trace"]["steps"][1]["decision"]["row"], "budget");
    let tool = Tool::new("settle-attempts", BUSY);
    // The last cause says more than that there is no other attempt.
    let envelope = certain(&tool.json(&["--max-attempts", "2"], "ls"));
    assert_eq!(envelope["error"]["code"], "BUSY");
    tool::assert_warns(&envelope, "no attempt is left: the limit is 2");
    assert_eq!(tool.counted("calls"), 2);
}

#[test]
fn a_wait_that_does_not_fit_before_the_deadline_is_not_begun() {
    let body = BUSY.replace("\"retry_after\":0", "\"retry_after\":3600");
    let tool = Tool::new("settle-deadline", &body);
    tool.json(&["--deadline", "60s"], "ls").error(11, "BUSY");
    assert_eq!(tool.counted("calls"), 1);
}

/// Says that it may be called again although some of the work is done.
const PARTLY: &str = r#"
count calls
[ "$n" -gt 1 ] || fail 2 HALF_DONE '"retryable":true,"retry_after":0'
ok '{"id":7}'"#;

#[test]
fn what_may_have_had_effects_is_not_called_again_unless_it_is_safe() {
    let tool = Tool::new("settle-effects", PARTLY);
    tool.json(&[], "ls").error(2, "HALF_DONE");
    assert_eq!(tool.counted("calls"), 1);
    let idempotent = Tool::new("settle-idempotent", PARTLY);
    assert_eq!(causes(&certain(&idempotent.json(&["--idempotent"], "ls"))), ["first", "retry"]);
}

#[test]
fn a_manifest_tells_which_commands_are_safe() {
    let tool = Tool::new("settle-manifest", PARTLY);
    let commands =
        r#"{"commands":{"ls":{"danger_level":"safe"},"rm":{"danger_level":"mutating"}}}"#;
    let bare = tool.write("bare", commands);
    let whole = tool.write("whole", &format!(r#"{{"ok":true,"data":{commands}}}"#));
    tool.json(&["--manifest", &bare], "rm").error(2, "HALF_DONE");
    for (name, file) in [("settle-bare", bare), ("settle-whole", whole)] {
        let tool = Tool::new(name, PARTLY);
        certain(&tool.json(&["--manifest", &file], "ls --all"));
        assert_eq!(tool.counted("calls"), 2);
    }
}

#[test]
fn a_program_is_asked_about_itself() {
    let manifest = r#"[ "$1" != --manifest ] || { ok '{"commands":{"ls":{"danger_level":"safe"}}}'; exit 0; }"#;
    let tool = Tool::new("settle-asked", &format!("{manifest}\n{PARTLY}"));
    tool.json(&["--manifest", "ask"], "rm").error(2, "HALF_DONE");
    let safe = Tool::new("settle-asked-safe", &format!("{manifest}\n{PARTLY}"));
    assert_eq!(causes(&certain(&safe.json(&["--manifest", "ask"], "ls"))), ["first", "retry"]);
}

/// Three pages.
const PAGES: &str = r#"
count calls
case "$*" in
*c2*) ok '[3.0, 4]' '"truncated":true,"cursor":"c3"' ;;
*c3*) ok '[{"a" : 5}]' ;;
*) ok '[1,2]' '"truncated":true,"cursor":"c2"' ;;
esac"#;

#[test]
fn pages_are_fetched_to_the_end_and_merged() {
    let tool = Tool::new("settle-pages", PAGES);
    let ran = tool.json(&[], "ls -- x");
    let envelope = certain(&ran);
    // The numbers keep their spelling.
    assert!(ran.out().contains(r#""data":[1,2,3.0,4,{"a":5}]"#), "{}", ran.out());
    assert_eq!(causes(&envelope), ["first", "next-page", "next-page"]);
    assert_eq!(called(&envelope, 1), "ls --cursor c2 -- x");
    assert_ne!(envelope["meta"]["truncated"], true);
    assert_eq!(tool.counted("calls"), 3);
}

#[test]
fn the_caller_names_the_flag_and_the_number_of_pages() {
    let tool = Tool::new("settle-some-pages", PAGES);
    let envelope = certain(&tool.json(&["--cursor-flag", "--after", "--max-pages", "2"], "ls"));
    assert_eq!(called(&envelope, 1), "ls --after c2");
    assert_eq!(envelope["data"].to_string(), "[1,2,3.0,4]");
    assert_eq!(
        (&envelope["meta"]["truncated"], &envelope["meta"]["cursor"]),
        (&json!(true), &json!("c3"))
    );
    assert_warns(&envelope, "there are more");
    assert_eq!(tool.counted("calls"), 2);
}

#[test]
fn a_cursor_that_comes_again_ends_the_walk_and_keeps_what_there_is() {
    let body = "count calls\nok \"[$n]\" '\"truncated\":true,\"cursor\":\"c\"'";
    let tool = Tool::new("settle-circle", body);
    let envelope = certain(&tool.json(&[], "ls"));
    assert_eq!((envelope["data"].to_string().as_str(), tool.counted("calls")), ("[1,2]", 2));
    assert_eq!(envelope["meta"]["truncated"], true, "{envelope}");
    assert_warns(&envelope, "the data is incomplete");
}

#[test]
fn the_pages_before_a_failure_are_not_lost() {
    let tool =
        Tool::new("settle-lost", &PAGES.replace("*c3*) ok '[{\"a\" : 5}]'", "*c3*) fail 5 GONE"));
    let ran = tool.json(&[], "ls");
    let envelope = certain(&ran);
    ran.error(5, "GONE");
    assert_eq!(envelope["meta"]["partial_data"].to_string(), "[1,2,3.0,4]", "{envelope}");
    assert_eq!(envelope["meta"]["cursor"], "c3");
}

/// Works once the file is there.
const OLD: &str = r#"
case "$1" in
renew) count renewed; [ -z "$2" ] || fail 1 NO; ok '{}' ;;
*) count calls; [ -e "$here/renewed" ] || fail 8 TOKEN_EXPIRED; ok '{"id":7}' ;;
esac"#;

#[test]
fn credentials_are_renewed_once() {
    let tool = Tool::new("settle-refresh", OLD);
    let renew = format!("'{}' renew", tool.path());
    let envelope = certain(&tool.json(&["--refresh-with", &renew], "ls"));
    assert_eq!(causes(&envelope), ["first", "refresh", "again"]);
    assert_eq!((tool.counted("renewed"), tool.counted("calls")), (1, 2));
}

/// The same in the revision that states what must be true first.
const OLD_AND_FIXABLE: &str = r#"
case "$1" in
renew) count renewed; ok '{}' ;;
*)
    count calls
    [ ! -e "$here/renewed" ] || { ok '{"id":7}'; exit 0; }
    echo '{"ok":false,"data":null,"error":{"code":"TOKEN_EXPIRED","message":"m","retryable":false,"fix_required":"a valid token","fix_command":"tool login"},"warnings":[],"meta":{"schema_version":"1.6"}}'
    exit 8
    ;;
esac"#;

#[test]
fn credentials_are_renewed_although_the_error_states_a_fix() {
    let tool = Tool::new("settle-refresh-fixable", OLD_AND_FIXABLE);
    let renew = format!("'{}' renew", tool.path());
    let envelope = certain(&tool.json(&["--refresh-with", &renew], "ls"));
    assert_eq!(causes(&envelope), ["first", "refresh", "again"]);
    assert_eq!((tool.counted("renewed"), tool.counted("calls")), (1, 2));
}

#[test]
fn credentials_that_cannot_be_renewed_are_the_end() {
    let tool = Tool::new("settle-no-refresh", OLD);
    let envelope = certain(&tool.json(&[], "ls"));
    assert_warns(&envelope, "no refresh command is set");
    let renew = format!("{} renew badly", tool.path());
    let ran = tool.json(&["--refresh-with", &renew], "ls");
    assert_warns(&certain(&ran), "refresh command failed");
    ran.error(8, "TOKEN_EXPIRED");
    assert_eq!(tool.counted("calls"), 2);
}

/// Answers in the revision that can state a fix, with the command in `$2`.
const FIXABLE: &str = r#"
if [ "$1" = init ]; then count fixed; ok '{}'; exit 0; fi
count calls
[ ! -e "$here/fixed" ] || { ok '{"id":7}'; exit 0; }
echo "{\"ok\":false,\"data\":null,\"error\":{\"code\":\"NOT_READY\",\"message\":\"m\",\"retryable\":false,\"fix_command\":\"$FIX\"},\"warnings\":[],\"meta\":{\"schema_version\":\"1.6\"}}"
exit 4"#;

#[test]
fn a_fix_is_run_only_if_it_is_allowed() {
    let tool = Tool::new("settle-fix", FIXABLE);
    let with = |flags: &[&str], fix: &str| tool.call(flags, "ls").env("FIX", fix).run();
    with(&["--json"], "tool init").error(4, "NOT_READY");
    with(&["--json", "--trace", "--allow-fixes"], "rm init").error(4, "NOT_READY");
    with(&["--json", "--trace", "--allow-fixes"], "tool init; true").error(4, "NOT_READY");
    with(&["--json", "--trace", "--allow-fixes", "--deny-arg", "init"], "tool init")
        .error(4, "NOT_READY");
    assert!(!tool.has("fixed"));
    let envelope = certain(&with(&["--json", "--trace", "--allow-fixes"], "tool init"));
    assert_eq!(causes(&envelope), ["first", "fix", "again"]);
    assert_eq!(tool.counted("fixed"), 1);
}

/// Has a version, and says so when the caller has it too.
const VERSIONED: &str = r#"
count calls
case "$*" in
*'--etag v1'*) ok null '"not_modified":true' ;;
*--etag*) fail 3 UNKNOWN_ARGUMENT ;;
*) ok '[1.50]' '"etag":"v1"' ;;
esac"#;

#[test]
fn an_answer_that_still_holds_is_kept() {
    let tool = Tool::new("settle-cache", VERSIONED);
    let cache = tool.file("cache");
    let flags = ["--cache", &cache];
    let first = certain(&tool.json(&flags, "ls"));
    let ran = tool.json(&flags, "ls");
    let second = certain(&ran);
    assert_eq!((called(&first, 0).as_str(), called(&second, 0).as_str()), ("ls", "ls --etag v1"));
    assert!(ran.out().contains("\"data\":[1.50]"), "{}", ran.out());
    assert_eq!(second["meta"]["run"]["trace"]["steps"][0]["decision"]["do"], "use-cache");
    // What was kept for one call is not for another.
    assert_eq!(called(&certain(&tool.json(&flags, "ls all")), 0), "ls all");
    // The plan knows it too, and calls nothing.
    let calls = tool.counted("calls");
    let plan = tool.json(&["--cache", &cache, "--dry-run"], "ls").data();
    assert_eq!(plan["argv"][3], "v1");
    assert_eq!(tool.counted("calls"), calls);
}

#[test]
fn a_program_that_knows_no_versions_any_more_is_asked_for_all() {
    let tool = Tool::new("settle-etag", &VERSIONED.replace("--etag v1", "--etag v2"));
    let cache = tool.file("cache");
    certain(&tool.json(&["--cache", &cache], "ls"));
    let again = certain(&tool.json(&["--cache", &cache], "ls"));
    assert_eq!(causes(&again), ["first", "without-etag"]);
    assert_eq!(again["data"], json!([1.5]));
}

#[test]
fn what_was_kept_of_one_command_is_not_the_answer_of_the_one_it_has_moved_to() {
    let body = r#"
case "$*" in
new) ok '["new"]' '"etag":"v1"' ;;
new*) ok null '"not_modified":true' ;;
*) [ ! -e "$here/has-moved" ] || moved 'tool new' false; ok '["old"]' '"etag":"v1"' ;;
esac"#;
    let tool = Tool::new("settle-moved-cache", body);
    let cache = tool.file("cache");
    assert_eq!(certain(&tool.json(&["--cache", &cache], "old"))["data"], json!(["old"]));
    tool.write("has-moved", "");
    assert_eq!(certain(&tool.json(&["--cache", &cache], "old"))["data"], json!(["new"]));
}

#[test]
fn a_kept_answer_that_is_broken_is_none() {
    let tool = Tool::new("settle-broken", VERSIONED);
    let cache = tool.file("cache");
    certain(&tool.json(&["--cache", &cache], "ls"));
    let entries = std::fs::read_dir(&cache).expect("the cache");
    let broken =
        entries.map(|it| std::fs::write(it.expect("an entry").path(), "{").expect("a file"));
    assert_eq!(broken.count(), 1, "one answer is kept");
    assert_eq!(called(&certain(&tool.json(&["--cache", &cache], "ls")), 0), "ls");
}

#[test]
fn a_success_that_the_program_contradicts_itself_about_is_not_handed_on() {
    let tool = Tool::new("settle-lies", "ok '{\"id\":7}'; exit 1");
    let ran = tool.json(&[], "ls");
    assert!(!certain(&ran)["ok"].as_bool().expect("a word"));
    let twice = Tool::new("settle-twice", "ok '{\"id\":7}'; fail 0 NO");
    twice.json(&[], "ls").error(1, "UNTRUSTED_ANSWER");
}

#[test]
fn a_command_that_is_not_text_is_called_all_the_same() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"\xff");
    let ran = manila(["run", "--json", "--no-redirect-store", "--", "echo"]).arg(odd).run();
    assert_eq!(certain(&ran)["data"]["stdout_base64"], "/wo=");
}
