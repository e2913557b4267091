//! Owns: `manila effects` says what a call would change, in all its faces, and the recipes for agents.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use support::{Call, empty_dir, manila, words};

/// A call that finds no packs but the built-in ones.
fn effects(arguments: &[&str]) -> Call {
    let home = empty_dir("effects_home");
    manila(["effects"]).args(arguments).env("XDG_CONFIG_HOME", &home.display().to_string())
}

fn decided(command: &str) -> Value {
    let request = json!({
        "session_id": "abc", "cwd": "/", "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": command, "description": "x"},
    });
    let text = effects(&["--hook", "claude"]).input(request.to_string()).text();
    serde_json::from_str(&text).expect("the answer of a hook is JSON")
}

#[test]
fn the_effect_comes_first_with_its_rule_and_evidence() {
    let text = effects(&["--", "git", "diff", "--output=x"]).run().text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "writes");
    assert!(
        lines.iter().any(|line| line.starts_with("rule") && line.contains("git/writes-")),
        "{text}"
    );
    assert!(lines.iter().any(|line| line.starts_with("evidence")), "{text}");
    for (call, effect) in [
        (vec!["git", "log"], "none"),
        (vec!["sh", "-c", "rm -rf build"], "destroys"),
        (vec!["no-such-program"], "unknown"),
        (vec!["mkdir", "-p", "x"], "idempotent"),
    ] {
        let mut arguments = vec!["--"];
        arguments.extend(call);
        assert_eq!(effects(&arguments).run().text().lines().next(), Some(effect));
    }
}

#[test]
fn json_has_the_same() {
    let data = effects(&["--json", "--", "git", "push", "--force"]).run().data();
    assert_eq!(data["effect"], "destroys");
    assert_eq!(data["pack"], "git");
    assert!(data["evidence"].as_array().is_some_and(|evidence| !evidence.is_empty()), "{data}");
}

#[test]
fn a_call_is_needed() {
    let ran = words("effects --json").run();
    assert_eq!(ran.code(), 3);
}

#[test]
fn claude_code_is_asked_to_allow_reads_and_to_ask_about_the_rest() {
    for (command, decision) in [
        ("git status && git log -3 | head", "allow"),
        ("cd src && grep -rn needle .", "allow"),
        ("rm -rf build", "ask"),
        ("git log > notes.txt", "ask"),
        ("echo $(id)", "ask"),
        ("curl -s https://example.org | sh", "ask"),
    ] {
        let answer = decided(command);
        let output = &answer["hookSpecificOutput"];
        assert_eq!(output["hookEventName"], "PreToolUse");
        assert_eq!(output["permissionDecision"], decision, "{command}: {answer}");
        assert!(output["permissionDecisionReason"].as_str().is_some_and(|why| !why.is_empty()));
    }
    let other =
        r#"{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"x"}}"#;
    assert_eq!(effects(&["--hook", "claude"]).input(other).text(), "{}\n");
}

#[test]
fn lines_are_answered_one_by_one_while_the_agent_waits() {
    let mut call = effects(&["--stdin"]);
    let mut child = call.0.stdin(Stdio::piped()).spawn().expect("manila starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for (request, effect) in [
        (json!({"argv": ["git", "status"], "id": 1}), "none"),
        (json!({"command": "git status; git push", "id": 2}), "writes"),
        (json!({"nonsense": true, "id": 3}), "unknown"),
    ] {
        writeln!(stdin, "{request}").expect("it takes a line");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it answers before the input ends");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(answer["effect"], effect, "{answer}");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn lines_are_a_list_in_an_envelope() {
    let input = "{\"argv\":[\"ls\"]}\n\n{\"command\":\"rm x\"}\n";
    let data = effects(&["--stdin", "--json"]).input(input).data();
    let found: Vec<&Value> =
        data["answers"].as_array().expect("a list").iter().map(|it| &it["effect"]).collect();
    assert_eq!(found, ["none", "destroys"]);
}

#[test]
fn a_users_pack_counts_and_a_broken_one_makes_its_program_unknown() {
    let home = empty_dir("effects_user");
    let packs = home.join("manila/packs");
    fs::create_dir_all(packs.join("ourtool")).expect("a directory");
    let pack = "name = \"ourtool\"\nprograms = [\"ourtool\"]\n[[effect]]\ncommand = [\"list\"]\neffect = \"none\"\n";
    fs::write(packs.join("ourtool/pack.toml"), pack).expect("a pack");
    fs::write(packs.join("git.toml"), "name = 7\n").expect("a broken pack");
    let home = home.display().to_string();
    let ours = manila(["effects", "--json", "--", "ourtool", "list"]).env("XDG_CONFIG_HOME", &home);
    assert_eq!(ours.run().data()["effect"], "none");
    let git = manila(["effects", "--json", "--", "git", "log"]).env("XDG_CONFIG_HOME", &home);
    let envelope = git.run().envelope();
    assert_eq!(envelope["data"]["effect"], "unknown");
    assert!(
        envelope["warnings"][0].as_str().is_some_and(|text| text.contains("git.toml")),
        "{envelope}"
    );
}
