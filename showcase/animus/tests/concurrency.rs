//! Sixteen processes at once, some killed in the middle: nothing that was acknowledged is lost, nothing
//! is torn, and there is one daemon.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use showcase_proof::{Fate, storm};
use std::collections::BTreeMap;
use std::process::Output;
use support::{StopAtEnd, data, filled, scene};

/// How many processes there are in all.
const COUNT: usize = 96;

fn answer(output: &Output) -> Value {
    let document = if output.status.success() { &output.stdout } else { &output.stderr };
    serde_json::from_slice(document).unwrap()
}

/// Those that came to their end.
fn ended(fates: &[Fate]) -> impl Iterator<Item = (usize, &Output)> {
    fates.iter().enumerate().filter_map(|(number, fate)| match fate {
        Fate::Ended(output) => Some((number, output)),
        Fate::Killed => None,
    })
}

#[test]
fn every_subject_that_was_acknowledged_is_there() {
    let scene = scene();
    let fates = storm(COUNT, |number| {
        scene.command(&format!("subject create --kind task --title 'Number {number}' --json"))
    });
    let listed = data(&scene.succeeds("subject list --json"));
    let listed = listed.as_array().unwrap();
    let by_title: BTreeMap<&str, &Value> =
        listed.iter().map(|subject| (subject["title"].as_str().unwrap(), subject)).collect();
    assert_eq!(by_title.len(), listed.len(), "each was created once");
    for (number, output) in ended(&fates) {
        let created = &answer(output)["data"];
        assert_eq!(by_title[&*format!("Number {number}")], created);
    }
    // Nobody took a number that somebody else had, and none was skipped.
    for (at, subject) in listed.iter().enumerate() {
        assert_eq!(subject["id"], format!("TASK-{:03}", at + 1));
    }
}

#[test]
fn of_one_title_there_is_one_subject() {
    let scene = scene();
    let fates = storm(COUNT, |_| scene.command("subject create --kind task --title same --json"));
    assert_eq!(data(&scene.succeeds("subject list --json")).as_array().unwrap().len(), 1);
    let mut created = 0;
    for (_, output) in ended(&fates) {
        let answer = answer(output);
        created += usize::from(output.status.success());
        assert!(output.status.success() || answer["error"]["code"] == "conflict", "{answer}");
    }
    assert!(created <= 1);
}

#[test]
fn statuses_that_are_set_at_once_leave_one_of_them() {
    let scene = filled();
    let statuses = ["ready", "in-progress", "blocked", "backlog"];
    let fates = storm(COUNT, |number| {
        let status = statuses[number % statuses.len()];
        scene.command(&format!("subject status --id task:TASK-001 --set {status} --json"))
    });
    for (_, output) in ended(&fates) {
        assert!(output.status.success(), "{}", answer(output));
    }
    let listed = data(&scene.succeeds("subject list --json"));
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert!(statuses.contains(&listed[0]["status"].as_str().unwrap()));
}

#[test]
fn there_is_one_daemon() {
    let scene = scene();
    let _guard = StopAtEnd(&scene);
    let fates = storm(COUNT / 2, |_| scene.command("daemon start --json"));
    let mut started = Vec::new();
    for (_, output) in ended(&fates) {
        let answer = answer(output);
        if output.status.success() {
            started.push(answer["data"]["pid"].clone());
        } else {
            assert_eq!(answer["error"]["code"], "conflict", "{answer}");
        }
    }
    assert!(ended(&fates).count() > 0);
    let mut reports = (0..1000).map(|_| data(&scene.succeeds("daemon status --json")));
    // And the daemon that nobody waits for any more may not be ready yet.
    let report = reports.find(|report| report["status"] == "running").unwrap();
    // The one that started it may be among those who were killed.
    match started.as_slice() {
        [] => {}
        [pid] => assert_eq!(report["pid"], *pid),
        several => panic!("{several:?} were started"),
    }
}
