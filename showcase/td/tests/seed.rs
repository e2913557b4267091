//! What the document of the envelope promises, read as its readers would.

mod common;

use common::{BINARY, empty, stocked};
use showcase_test_support::{Sandbox, Snippet, is_installed};
use std::process::Output;

fn run(sandbox: &Sandbox, interpreter: &str, code: &str) -> Output {
    let directory = sandbox.directory();
    let code = match interpreter {
        "sh" => format!("export TD_FILE=td.json\n{code}"),
        _ => format!("import os\nos.environ['TD_FILE'] = 'td.json'\n{code}"),
    };
    Snippet { interpreter, code: &code, program: ("td", BINARY), directory }.run()
}

#[track_caller]
fn assert_ran(output: &Output) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_success_is_ok_type_and_data_on_stdout_with_0() {
    let called = empty().call("ls");
    let expected = "{\n  \"ok\": true,\n  \"type\": \"task_list\",\n  \"data\": []\n}\n";
    assert_eq!(String::from_utf8(called.stdout).unwrap(), expected);
    assert_eq!((&*called.stderr, called.status), (&b""[..], 0));
}

#[test]
fn an_error_is_ok_and_error_on_stderr_with_another_status() {
    let called = empty().call("add x --due someday");
    let expected = r#"{
  "ok": false,
  "error": {
    "code": "invalid_input",
    "message": "'someday' is not a due date",
    "suggestion": "pass today, tomorrow, a weekday such as friday, or a date such as 2026-12-31"
  }
}
"#;
    assert_eq!(String::from_utf8(called.stderr).unwrap(), expected);
    assert_eq!((&*called.stdout, called.status), (&b""[..], 2));
}

/// "The agent can branch on ok before anything else, and can rely on type to pick a parser."
#[test]
fn one_parser_handles_every_command() {
    if !is_installed("python3") {
        return;
    }
    let consumer = r#"
import json, subprocess

def td(*words):
    run = subprocess.run(["td", *words], capture_output=True)
    success, failure = run.stdout, run.stderr
    answer = json.loads(success or failure)
    assert answer["ok"] == (run.returncode == 0) == bool(success), (words, run)
    assert not (success and failure), (words, run)
    if answer["ok"]:
        assert list(answer) == ["ok", "type", "data"], answer
        return answer["type"], answer["data"]
    assert list(answer) == ["ok", "error"], answer
    assert list(answer["error"])[:3] == ["code", "message", "suggestion"], answer
    assert answer["error"]["suggestion"], answer
    return answer["error"]["code"], None

parsers = {
    "task_list": lambda data: [task["content"] for task in data],
    "task": lambda data: data["content"],
    "task_done": lambda data: data["task_id"],
}

def read(*words):
    kind, data = td(*words)
    return parsers[kind](data)

assert read("ls")[0] == "Deploy v2.1"
assert read("--json", "show", "milk") == "Buy milk"
assert read("done", "milk", "--json") == "b54cda26"
assert td("done", "milk")[0] == "not_found"
assert td("add")[0] == "missing_argument"
assert td("ls", "--bogus")[0] == "unknown_argument"
assert td("frobnicate")[0] == "unknown_command"
assert td("schema")[0] == "schema"
assert td("--help")[0] == "help"
"#;
    assert_ran(&run(&stocked(), "python3", consumer));
}

#[test]
fn a_script_takes_the_stream_that_the_status_names() {
    if !is_installed("jq") {
        return;
    }
    let script = r#"
set -e
test "$(td --json ls | jq -r '.data[0].content')" = 'Deploy v2.1'
test "$(td ls --json | jq -r .type)" = task_list
if td show buy 2> error.json; then exit 1; fi
jq -e '.ok == false and .error.code == "ambiguous_match"' error.json
id=$(jq -r '.error.details.candidates[0].id' error.json)
td done "$id" | jq -e '.ok and .type == "task_done"'
"#;
    assert_ran(&run(&stocked(), "sh", script));
}

/// The call that an error suggests is one that can be typed, once its reader has chosen.
#[test]
fn a_suggestion_works_with_the_id_that_is_chosen() {
    if !is_installed("jq") {
        return;
    }
    let script = r#"
set -e
suggested() { jq -r .error.suggestion error.json | sed 's/[^`]*`\([^`]*\)`.*/\1/'; }
chosen() { jq -r '.error.details.candidates[1].id' error.json; }
obey() { eval "$(suggested | sed "s/<ID>/$(chosen)/")"; }
if td move buy -p Work -s Later 2> error.json; then exit 1; fi
obey | jq -e '.type == "task_moved"'
if td comment buy "it's late; exit 1" 2> error.json; then exit 1; fi
obey | jq -e '.data.content == "it'\''s late; exit 1"'
if td edit buy --content 'Buy; exit 1' --priority 4 2> error.json; then exit 1; fi
obey | jq -e '.data.content == "Buy; exit 1" and .data.priority == 4'
if td done 'deploy v2' buy 2> error.json; then exit 1; fi
obey | jq -e '.type == "task_done_list"'
if td ls -s later 2> error.json; then exit 1; fi
obey | jq -e '.type == "task_list"'
"#;
    assert_ran(&run(&stocked(), "sh", script));
}

/// The suggested call without a choice changes nothing.
#[test]
fn an_ambiguous_name_recommends_none_of_its_candidates() {
    let calls = ["done buy", "delete buy --yes", "move buy -p Work", "edit buy --priority 1"];
    for line in calls {
        let sandbox = stocked();
        let before = std::fs::read(sandbox.directory().join("td.json")).unwrap();
        let error = sandbox.call(line).opened().envelope.error().cloned().unwrap();
        let suggestion = error.suggestion.unwrap();
        assert_eq!(error.code, "ambiguous_match", "{line}");
        let (_, suggested) = suggestion.split_once('`').unwrap();
        let suggested = suggested.trim_end_matches('`').strip_prefix("td ").unwrap();
        let followed = sandbox.call(suggested);
        assert_eq!(followed.opened().envelope.error().unwrap().code, "not_found", "{suggestion}");
        assert_eq!(
            std::fs::read(sandbox.directory().join("td.json")).unwrap(),
            before,
            "{suggestion}"
        );
    }
}
