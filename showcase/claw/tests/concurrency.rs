//! Many processes on one directory of sessions, some of them killed: nothing is lost and nothing torn.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use showcase_test_support::{Outcome, Sandbox, stress};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use support::BINARY;

/// A sandbox without an interpreter to look for, which would take longer than all the rest.
fn bare() -> Sandbox {
    Sandbox::new("claw", BINARY).variable("PATH", "/nowhere").variable("CLAW_ENVELOPE_PHASE", "2")
}

fn json(sandbox: &Sandbox, line: &str) -> Command {
    sandbox.command(&format!("{line} --output-format json"))
}

fn answer(sandbox: &Sandbox, line: &str) -> Value {
    let output = json(sandbox, line).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// How often each prompt is in a session; every line must be a whole message.
fn prompts(sandbox: &Sandbox, path: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(sandbox.directory().join(path)).unwrap();
    let messages = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut prompts = BTreeMap::new();
    for message in messages.filter(|message| message["role"] == "user") {
        *prompts.entry(message["text"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    prompts
}

#[test]
fn turns_and_flushes_of_one_session_lose_nothing() {
    let sandbox = bare();
    let path = answer(&sandbox, "bootstrap begin")["persisted_session_path"].clone();
    let path = path.as_str().unwrap();
    let id = path.trim_start_matches(".claw/sessions/").trim_end_matches(".jsonl");
    // Long enough that a kill can hit the middle of it.
    let words = "word ".repeat(2000);
    let outcomes = stress(64, |number| match number % 4 {
        3 => json(&sandbox, &format!("flush-transcript {id}")),
        _ => {
            json(&sandbox, &format!("turn-loop '{number} {words}' --session {id} --max-turns 999"))
        }
    });
    // Whatever a killed process left unfinished is healed.
    assert_eq!(answer(&sandbox, &format!("flush-transcript {id}"))["flushed"], true);
    assert_eq!(answer(&sandbox, &format!("load-session {id}"))["loaded"], true);
    let prompts = prompts(&sandbox, path);
    for (number, outcome) in outcomes.iter().enumerate() {
        let prompt = format!("{number} {words}");
        let kept = prompts.get(&prompt).copied().unwrap_or_default();
        match outcome {
            Outcome::Ended(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
                assert_eq!(kept, usize::from(number % 4 != 3), "turn {number}");
            }
            Outcome::Killed => assert!(kept <= 1, "turn {number}"),
        }
    }
}

#[test]
fn every_session_that_began_is_whole_and_has_its_own_file() {
    let sandbox = bare();
    let outcomes = stress(48, |number| json(&sandbox, &format!("bootstrap 'start {number}'")));
    let mut paths = Vec::new();
    for outcome in &outcomes {
        let Outcome::Ended(output) = outcome else { continue };
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        paths.push(document["persisted_session_path"].as_str().unwrap().to_owned());
    }
    let ended = paths.len();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), ended);
    assert!(ended >= 32, "{ended}");
    assert!(paths.iter().all(|path| sandbox.directory().join(path).is_file()));
    // The next session sweeps away what killed ones left, and then all that is there is whole.
    answer(&sandbox, "bootstrap last");
    let output = json(&sandbox, "list-sessions").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = fs::read_dir(sandbox.directory().join(".claw/sessions")).unwrap().count();
    assert_eq!(listed["sessions_count"], files);
}

#[test]
fn of_two_who_delete_a_session_one_did() {
    let sandbox = (0..24).fold(bare(), |sandbox, number| {
        let header = r#"{"session_id":"x","created_at":"2026-04-21T15:30:00Z"}"#;
        sandbox.file(&format!(".claw/sessions/sess_{number}.jsonl"), format!("{header}\n"))
    });
    let outcomes =
        stress(48, |number| json(&sandbox, &format!("delete-session sess_{}", number / 2)));
    for (number, pair) in outcomes.chunks(2).enumerate() {
        let mut deleted = 0;
        for outcome in pair {
            let Outcome::Ended(output) = outcome else { continue };
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            match output.status.code() {
                Some(0) => deleted += 1,
                _ => assert_eq!(document["error"]["kind"], "session_not_found", "{document}"),
            }
        }
        let is_there =
            sandbox.directory().join(format!(".claw/sessions/sess_{number}.jsonl")).exists();
        let was_killed = pair.iter().any(|outcome| matches!(outcome, Outcome::Killed));
        assert!(!is_there, "session {number}: one of the two came to its end");
        assert!(deleted == 1 || was_killed && deleted == 0, "session {number}: {deleted}");
    }
}

#[test]
fn reading_makes_and_changes_nothing() {
    let sandbox = bare();
    for line in [
        "list-sessions",
        "load-session x",
        "delete-session x",
        "flush-transcript x",
        "show-command add-dir",
        "show-tool BashTool",
        "route hello",
        "command-graph",
        "tool-pool",
        "bootstrap-graph",
        "turn-loop hello",
        "exec-command status",
    ] {
        answer(&sandbox, line);
        assert_eq!(fs::read_dir(sandbox.directory()).unwrap().count(), 0, "{line}");
    }
    let torn = support::sandbox();
    let file = torn.directory().join(".claw/sessions/sess_torn.jsonl");
    let before = fs::read(&file).unwrap();
    torn.call("load-session sess_torn");
    torn.call("list-sessions");
    assert_eq!(fs::read(&file).unwrap(), before);
    torn.succeeds("turn-loop again --session sess_torn --max-turns 9");
    assert_eq!(prompts(&torn, ".claw/sessions/sess_torn.jsonl").len(), 2);
}
