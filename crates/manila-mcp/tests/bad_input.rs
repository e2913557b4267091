//! Messages that are none, requests that nothing answers, and clients that leave: protocol errors as the
//! specification has them, and nothing left running.

mod support;

use serde_json::{Value, json};
use std::process::Command;
use support::{Client, Recorder, envelope, wait_for_end};

const OLD: &str = "2025-06-18";
const CURRENT: &str = "2025-11-25";

fn connect(recorder: &Recorder, revision: &str) -> Client {
    recorder.connect(&[], revision, json!({}))
}

#[test]
fn malformed_messages_get_the_errors_of_json_rpc_and_the_server_goes_on() {
    let recorder = Recorder::new();
    let mut client = connect(&recorder, CURRENT);
    let lines: &[(&[u8], i64)] = &[
        (b"{", -32700),
        (b"not json", -32700),
        (b"\xff\xfe\x00", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"", -32700),
        (b"[]", -32600),
        (b"42", -32600),
        (b"\"text\"", -32600),
        (b"null", -32600),
        (b"{}", -32600),
        (b"{\"id\":1,\"method\":\"ping\"}", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1}", -32600),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600),
    ];
    for (line, code) in lines {
        client.send_line(line);
        let answer = client.receive();
        assert_eq!(answer["error"]["code"], *code, "{}: {answer}", String::from_utf8_lossy(line));
        assert_eq!(answer["jsonrpc"], "2.0");
        assert!(answer.as_object().unwrap().contains_key("id"), "{answer}");
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    client.send_line(deep.as_bytes());
    assert_eq!(client.receive()["error"]["code"], -32700);
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
}

#[test]
fn a_message_that_is_too_long_is_dropped_and_answered() {
    let recorder = Recorder::new();
    let mut client = connect(&recorder, CURRENT);
    let params = json!({"name": "read", "arguments": {"argv": ["tool", "x".repeat(5 << 20)]}});
    let message = json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params});
    client.send(&message);
    assert_eq!(client.receive()["error"]["code"], -32600);
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
}

#[test]
fn messages_before_the_first_request_do_no_harm() {
    let recorder = Recorder::new();
    let mut client = recorder.start(&[]);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    client.send(&json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
    client.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}),
    );
    client.send_line(b"{");
    assert_eq!(client.receive()["error"]["code"], -32700);
    let early = client.request("tools/list", json!({}));
    assert!(early["error"]["code"].is_i64(), "{early}");
    assert!(client.introduce(CURRENT, json!({}))["result"].is_object());
}

#[test]
fn unknown_methods_and_tools_are_protocol_errors() {
    let recorder = Recorder::new();
    let mut client = connect(&recorder, CURRENT);
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    assert_eq!(code(&client.request("no/such", json!({}))), Some(-32601));
    assert_eq!(code(&client.request("prompts/get", json!({"name": "x"}))), Some(-32601));
    let unknown = client.request("tools/call", json!({"name": "git_log", "arguments": {}}));
    assert_eq!(code(&unknown), Some(-32602), "{unknown}");
    for params in [
        json!({}),
        json!({"name": 7}),
        json!({"name": "read", "arguments": "x"}),
        json!({"name": "read", "arguments": []}),
    ] {
        let answer = client.request("tools/call", params.clone());
        assert_eq!(code(&answer), Some(-32602), "{params}: {answer}");
    }
    let missing = client.request("resources/read", json!({"uri": "manila://output/99"}));
    assert_eq!(code(&missing), Some(-32002), "{missing}");
    assert_eq!(code(&client.request("resources/read", json!({}))), Some(-32602));
    assert!(recorder.executions().is_empty());
}

#[test]
fn wrong_arguments_are_reported_to_the_model_since_2025_11_25_and_to_the_client_before() {
    let recorder = Recorder::new();
    let wrong = [
        ("read", json!({})),
        ("read", json!({"argv": "git log"})),
        ("read", json!({"argv": []})),
        ("read", json!({"argv": ["git", 7]})),
        ("act", json!({"argv": {"0": "git"}})),
        ("act", json!({"argv": ["git"], "shell": true})),
        ("find", json!({"query": ["x"]})),
        ("find", Value::Null),
    ];
    let mut current = connect(&recorder, CURRENT);
    let mut old = connect(&recorder, OLD);
    for (tool, arguments) in wrong {
        let mut params = json!({"name": tool});
        if !arguments.is_null() {
            params["arguments"] = arguments;
        }
        let answer = current.request("tools/call", params.clone());
        let envelope = envelope(&answer["result"]);
        assert_eq!(envelope["error"]["code"], "INVALID_ARGUMENTS", "{params}: {envelope}");
        let answer = old.request("tools/call", params.clone());
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
    }
    assert!(recorder.executions().is_empty());
}

#[test]
fn a_client_that_closes_stdin_gets_its_answers_first() {
    let recorder = Recorder::new();
    let mut client = connect(&recorder, CURRENT);
    recorder.write("a.out", "answered");
    let id = client
        .begin("tools/call", json!({"name": "read", "arguments": {"argv": ["tool", "show", "a"]}}));
    let answer = client.finish(id);
    assert_eq!(envelope(&answer["result"])["data"]["stdout"], "answered");
    assert!(client.close().success());
}

#[test]
fn a_client_that_closes_stdin_first_gets_the_answer_to_what_still_runs() {
    let recorder = Recorder::new();
    let mut client = connect(&recorder, CURRENT);
    let params = json!({"name": "read", "arguments": {"argv": ["tool", "wait"]}});
    let id = client.begin("tools/call", params);
    recorder.pids();
    client.close_stdin();
    recorder.write("go", "");
    assert_eq!(envelope(&client.finish(id)["result"])["data"]["stdout"], "done\n");
    assert!(client.end().success());
}

#[test]
fn a_client_that_disappears_leaves_nothing_running() {
    let recorder = Recorder::new();
    let mut client = connect(&recorder, CURRENT);
    client.begin("tools/call", json!({"name": "read", "arguments": {"argv": ["tool", "wait"]}}));
    let pids = recorder.pids();
    client.vanish();
    wait_for_end(&pids);
}

#[test]
fn a_server_that_is_signalled_leaves_nothing_running() {
    let recorder = Recorder::new();
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::KILL] {
        let _ = std::fs::remove_file(recorder.path().join("pids"));
        let mut client = connect(&recorder, CURRENT);
        let params = json!({"name": "read", "arguments": {"argv": ["tool", "wait"]}});
        client.begin("tools/call", params);
        // The group is guarded against the death of the server from its beginning.
        let pids = recorder.pids();
        let server = rustix::process::Pid::from_raw(i32::try_from(client.id()).unwrap()).unwrap();
        rustix::process::kill_process(server, signal).unwrap();
        client.end();
        wait_for_end(&pids);
    }
}

#[test]
fn what_cannot_be_served_ends_with_an_error_and_a_hint() {
    let recorder = Recorder::new();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_manila-mcp"));
        command.args(arguments).current_dir(recorder.path().join("bin"));
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (arguments, expected) in [
        (&["--cwd", "/no/such/directory", "--", "git"][..], "is not a directory"),
        (&["--program", "git", "--program", "/usr/bin/git"], "two programs are called git"),
        (&["--program", "'"], "is not a command"),
        (&["--allow", "everything", "--", "git"], "everything"),
        (&["--timeout", "soon", "--", "git"], "soon"),
        (&["--print-config", "emacs", "--", "git"], "emacs"),
    ] {
        let (code, text) = run(arguments);
        assert_eq!(code, Some(3), "{arguments:?}: {text}");
        assert!(text.starts_with("error[") && text.contains(expected), "{arguments:?}: {text}");
    }
}
