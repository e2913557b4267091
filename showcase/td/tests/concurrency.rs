//! Many writers at once, some of them killed: nothing is lost, doubled or torn.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod common;

use common::empty;
use serde_json::Value;
use showcase_test_support::{Outcome, Sandbox, stress};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const CALLS: usize = 96;

fn answers(outcomes: &[Outcome]) -> Vec<Value> {
    let ended = outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Ended(output) => Some(output),
        Outcome::Killed => None,
    });
    ended
        .map(|output| {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            answer["data"].clone()
        })
        .collect()
}

fn stored(sandbox: &Sandbox) -> Value {
    serde_json::from_slice(&fs::read(sandbox.directory().join("td.json")).unwrap()).unwrap()
}

#[test]
fn every_task_that_was_acknowledged_is_there_once() {
    let sandbox = empty();
    let outcomes = stress(CALLS, |number| sandbox.command(&format!("add 'task {number}'")));
    let acknowledged = answers(&outcomes);
    assert_eq!(acknowledged.len(), CALLS - CALLS / 3, "only the killed may stay silent");

    let listed: Vec<Value> = sandbox.succeeds("ls").data();
    let mut by_content: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for task in &listed {
        by_content.entry(task["content"].as_str().unwrap()).or_default().push(task);
    }
    assert!(by_content.values().all(|tasks| tasks.len() == 1), "a task is there twice");
    for task in &acknowledged {
        let found = by_content[task["content"].as_str().unwrap()][0];
        assert_eq!(found["id"], task["id"]);
        assert_eq!(found["order"], task["order"]);
    }

    let store = stored(&sandbox);
    let tasks = store["tasks"].as_array().unwrap();
    let ids: BTreeSet<&str> = tasks.iter().map(|task| task["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), tasks.len());
    let orders: Vec<u64> = tasks.iter().map(|task| task["order"].as_u64().unwrap()).collect();
    assert!(orders.is_sorted_by(|one, next| one < next), "{orders:?}");
}

#[test]
fn of_many_who_add_the_same_one_creates_it() {
    let sandbox = empty();
    let outcomes = stress(32, |_| sandbox.command("add 'Buy milk' --idempotent"));
    let ids: BTreeSet<String> =
        answers(&outcomes).iter().map(|task| task["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), 1);
    let created = answers(&outcomes).iter().filter(|task| task["created"] == true).count();
    assert!(created <= 1, "a killed process may have created it, but no two can");
    assert_eq!(stored(&sandbox)["tasks"].as_array().unwrap().len(), 1);
}

/// Each call completes two tasks, and one that is killed in between has completed none.
#[test]
fn tasks_that_are_completed_together_are_so_or_not_at_all() {
    let sandbox = empty();
    let pairs = 16;
    for number in 0..pairs {
        sandbox.succeeds(&format!("add 'left {number:02}'"));
        sandbox.succeeds(&format!("add 'right {number:02}'"));
    }
    let outcomes = stress(pairs, |number| {
        sandbox.command(&format!("done 'left {number:02}' 'right {number:02}'"))
    });
    let store = stored(&sandbox);
    let is_done = |content: String| {
        let tasks = store["tasks"].as_array().unwrap();
        let task = tasks.iter().find(|task| task["content"] == *content).unwrap();
        !task["completed_at"].is_null()
    };
    for (number, outcome) in outcomes.iter().enumerate() {
        let left = is_done(format!("left {number:02}"));
        assert_eq!(left, is_done(format!("right {number:02}")), "pair {number}");
        assert!(left || matches!(outcome, Outcome::Killed), "pair {number} came to its end");
    }
}
