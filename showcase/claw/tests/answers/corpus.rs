//! The recorded runs of the real programs, and whether ours answers in the same form where both meet
//! the same situation.

use crate::support::Version;
use showcase_test_support::{assert_same_form, assert_twins, recorded};

const HINT: (&str, &str) = ("error.suggestion", "the reference has no hint here");

#[track_caller]
fn same(version: Version, line: &str, case: &str, except: &[(&str, &str)]) {
    let ours = version.sandbox().call(&version.line(line)).opened();
    for theirs in recorded(env!("CARGO_MANIFEST_DIR"), "claw", case) {
        assert_same_form(&ours, &theirs, except);
    }
}

#[track_caller]
fn same_as_reference(line: &str, case: &str, except: &[(&str, &str)]) {
    same(Version::V2, line, case, except);
}

/// The recorded runs that every checkout has a twin of.
const TWINS: &[&str] = &[
    "py_bootstrap",
    "py_exec_tool",
    "py_list_sessions_empty",
    "py_load_session_corrupt",
    "py_parse_unknown_command",
    "py_route_nomatch",
    "py_show_command",
    "py_show_command_not_found",
    "py_turn_loop",
    "v1_list_sessions",
    "v1_load_session_missing",
];

#[test]
fn the_twins_are_there() {
    assert_twins(env!("CARGO_MANIFEST_DIR"), TWINS);
}

#[test]
fn what_needs_no_exception() {
    same_as_reference("route zzzzqqqq", "py_route_nomatch", &[]);
    same_as_reference("show-command add-dir", "py_show_command", &[]);
    same_as_reference("command-graph", "py_command_graph", &[]);
    same_as_reference("bootstrap-graph", "py_bootstrap_graph", &[]);
    same_as_reference(
        "turn-loop hello --max-turns 2 --continuation-prompt more",
        "py_turn_loop",
        &[],
    );
}

#[test]
fn payloads_that_the_document_has_otherwise() {
    same_as_reference(
        "list-sessions --directory none",
        "py_list_sessions_empty",
        &[
            ("data.count", "the document calls it sessions_count"),
            ("data.sessions_count", "the reference calls it count"),
            ("data.directory", "only the document has it"),
        ],
    );
    same_as_reference(
        "delete-session sess_abc123",
        "py_delete_session",
        &[
            ("data.status", "only the reference has it"),
            ("data.directory", "only the document has it"),
        ],
    );
    same_as_reference(
        "show-tool BashTool",
        "py_show_tool",
        &[("data.responsibility", "the document has it for commands alone")],
    );
    same_as_reference(
        "exec-tool BashTool 'echo built'",
        "py_exec_tool",
        &[("data.output", "ours runs the tool, and tells what it said")],
    );
    same_as_reference(
        "bootstrap hello",
        "py_bootstrap",
        &[
            ("data.limit", "only the reference has it"),
            ("data.command_execution_messages", "only the reference has it"),
            ("data.tool_execution_messages", "only the reference has it"),
        ],
    );
}

#[test]
fn what_does_not_exist() {
    same_as_reference("show-command nope", "py_show_command_not_found", &[HINT]);
    same_as_reference("show-tool nope", "py_show_tool_not_found", &[HINT]);
    let handled = ("data", "the reference writes its payload in place of `found`");
    same_as_reference("exec-command nope hi", "py_exec_command_not_found", &[HINT, handled]);
    same_as_reference("exec-tool nope {}", "py_exec_tool_not_found", &[HINT, handled]);
    let extra = ("error.extra", "the reference has a directory, the document tells it in words");
    same_as_reference("load-session nope", "py_load_session_not_found", &[HINT, handled, extra]);
}

#[test]
fn what_fails() {
    let payload = ("data", "the reference has its payload beside the error");
    let extra = ("error.extra", "the reference has a directory in place of a target");
    let operation = ("error.operation", "the document wants it of every failure");
    let target = ("error.target", "the document wants it of every failure");
    same_as_reference(
        "load-session corrupt --directory broken",
        "py_load_session_corrupt",
        &[payload, extra, operation, target, HINT],
    );
    for (line, case) in [
        ("list-sessions --bogus", "py_parse_bad_flag"),
        ("nonexistent", "py_parse_unknown_command"),
        ("nonexistent", "py_parse_equals_form"),
    ] {
        same_as_reference(line, case, &[]);
    }
}

#[test]
fn what_runs_out_of_time() {
    let said = "the reference leaves the error to the number";
    same_as_reference(
        "turn-loop hello --timeout-seconds 0.0000001",
        "py_turn_loop_timeout",
        &[
            ("error.operation", said),
            ("error.target", said),
            ("error.retryable", said),
            ("error.suggestion", said),
        ],
    );
}

#[test]
fn the_flat_envelope_of_the_binary() {
    same(
        Version::V1,
        "list-sessions",
        "v1_list_sessions",
        &[
            ("data.sessions[].created", "the appendix of the document has it"),
            ("data.sessions[].turns", "the appendix of the document has it"),
        ],
    );
    same(Version::V1, "load-session nonexistent", "v1_load_session_missing", &[]);
    same(Version::V1, "list-sessions --bogus", "v1_err_cli_parse", &[]);
}
