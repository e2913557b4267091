//! Sixteen processes at once, some killed in the middle: nothing that was acknowledged is lost, nothing
//! is torn, and there is one daemon.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use showcase_test_support::{Outcome, stress};
use std::collections::BTreeMap;
use std::process::Output;
use support::{StopAtEnd, data, filled, sandbox};

/// How many processes there are in all.
const COUNT: usize = 96;

fn answer(output: &Output) -> Value {
    let document = if output.status.success() { &output.stdout } else { &output.stderr };
    serde_json::from_slice(document).unwrap()
}

/// Those that came to their end.
fn ended(outcomes: &[Outcome]) -> impl Iterator<Item = (usize, &Output)> {
    outcomes.iter().enumerate().filter_map(|(number, outcome)| match outcome {
        Outcome::Ended(output) => Some((number, output)),
        Outcome::Killed => None,
    })
}

#[test]
fn every_subject_that_was_acknowledged_is_there() {
    let sandbox = sandbox();
    let outcomes = stress(COUNT, |number| {
        sandbox.command(&format!("subject create --kind task --title 'Number {number}' --json"))
    });
    let listed = data(&sandbox.succeeds("subject list --json"));
    let listed = listed.as_array().unwrap();
    let by_title: BTreeMap<&str, &Value> =
        listed.iter().map(|subject| (subject["title"].as_str().unwrap(), subject)).collect();
    assert_eq!(by_title.len(), listed.len(), "each was created once");
    for (number, output) in ended(&outcomes) {
        let created = &answer(output)["data"];
        assert_eq!(by_title[&*format!("Number {number}")], created);
    }
    // No number was given twice, and none was skipped.
    for (at, subject) in listed.iter().enumerate() {
        assert_eq!(subject["id"], format!("TASK-{:03}", at + 1));
    }
}

#[test]
fn of_one_title_there_is_one_subject() {
    let sandbox = sandbox();
    let outcomes =
        stress(COUNT, |_| sandbox.command("subject create --kind task --title same --json"));
    assert_eq!(data(&sandbox.succeeds("subject list --json")).as_array().unwrap().len(), 1);
    let mut created = 0;
    for (_, output) in ended(&outcomes) {
        let answer = answer(output);
        created += usize::from(output.status.success());
        assert!(output.status.success() || answer["error"]["code"] == "conflict", "{answer}");
    }
    assert!(created <= 1);
}

#[test]
fn statuses_that_are_set_at_once_leave_one_of_them() {
    let sandbox = filled();
    let statuses = ["ready", "in-progress", "blocked", "backlog"];
    let outcomes = stress(COUNT, |number| {
        let status = statuses[number % statuses.len()];
        sandbox.command(&format!("subject status --id task:TASK-001 --set {status} --json"))
    });
    for (_, output) in ended(&outcomes) {
        assert!(output.status.success(), "{}", answer(output));
    }
    let listed = data(&sandbox.succeeds("subject list --json"));
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert!(statuses.contains(&listed[0]["status"].as_str().unwrap()));
}

#[test]
fn there_is_one_daemon() {
    let sandbox = sandbox();
    let _guard = StopAtEnd(&sandbox);
    let outcomes = stress(COUNT / 2, |_| sandbox.command("daemon start --json"));
    let mut started = Vec::new();
    for (_, output) in ended(&outcomes) {
        let answer = answer(output);
        if output.status.success() {
            started.push(answer["data"]["pid"].clone());
        } else {
            assert_eq!(answer["error"]["code"], "conflict", "{answer}");
        }
    }
    assert!(ended(&outcomes).count() > 0);
    let mut reports = (0..1000).map(|_| data(&sandbox.succeeds("daemon status --json")));
    // And the daemon whose starter was killed may not be ready yet.
    let report = reports.find(|report| report["status"] == "running").unwrap();
    // The one that started it may be among those who were killed.
    match started.as_slice() {
        [] => {}
        [pid] => assert_eq!(report["pid"], *pid),
        several => panic!("{several:?} were started"),
    }
}
