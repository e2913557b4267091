//! The recorded runs of the real program: ours answers in the same form in the same situation.

mod support;

use showcase_test_support::{Sandbox, assert_same_form, assert_twins, recorded};
use std::os::unix::net::UnixListener;
use support::{Daemon, filled, sandbox};

/// What a subject of the real program has and the document does not name.
const PLANNING: &str = "planning that the document does not name";
/// What to do next is among the details, which real errors seldom have.
const HINT: (&str, &str) = ("error.details", "it says what to do next");
/// The real program says when in another place.
const TIMES: [(&str, &str); 2] = [
    ("data.created_at", "there it is in metadata"),
    ("data.updated_at", "there it is in metadata"),
];

#[track_caller]
fn compare(case: &str, sandbox: &Sandbox, line: &str, except: &[(&str, &str)]) {
    let ours = sandbox.call(&format!("{line} --json")).opened();
    for theirs in recorded(env!("CARGO_MANIFEST_DIR"), "animus", case) {
        assert_same_form(&ours, &theirs, except);
    }
}

/// The recorded runs that every checkout has a twin of.
const TWINS: &[&str] = &[
    "daemon_stop",
    "doc_v1_ack",
    "doc_v1_error_details",
    "err_bad_priority",
    "err_task_not_found",
    "err_unavailable",
    "requirements_create",
    "requirements_list",
    "task_get",
];

#[test]
fn the_twins_are_there() {
    assert_twins(env!("CARGO_MANIFEST_DIR"), TWINS);
}

#[test]
fn a_subject() {
    let keys = [
        "data.assignee",
        "data.cancelled",
        "data.checklist",
        "data.complexity",
        "data.dependencies",
        "data.impact_area",
        "data.linked_architecture_entities",
        "data.linked_requirements",
        "data.metadata",
        "data.paused",
        "data.resource_requirements",
        "data.risk",
        "data.scope",
        "data.tags",
        "data.type",
        "data.workflow_metadata",
    ];
    let mut except: Vec<(&str, &str)> = keys.iter().map(|key| (*key, PLANNING)).collect();
    except.extend(TIMES);
    compare("task_get", &filled(), "subject get --kind task --id task:TASK-001", &except);
}

#[test]
fn a_new_requirement() {
    let keys = [
        "data.acceptance_criteria",
        "data.comments",
        "data.linked_task_ids",
        "data.links",
        "data.source",
        "data.tags",
    ];
    let except: Vec<(&str, &str)> = keys.iter().map(|key| (*key, PLANNING)).collect();
    let line = "subject create --kind requirement --title 'Req one'";
    compare("requirements_create", &sandbox(), line, &except);
}

#[test]
fn an_acknowledgement() {
    let line = "subject status --kind task --id task:TASK-002 --set in-progress";
    compare("doc_v1_ack", &filled(), line, &[]);
}

#[test]
fn an_empty_list() {
    compare("requirements_list", &sandbox(), "subject list --kind requirement", &[]);
}

#[test]
fn what_does_not_exist() {
    let sandbox = sandbox();
    for (case, line) in [
        ("err_task_not_found", "subject get --kind task --id task:TASK-404"),
        ("err_requirements_get", "subject get --kind requirement --id requirement:REQ-999"),
        ("err_already", "subject status --kind task --id task:TASK-002 --set blocked"),
        ("print_ok_like", "subject status --kind task --id task:TASK-002 --set blocked"),
    ] {
        compare(case, &sandbox, line, &[HINT]);
    }
}

#[test]
fn values_that_make_no_sense() {
    let sandbox = sandbox();
    let line = "subject create --kind task --title x --priority urgentest";
    compare("err_bad_priority", &sandbox, line, &[HINT]);
    compare("template_create", &sandbox, "subject list --status bogus", &[HINT]);
}

#[test]
fn a_daemon_that_is_stopped() {
    // There none ran, which is what a caller of `stop` wants.
    compare("daemon_stop", &sandbox(), "daemon stop", &[]);
    let sandbox = sandbox();
    let _daemon = Daemon::start(&sandbox);
    compare("daemon_stop", &sandbox, "daemon stop", &[]);
}

#[test]
fn a_daemon_that_does_not_start() {
    let sandbox = sandbox().file(".animus/subjects.json", "{");
    let hint = ("error.details.suggestion", HINT.1);
    compare("doc_v1_error_details", &sandbox, "daemon start", &[hint]);
}

#[test]
fn a_service_that_does_not_answer() {
    let sandbox = sandbox().file(".animus/daemon/log", "");
    let _silent = UnixListener::bind(sandbox.directory().join(".animus/daemon/socket")).unwrap();
    compare("err_unavailable", &sandbox, "daemon stop --shutdown-timeout-secs 1", &[HINT]);
}
