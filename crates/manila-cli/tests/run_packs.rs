//! Owns: what `manila run` does for a program without an envelope, by what a pack knows about it.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;
#[path = "support/tool.rs"]
mod tool;

use serde_json::{Value, json};
use std::fs;
use support::{Call, Ran, manila};
use tool::{Tool, causes};

/// A pack of the program `tool`: `list` reads, `put` writes the same each time, `add` writes.
const PACK: &str = r#"
name = "tool"
title = "A program of a test"
programs = ["tool"]

[[effect]]
command = ["list"]
effect = "none"
evidence = ["read:the test"]

[[effect]]
command = ["put"]
effect = "idempotent"
evidence = ["read:the test"]

[[effect]]
command = ["add"]
effect = "writes"
evidence = ["read:the test"]

[[error]]
line = ["error: busy, retry in {wait} ms", "error: busy"]
class = "UNAVAILABLE"
evidence = ["read:the test"]

[[error]]
line = ["error: queue is full"]
class = "UNAVAILABLE"
effects = "none"
evidence = ["read:the test"]

[[error]]
line = ["error: *token*"]
class = "AUTH_REQUIRED"
effects = "none"
evidence = ["read:the test"]

[[page]]
command = ["list"]
flag = "--from"
cursor = "/next"
cut-by = "--limit"
evidence = ["read:the test"]
"#;

/// The program with its pack, to which more may be added.
fn with_pack(test: &str, body: &str, more: &str) -> Tool {
    let tool = Tool::new(test, body);
    let packs = tool.dir.join("config/manila/packs");
    fs::create_dir_all(&packs).expect("a directory");
    fs::write(packs.join("tool.toml"), format!("{PACK}{more}")).expect("a pack");
    tool
}

fn json(tool: &Tool, flags: &[&str], line: &str) -> (Value, Ran) {
    let path = format!("{}:{}", tool.dir.display(), std::env::var("PATH").expect("a path"));
    let call = manila(["run", "--json", "--trace", "--no-redirect-store"]).args(flags);
    // A program that is named by its path may be another one, so nothing is known about what it changes.
    let call = line.split_whitespace().fold(call.args(&["--", "tool"]), Call::arg);
    let ran = call.env("PATH", &path).env("XDG_CONFIG_HOME", &tool.file("config")).run();
    (ran.envelope(), ran)
}

const BUSY_ONCE: &str =
    "count calls\n[ $n -gt 1 ] || { echo 'error: busy' >&2; exit 3; }\necho done";

#[test]
fn what_a_pack_knows_to_be_repeatable_is_repeated() {
    for (command, calls) in [("list", 2), ("put", 2), ("add", 1), ("other", 1)] {
        let tool = with_pack(&format!("packs-{command}"), BUSY_ONCE, "");
        let (envelope, _) = json(&tool, &[], command);
        assert_eq!(tool.counted("calls"), calls, "{command}: {envelope}");
        assert_eq!(envelope["ok"], calls == 2, "{command}: {envelope}");
    }
}

#[test]
fn the_caller_may_say_that_a_call_can_be_made_twice() {
    let tool = with_pack("packs-idempotent", BUSY_ONCE, "");
    let (envelope, _) = json(&tool, &["--idempotent"], "add");
    assert_eq!((tool.counted("calls"), &envelope["ok"]), (2, &json!(true)), "{envelope}");
    assert_eq!(envelope["data"]["stdout"], "done\n");
}

#[test]
fn a_failure_that_did_nothing_is_repeated_whatever_the_call_does() {
    let body =
        "count calls\n[ $n -gt 1 ] || { echo 'error: queue is full' >&2; exit 3; }\necho done";
    let tool = with_pack("packs-nothing-done", body, "");
    let (envelope, _) = json(&tool, &[], "add");
    assert_eq!((tool.counted("calls"), &envelope["ok"]), (2, &json!(true)), "{envelope}");
    assert_eq!(envelope["meta"]["run"]["attempts"], 2, "{envelope}");
    assert_eq!(envelope["meta"]["run"]["effects"], "writes", "{envelope}");
}

#[test]
fn what_writes_is_handed_back_with_what_to_do() {
    let tool = with_pack("packs-writes", "echo 'error: busy' >&2; exit 3", "");
    let (envelope, ran) = json(&tool, &[], "add");
    let run = &envelope["meta"]["run"];
    assert_eq!(
        (&run["class"], &run["exit_code"]),
        (&json!("UNAVAILABLE"), &json!(3)),
        "{envelope}"
    );
    assert_eq!((&run["effects"], &run["attempts"]), (&json!("writes"), &json!(1)), "{envelope}");
    assert_eq!(run["next"]["do"], "inspect-state", "{envelope}");
    assert_eq!(envelope["error"]["message"], "error: busy", "{envelope}");
    assert_eq!(ran.code(), 12);
}

const LIST: &str = r#"case "$*" in
    *'--from c2') echo '{"items":[3],"next":null}';;
    *'--from c1') echo '{"items":[2],"next":"c2"}';;
    *) echo '{"items":[1],"next":"c1"}';;
esac"#;

#[test]
fn pages_are_fetched_as_the_pack_says() {
    let tool = with_pack("packs-pages", LIST, "");
    let (envelope, _) = json(&tool, &[], "list");
    assert_eq!(
        envelope["data"],
        json!([{"items": [1]}, {"items": [2]}, {"items": [3], "next": null}])
    );
    assert_eq!(causes(&envelope), ["first", "next-page", "next-page"]);
}

#[test]
fn pages_that_differ_in_their_list_alone_are_one_list() {
    let list = LIST.replace(r#","next":null"#, "");
    let tool = with_pack("packs-merged", &list, "");
    let (envelope, _) = json(&tool, &[], "list");
    assert_eq!(envelope["data"], json!({"items": [1, 2, 3]}), "{envelope}");
    assert!(envelope["meta"]["truncated"].is_null(), "{envelope}");
}

#[test]
fn a_caller_that_asks_for_a_part_gets_that_part() {
    let tool = with_pack("packs-part", LIST, "");
    let (envelope, _) = json(&tool, &[], "list --limit 1");
    assert_eq!(envelope["data"], json!({"items": [1], "next": "c1"}), "{envelope}");
}

#[test]
fn pages_of_what_is_not_listed_are_left_alone() {
    let tool = with_pack("packs-unlisted", LIST, "");
    let (envelope, _) = json(&tool, &[], "other");
    assert_eq!(envelope["data"], json!({"items": [1], "next": "c1"}), "{envelope}");
}

/// Works once the token has been renewed.
const EXPIRED: &str = r#"count calls
[ "$1" = login ] && { touch "$here/token"; exit 0; }
[ -e "$here/token" ] || { echo 'error: the token has expired' >&2; exit 4; }
echo done"#;

#[test]
fn credentials_that_a_pack_calls_expired_are_renewed_by_the_callers_command() {
    let tool = with_pack("packs-refresh-with", EXPIRED, "");
    let refresh = format!("touch {}", tool.file("token"));
    let (envelope, _) = json(&tool, &["--refresh-with", &refresh], "add");
    assert_eq!(envelope["data"]["stdout"], "done\n", "{envelope}");
    assert_eq!(causes(&envelope), ["first", "refresh", "again"]);
}

#[test]
fn credentials_are_renewed_by_the_packs_command_where_the_caller_allows_it() {
    let refresh = "[refresh]\nargv = ['tool', 'login']\nevidence = ['read:the test']";
    let tool = with_pack("packs-allow-refresh", EXPIRED, refresh);
    let (envelope, ran) = json(&tool, &[], "list");
    assert_eq!(
        (envelope["error"]["code"].as_str(), ran.code()),
        (Some("TOKEN_EXPIRED"), 8),
        "{envelope}"
    );
    assert_eq!(envelope["meta"]["run"]["next"]["do"], "refresh-credentials", "{envelope}");
    assert!(envelope["error"]["suggestion"].as_str().expect("a hint").contains("login"));
    let (envelope, _) = json(&tool, &["--allow-refresh"], "list");
    assert_eq!(envelope["data"]["stdout"], "done\n", "{envelope}");
    assert_eq!(causes(&envelope), ["first", "refresh", "again"]);
}

#[test]
fn a_command_that_asks_a_person_is_named_and_not_run() {
    let refresh =
        "[refresh]\nargv = ['tool', 'login']\ninteractive = true\nevidence = ['read:the test']";
    let tool = with_pack("packs-interactive", EXPIRED, refresh);
    let (envelope, _) = json(&tool, &["--allow-refresh"], "list");
    assert_eq!(envelope["error"]["suggestion"], "renew the credentials with `tool login`");
    assert_eq!(tool.counted("calls"), 1, "{envelope}");
}

#[test]
fn a_plain_success_adds_little_to_its_data() {
    for data in [r#"{"a":1}"#, "[1,2,3]"] {
        let ran = manila(["run", "--json", "--", "printf", data]).run();
        let added = ran.stdout.len() - data.len();
        assert!(added <= 150, "{added} bytes: {}", ran.out());
        let run = &ran.envelope()["meta"]["run"];
        assert_eq!(run, &json!({"class": "SUCCESS", "exit_code": 0, "attempts": 1}));
    }
}

#[test]
fn a_cause_is_said_once_and_in_few_bytes() {
    let body =
        "i=0; while [ $i -lt 300 ]; do printf 'word%s ' $i; i=$((i+1)); done >&2; echo >&2; exit 3";
    let tool = Tool::new("packs-long-cause", body);
    let ran = tool.call(&["--json"], "").run();
    let envelope = ran.envelope();
    let message = envelope["error"]["message"].as_str().expect("a message");
    assert!(message.len() <= 300, "{}: {message}", message.len());
    let cause = "word17 ";
    assert_eq!(ran.out().matches(cause).count(), 1, "{}", ran.out());
}
