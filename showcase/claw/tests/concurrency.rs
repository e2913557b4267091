//! Many processes on one folder of sessions, some of them killed: nothing is lost and nothing torn.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use showcase_proof::{Fate, Scene, storm};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use support::BINARY;

/// A scene without an interpreter to look for, which would take longer than all the rest.
fn bare() -> Scene {
    Scene::new("claw", BINARY).variable("PATH", "/nowhere").variable("CLAW_ENVELOPE_PHASE", "2")
}

fn json(scene: &Scene, line: &str) -> Command {
    scene.command(&format!("{line} --output-format json"))
}

fn answer(scene: &Scene, line: &str) -> Value {
    let output = json(scene, line).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// How often each prompt stands in a session; every line must be a whole message.
fn prompts(scene: &Scene, path: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(scene.folder().join(path)).unwrap();
    let messages = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut prompts = BTreeMap::new();
    for message in messages.filter(|message| message["role"] == "user") {
        *prompts.entry(message["text"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    prompts
}

#[test]
fn turns_and_flushes_of_one_session_lose_nothing() {
    let scene = bare();
    let path = answer(&scene, "bootstrap begin")["persisted_session_path"].clone();
    let path = path.as_str().unwrap();
    let id = path.trim_start_matches(".claw/sessions/").trim_end_matches(".jsonl");
    // Long enough that a kill can hit the middle of it.
    let words = "word ".repeat(2000);
    let fates = storm(64, |number| match number % 4 {
        3 => json(&scene, &format!("flush-transcript {id}")),
        _ => json(&scene, &format!("turn-loop '{number} {words}' --session {id} --max-turns 999")),
    });
    // Whatever a killed process left unfinished is healed.
    assert_eq!(answer(&scene, &format!("flush-transcript {id}"))["flushed"], true);
    assert_eq!(answer(&scene, &format!("load-session {id}"))["loaded"], true);
    let prompts = prompts(&scene, path);
    for (number, fate) in fates.iter().enumerate() {
        let prompt = format!("{number} {words}");
        let kept = prompts.get(&prompt).copied().unwrap_or_default();
        match fate {
            Fate::Ended(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
                assert_eq!(kept, usize::from(number % 4 != 3), "turn {number}");
            }
            Fate::Killed => assert!(kept <= 1, "turn {number}"),
        }
    }
}

#[test]
fn every_session_that_began_is_whole_and_has_its_own_file() {
    let scene = bare();
    let fates = storm(48, |number| json(&scene, &format!("bootstrap 'start {number}'")));
    let mut paths = Vec::new();
    for fate in &fates {
        let Fate::Ended(output) = fate else { continue };
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        paths.push(document["persisted_session_path"].as_str().unwrap().to_owned());
    }
    let ended = paths.len();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), ended);
    assert!(ended >= 32, "{ended}");
    assert!(paths.iter().all(|path| scene.folder().join(path).is_file()));
    // The next session sweeps away what killed ones left, and then all that is there is whole.
    answer(&scene, "bootstrap last");
    let output = json(&scene, "list-sessions").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = fs::read_dir(scene.folder().join(".claw/sessions")).unwrap().count();
    assert_eq!(listed["sessions_count"], files);
}

#[test]
fn of_two_who_delete_a_session_one_did() {
    let scene = (0..24).fold(bare(), |scene, number| {
        let header = r#"{"session_id":"x","created_at":"2026-04-21T15:30:00Z"}"#;
        scene.file(&format!(".claw/sessions/sess_{number}.jsonl"), format!("{header}\n"))
    });
    let fates = storm(48, |number| json(&scene, &format!("delete-session sess_{}", number / 2)));
    for (number, pair) in fates.chunks(2).enumerate() {
        let mut deleted = 0;
        for fate in pair {
            let Fate::Ended(output) = fate else { continue };
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            match output.status.code() {
                Some(0) => deleted += 1,
                _ => assert_eq!(document["error"]["kind"], "session_not_found", "{document}"),
            }
        }
        let is_there = scene.folder().join(format!(".claw/sessions/sess_{number}.jsonl")).exists();
        let was_killed = pair.iter().any(|fate| matches!(fate, Fate::Killed));
        assert!(!is_there, "session {number}: one of the two came to its end");
        assert!(deleted == 1 || was_killed && deleted == 0, "session {number}: {deleted}");
    }
}

#[test]
fn reading_makes_and_changes_nothing() {
    let scene = bare();
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
        answer(&scene, line);
        assert_eq!(fs::read_dir(scene.folder()).unwrap().count(), 0, "{line}");
    }
    let torn = support::scene();
    let file = torn.folder().join(".claw/sessions/sess_torn.jsonl");
    let before = fs::read(&file).unwrap();
    torn.call("load-session sess_torn");
    torn.call("list-sessions");
    assert_eq!(fs::read(&file).unwrap(), before);
    torn.succeeds("turn-loop again --session sess_torn --max-turns 9");
    assert_eq!(prompts(&torn, ".claw/sessions/sess_torn.jsonl").len(), 2);
}
