//! Every tool and every way in which a call fails, over the stdio of the real program.

mod support;

use serde_json::{Value, json};
use support::{Client, Recorder, built, envelope, wait_for_end};

const OLD: &str = "2025-06-18";
const CURRENT: &str = "2025-11-25";
const NEW: &str = "2026-07-28";

fn can_ask() -> Value {
    json!({"elicitation": {}})
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"confirm": true}})
}

#[test]
fn every_revision_gets_the_same_three_tools() {
    let recorder = Recorder::new();
    for revision in ["2024-11-05", "2025-03-26", OLD, CURRENT, NEW] {
        let mut client = recorder.start(&[]);
        let hello = client.introduce(revision, json!({}));
        assert!(hello["result"].is_object(), "{revision}: {hello}");
        if revision < NEW {
            assert_eq!(hello["result"]["protocolVersion"], revision);
        }
        let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
        let names: Vec<&str> =
            tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["find", "read", "act"], "{revision}");
        assert!(tools.to_string().len() <= 4800, "{}", tools.to_string().len());
        recorder.write("a.out", "hello");
        let envelope = client.run("read", &["tool", "show", "a"]);
        assert_eq!(envelope["data"]["stdout"], "hello", "{revision}");
        assert!(client.close().success());
    }
}

#[test]
fn an_unknown_revision_is_answered_with_one_that_is_known() {
    let recorder = Recorder::new();
    let mut client = recorder.start(&[]);
    let hello = client.introduce("1999-01-01", json!({}));
    assert_eq!(hello["result"]["protocolVersion"], CURRENT, "{hello}");
}

#[test]
fn find_returns_at_most_ten_commands_with_effect_and_usage() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    let found = envelope(&client.call("find", json!({"query": "git log"})));
    let first = &found["data"]["commands"][0];
    assert_eq!(first["argv"], json!(["git", "log"]), "{found}");
    assert_eq!(first["effect"], "none");
    assert!(first["usage"].as_str().unwrap().starts_with("git log"), "{found}");
    let all = envelope(&client.call("find", json!({"query": ""})));
    assert_eq!(all["data"]["commands"].as_array().unwrap().len(), 10, "{all}");
    let none = envelope(&client.call("find", json!({"query": "xyzzy"})));
    assert_eq!(none["data"]["commands"], json!([]));
    assert!(recorder.executions().is_empty(), "{:?}", recorder.executions());
}

#[test]
fn read_runs_what_is_proven_and_nothing_else() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&["--allow", "destroys"], CURRENT, can_ask());
    let read = client.run("read", &["git", "log"]);
    assert_eq!(read["data"]["stdout"], "ran: log\n");
    for argv in [
        &["git", "push"][..],
        &["git", "log", "--output=x"],
        &["git", "unheard-of"],
        &["tool", "frobnicate"],
    ] {
        let refused = client.run("read", argv);
        assert_eq!(refused["error"]["code"], "NOT_READ_ONLY", "{argv:?}: {refused}");
    }
    assert_eq!(recorder.executions(), [["log"]]);
}

#[test]
fn act_runs_what_is_allowed_and_nothing_else() {
    let recorder = Recorder::new();
    let calls: &[(&str, &[&str])] = &[
        ("none", &["git", "log"]),
        ("idempotent", &["git", "add", "x"]),
        ("writes", &["git", "commit", "-m", "x"]),
        ("destroys", &["git", "reset", "--hard"]),
    ];
    for (allowed, (allow, _)) in calls.iter().enumerate() {
        let mut client = recorder.connect(&["--allow", allow], CURRENT, can_ask());
        client.answer = Some(yes());
        for (needed, (_, argv)) in calls.iter().enumerate() {
            let before = recorder.executions().len();
            let answer = client.run("act", argv);
            assert_eq!(answer["ok"], needed <= allowed, "--allow {allow} {argv:?}: {answer}");
            assert_eq!(recorder.executions().len() - before, usize::from(needed <= allowed));
            if needed > allowed {
                assert_eq!(answer["error"]["code"], "NOT_ALLOWED");
            }
        }
    }
}

#[test]
fn what_destroys_is_asked_about_in_every_revision() {
    let recorder = Recorder::new();
    let argv = ["git", "reset", "--hard"];
    for revision in [OLD, CURRENT] {
        let mut client = recorder.connect(&["--allow", "destroys"], revision, can_ask());
        for (answer, runs) in [
            (yes(), true),
            (json!({"action": "decline"}), false),
            (json!({"action": "cancel"}), false),
            (json!({"action": "accept", "content": {"confirm": false}}), false),
        ] {
            let before = recorder.executions().len();
            client.answer = Some(answer.clone());
            let reply = client.run("act", &argv);
            assert_eq!(reply["ok"], runs, "{answer}: {reply}");
            assert_eq!(recorder.executions().len() - before, usize::from(runs));
        }
        let asked = client.questions[0]["params"]["message"].as_str().unwrap();
        assert!(asked.contains("git reset --hard") && asked.contains("destroys"), "{asked}");
    }
}

#[test]
fn a_stateless_client_repeats_the_call_with_the_answer() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&["--allow", "destroys"], NEW, can_ask());
    let call = |state: Option<&Value>, argv: &[&str]| {
        let mut params = json!({"name": "act", "arguments": {"argv": argv}});
        if let Some(state) = state {
            params["requestState"] = state.clone();
            params["inputResponses"] = json!({"confirm": yes()});
        }
        params
    };
    let argv = ["git", "reset", "--hard"];
    let asked = client.request("tools/call", call(None, &argv));
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    assert!(asked["result"]["inputRequests"]["confirm"].is_object(), "{asked}");
    assert!(recorder.executions().is_empty());
    let state = asked["result"]["requestState"].clone();
    let other = client.request("tools/call", call(Some(&state), &["git", "clean", "-fdx"]));
    assert_eq!(envelope(&other["result"])["error"]["code"], "NOT_CONFIRMED", "{other}");
    let again = client.request("tools/call", call(Some(&state), &argv));
    assert_eq!(envelope(&again["result"])["error"]["code"], "NOT_CONFIRMED", "{again}");
    assert!(recorder.executions().is_empty());
    let asked = client.request("tools/call", call(None, &argv));
    let state = asked["result"]["requestState"].clone();
    let done = client.request("tools/call", call(Some(&state), &argv));
    assert_eq!(envelope(&done["result"])["ok"], true, "{done}");
    assert_eq!(recorder.executions(), [["reset", "--hard"]]);
}

#[test]
fn a_client_that_cannot_ask_is_refused() {
    let recorder = Recorder::new();
    for revision in ["2024-11-05", OLD, NEW] {
        let mut client = recorder.connect(&["--allow", "destroys"], revision, json!({}));
        for argv in [&["git", "reset", "--hard"][..], &["tool", "frobnicate"]] {
            let refused = client.run("act", argv);
            assert_eq!(refused["error"]["code"], "CANNOT_CONFIRM", "{revision}: {refused}");
        }
    }
    assert!(recorder.executions().is_empty());
}

#[test]
fn failures_keep_the_words_of_the_program() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    recorder.write("gone.err", "fatal: it is gone\n");
    recorder.write("gone.code", "3");
    let failed = client.run("read", &["tool", "show", "gone"]);
    assert_eq!(failed["ok"], false);
    assert!(failed["error"]["message"].as_str().unwrap().contains("it is gone"), "{failed}");
    assert_eq!(failed["meta"]["run"]["exit_code"], 3);
    let answer = json!({"ok": false, "data": null, "error": {"code": "GONE", "message": "it is gone"}, "warnings": [],
        "meta": {"schema_version": "1.0", "duration_ms": 1}});
    recorder.write("said.out", answer.to_string());
    recorder.write("said.code", "5");
    let said = client.run("read", &["tool", "show", "said"]);
    assert_eq!(said["error"]["code"], "GONE", "{said}");
    let died = client.run("read", &["tool", "die"]);
    assert_eq!((&died["ok"], &died["meta"]["run"]["signal"]), (&json!(false), &json!(9)), "{died}");
}

#[test]
fn a_program_that_is_missing_is_an_answer_and_not_the_end() {
    let recorder = Recorder::new();
    let arguments = ["--program", "manila-no-such-program", "--program", &recorder.tool()];
    let mut client = Client::connect(recorder.path(), &arguments, CURRENT, json!({}));
    recorder.write("manila.toml", "");
    let other = client.run("read", &["other", "x"]);
    assert_eq!(other["error"]["code"], "UNKNOWN_PROGRAM");
    assert!(other["error"]["suggestion"].as_str().unwrap().contains("manila-no-such-program"));
    let found = envelope(&client.call("find", json!({"query": "x"})));
    assert!(found["warnings"].to_string().contains("not found"), "{found}");
    let mut client = Client::connect(
        recorder.path(),
        &["--allow", "destroys", "--", "manila-no-such-program"],
        CURRENT,
        can_ask(),
    );
    client.answer = Some(yes());
    let missing = client.run("act", &["manila-no-such-program", "x"]);
    assert_eq!(missing["error"]["code"], "NO_SUCH_PROGRAM", "{missing}");
}

#[test]
fn the_directory_and_the_environment_are_the_operators() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    let place = client.run("read", &["tool", "where"]);
    let real = recorder.path().canonicalize().unwrap();
    assert_eq!(place["data"]["stdout"].as_str().unwrap().trim_end(), real.to_str().unwrap());
    let params = json!({"name": "read", "arguments": {"argv": ["tool", "env"]},
        "_meta": {"env": {"INJECTED": "1"}, "PATH": "/tmp"}});
    let answer = client.request("tools/call", params);
    let env = envelope(&answer["result"])["data"]["stdout"].as_str().unwrap().to_owned();
    assert!(!env.contains("INJECTED") && env.contains("TERM=dumb"), "{env}");
}

#[test]
fn secrets_are_masked_in_answers_and_resources() {
    let recorder = Recorder::new();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    recorder.write("short.out", format!("token {secret}\n"));
    recorder.write("long.out", format!("{secret} and more\n").repeat(2000));
    recorder.write("bad.err", format!("password={secret}\n"));
    recorder.write("bad.code", "1");
    for name in ["short", "long", "bad"] {
        let result = client.call("read", json!({"argv": ["tool", "show", name]}));
        assert!(!result.to_string().contains(secret), "{result}");
    }
    let read = client.request("resources/read", json!({"uri": "manila://output/1"}));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(text.contains("and more") && !text.contains(secret), "{read}");
}

#[test]
fn long_output_is_a_head_a_tail_a_count_and_a_resource() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    let whole: String = (0..200_000).map(|line| format!("line {line}\n")).collect();
    recorder.write("long.out", &whole);
    let result = client.call("read", json!({"argv": ["tool", "show", "long"]}));
    let data = &envelope(&result)["data"];
    assert_eq!(data["bytes"], whole.len());
    assert!(result["structuredContent"].to_string().len() <= 20_000);
    assert!(whole.starts_with(data["head"].as_str().unwrap()));
    assert!(whole.ends_with(data["tail"].as_str().unwrap()));
    let link = result["content"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["type"] == "resource_link")
        .unwrap();
    assert_eq!((&link["uri"], &link["size"]), (&data["resource"], &json!(whole.len())));
    let mut next = data["resource"].as_str().map(str::to_owned);
    let mut read = String::new();
    while let Some(uri) = next {
        let answer = client.request("resources/read", json!({"uri": uri}));
        let part = &answer["result"]["contents"][0];
        read.push_str(part["text"].as_str().unwrap());
        next = part["_meta"]["manila/next"].as_str().map(str::to_owned);
    }
    assert_eq!(read, whole);
    let listed = client.request("resources/list", json!({}));
    assert_eq!(listed["result"]["resources"].as_array().unwrap().len(), 1);
    let templates = client.request("resources/templates/list", json!({}));
    assert_eq!(
        templates["result"]["resourceTemplates"][0]["uriTemplate"],
        "manila://output/{id}{?offset}"
    );
}

#[test]
fn a_client_hears_that_a_call_is_running() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    let params = json!({"name": "read", "arguments": {"argv": ["tool", "wait"]}, "_meta": {"progressToken": "p"}});
    let id = client.begin("tools/call", params);
    let first = client.notified("notifications/progress");
    assert_eq!(first["params"]["progressToken"], "p");
    let second = client.notified("notifications/progress");
    assert!(second["params"]["progress"].as_f64() > first["params"]["progress"].as_f64());
    recorder.write("go", "");
    assert_eq!(envelope(&client.finish(id)["result"])["data"]["stdout"], "done\n");
}

#[test]
fn several_calls_run_at_once() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    let slow = client
        .begin("tools/call", json!({"name": "read", "arguments": {"argv": ["tool", "wait"]}}));
    recorder.pids();
    recorder.write("a.out", "quick");
    for _ in 0..5 {
        assert_eq!(client.run("read", &["tool", "show", "a"])["data"]["stdout"], "quick");
    }
    recorder.write("go", "");
    assert_eq!(envelope(&client.finish(slow)["result"])["ok"], true);
}

#[test]
fn cancelling_a_call_ends_its_process_group() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({}));
    let id = client
        .begin("tools/call", json!({"name": "read", "arguments": {"argv": ["tool", "wait"]}}));
    let pids = recorder.pids();
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    wait_for_end(&pids);
    recorder.write("a.out", "still here");
    assert_eq!(client.run("read", &["tool", "show", "a"])["data"]["stdout"], "still here");
}

#[test]
fn a_call_that_takes_too_long_is_ended_and_says_so() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&["--timeout", "300ms"], CURRENT, json!({}));
    let late = client.run("read", &["tool", "wait"]);
    assert_eq!(late["ok"], false);
    assert!(["TIMEOUT", "DEADLINE"].contains(&late["error"]["code"].as_str().unwrap()), "{late}");
    assert!(late["meta"]["duration_ms"].as_u64().is_some_and(|it| it >= 300), "{late}");
    wait_for_end(&recorder.pids());
}

#[test]
fn long_work_is_a_task_where_the_client_offers_it() {
    let recorder = Recorder::new();
    let can = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let mut client = recorder.connect(&[], NEW, can);
    let call = json!({"name": "read", "arguments": {"argv": ["tool", "wait"]}});
    let task = client.request("tools/call", call.clone())["result"].clone();
    assert_eq!(task["resultType"], "task", "{task}");
    let id = task["taskId"].clone();
    let state = client.request("tasks/get", json!({"taskId": id}))["result"].clone();
    assert_eq!(state["status"], "working", "{state}");
    recorder.write("go", "");
    let done = until(&mut client, &id, "completed");
    assert_eq!(envelope(&done["result"])["data"]["stdout"], "done\n");
    // A short call is answered at once, and a task that is cancelled ends its processes.
    recorder.write("a.out", "quick");
    assert_eq!(client.run("read", &["tool", "show", "a"])["data"]["stdout"], "quick");
    for file in ["go", "pids"] {
        std::fs::remove_file(recorder.path().join(file)).unwrap();
    }
    let task = client.request("tools/call", call)["result"].clone();
    let pids = recorder.pids();
    let id = task["taskId"].clone();
    client.request("tasks/cancel", json!({"taskId": id}));
    wait_for_end(&pids);
    until(&mut client, &id, "cancelled");
}

fn until(client: &mut Client, task: &Value, status: &str) -> Value {
    let begin = std::time::Instant::now();
    loop {
        let state = client.request("tasks/get", json!({"taskId": task}))["result"].clone();
        if state["status"] == status {
            return state;
        }
        assert!(begin.elapsed() < support::PATIENCE, "{state}");
    }
}

#[test]
fn every_call_is_logged() {
    let recorder = Recorder::new();
    let log = recorder.path().join("log.jsonl");
    let mut client = recorder.connect(&["--log", log.to_str().unwrap()], CURRENT, json!({}));
    recorder.write("a.out", "x");
    client.run("read", &["tool", "show", "a"]);
    client.run("read", &["tool", "show", "b"]);
    let text = std::fs::read_to_string(log).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("show"), "{text}");
}

/// Revision 2025-11-25 has tasks of another kind, which the SDK does not have. A server that does not offer them runs the
/// call as if it had not been asked for one.
#[test]
fn a_task_of_2025_11_25_is_answered_as_a_call() {
    let recorder = Recorder::new();
    let mut client = recorder.connect(&[], CURRENT, json!({"tasks": {"requests": {}}}));
    let hello = client.introduce(CURRENT, json!({"tasks": {}}));
    assert!(hello["result"]["capabilities"].get("tasks").is_none(), "{hello}");
    recorder.write("a.out", "answered");
    let argv = json!({"argv": ["tool", "show", "a"]});
    let params = json!({"name": "read", "arguments": argv, "task": {"ttl": 60000}});
    let answer = client.request("tools/call", params);
    assert_eq!(envelope(&answer["result"])["data"]["stdout"], "answered");
    for method in ["tasks/list", "tasks/result"] {
        let refused = client.request(method, json!({"taskId": "x"}));
        assert_eq!(refused["error"]["code"], -32601, "{refused}");
    }
}

/// manila is a program like any other: its manifest says what each command changes.
#[test]
fn manila_itself_is_served() {
    let Some(manila) = built("manila") else {
        return showcase_test_support::skipped("manila is not built");
    };
    let dir = tempfile::tempdir().unwrap();
    let program = manila.to_str().unwrap();
    let mut client = Client::connect(dir.path(), &["--", program], CURRENT, json!({}));
    let found = envelope(&client.call("find", json!({"query": "list the dialects"})));
    let commands = found["data"]["commands"].as_array().unwrap();
    let is_dialects = |it: &&Value| it["argv"][1] == "dialects";
    let dialects = commands.iter().find(is_dialects).unwrap_or_else(|| panic!("{found}"));
    assert_eq!(dialects["effect"], "none", "{found}");
    let listed = client.run("read", &["manila", "dialects", "--json"]);
    assert_eq!(listed["ok"], true, "{listed}");
    assert!(listed.to_string().contains("td/1"), "{listed}");
    let failed = client.run("read", &["manila", "explain", "--json", "no-such-thing"]);
    assert_eq!((&failed["ok"], &failed["error"]["code"]), (&json!(false), &json!("UNKNOWN_NAME")));
    // The program that it starts is another one, and nothing proves that it changes nothing.
    let refused = client.run("read", &["manila", "run", "--", "touch", "x"]);
    assert_eq!(refused["error"]["code"], "NOT_READ_ONLY", "{refused}");
    assert!(!dir.path().join("x").exists());
}
