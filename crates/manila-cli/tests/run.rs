//! Owns: what `manila run` prints: one envelope, the status of its class, the dialect that was
//! asked for, data alone for people, and the trace on request.
#![expect(clippy::panic, reason = "a test may stop at the first surprise")]

mod support;
#[path = "support/tool.rs"]
mod tool;

use manila::{Exit, Options, Status, Transcript, open};
use serde_json::json;
use std::process::Command;
use support::{Call, DIALECTS, ESC, Ran, manila, root};
use tool::{Tool, called, causes, certain, lines};

const TOOL: &str = r#"
count calls
case "$1" in
ok) ok '{"id":7}' ;;
text) echo hello; echo beside >&2 ;;
json) echo '[1.50, 2]' ;;
missing) fail 5 NOTE_NOT_FOUND ;;
busy) fail 11 BUSY '"retryable":false' ;;
broken) echo why >&2; exit 1 ;;
killed) kill -9 $$ ;;
stdout) echo '{"stdout":"x","other":1}' ;;
warned) ok '{"id":7}' '' '"it will be removed"' ;;
esac"#;

#[test]
fn the_answer_is_one_document_with_the_status_of_its_class() {
    let tool = Tool::new("run-classes", TOOL);
    let cases = [
        ("ok", 0, None),
        ("text", 0, None),
        ("json", 0, None),
        ("missing", 5, Some("NOTE_NOT_FOUND")),
        ("busy", 11, Some("BUSY")),
        ("broken", 1, Some("FAILED_WITHOUT_ENVELOPE")),
        ("killed", 1, Some("KILLED")),
    ];
    for (line, status, code) in cases {
        let ran = tool.json(&[], line);
        let envelope = certain(&ran);
        assert_eq!(ran.code(), status, "{envelope}");
        assert_eq!(envelope["error"]["code"].as_str(), code, "{envelope}");
        assert_eq!(causes(&envelope), ["first"]);
        assert_eq!(called(&envelope, 0), line);
    }
    assert_eq!(certain(&tool.json(&[], "ok"))["data"], json!({"id": 7}));
    let words = json!({"stdout": "hello\n", "stderr": "beside\n"});
    assert_eq!(certain(&tool.json(&[], "text"))["data"], words);
}

#[test]
fn a_program_that_cannot_be_started_has_an_answer_too() {
    let ran =
        manila(["run", "--json", "--no-redirect-store", "--", "no-such-program-anywhere"]).run();
    certain(&ran);
    ran.error(5, "NO_SUCH_PROGRAM");
    let tool = Tool::new("run-unstarted", TOOL);
    let input = tool.write("input", "");
    let ran = manila(["run", "--json", "--no-redirect-store", "--", &input]).run();
    certain(&ran);
    ran.error(7, "NOT_EXECUTABLE");
    let stdin = tool.file("none");
    tool.json(&["--stdin", &stdin], "ok").error(4, "INPUT_UNREADABLE");
    assert_eq!(tool.counted("calls"), 0);
}

#[test]
fn without_json_the_programs_own_bytes_and_status_are_handed_on() {
    let tool = Tool::new("run-transparent", TOOL);
    for line in ["ok", "text", "json", "missing", "broken", "stdout", "warned"] {
        let direct = Call::of(Command::new(tool.path())).args(&[line]).run();
        for flags in [&[][..], &["--plain"], &["-q"]] {
            let ran = tool.call(flags, line).run();
            assert_eq!(ran.out(), direct.out(), "{line} {flags:?}");
            assert_eq!(ran.err(), direct.err(), "{line} {flags:?}");
            assert_eq!(ran.code(), direct.code(), "{line} {flags:?}");
        }
    }
}

#[test]
fn a_death_by_signal_is_handed_on() {
    use std::os::unix::process::ExitStatusExt;
    let tool = Tool::new("run-killed", "kill -$1 $$");
    for (name, number) in [("KILL", 9), ("TERM", 15), ("SEGV", 11)] {
        let status = tool.call(&[], name).0.status().expect("manila starts");
        assert_eq!(status.signal(), Some(number), "{name}");
    }
}

#[test]
fn what_cannot_be_run_ends_as_with_env_and_timeout() {
    let missing = manila(["run", "no-such-program-anywhere"]).run();
    assert_eq!(missing.code(), 127);
    assert!(missing.err().starts_with("manila: error[NO_SUCH_PROGRAM]: "), "{}", missing.err());
    let tool = Tool::new("run-statuses", TOOL);
    let file = tool.write("text", "no program");
    assert_eq!(manila(["run", &file]).run().code(), 126);
    let slow = Tool::new("run-slow", "exec sleep 600");
    let ran = slow.call(&["--timeout", "100ms"], "").run();
    assert_eq!(ran.code(), 124);
    assert!(ran.err().contains("error[TIMEOUT]"), "{}", ran.err());
}

#[test]
fn the_first_word_that_is_no_option_begins_the_command() {
    let ran = manila(["run", "--timeout", "1m", "echo", "--json", "--help", "--", "-x"]).run();
    assert_eq!(ran.text(), "--json --help -- -x\n");
    assert_eq!(manila(["run", "echo", "a"]).run().text(), "a\n");
    manila(["run", "--no-such-flag", "echo"]).run().refusal(3, "UNKNOWN_ARGUMENT");
}

#[test]
fn nothing_of_a_long_output_is_lost_and_an_example_in_a_text_is_not_an_answer() {
    let tool = Tool::new("run-long", "seq 1 200000");
    let lines: Vec<String> = (1..=200_000).map(|line: u32| line.to_string()).collect();
    let expected = lines.join("\n") + "\n";
    assert_eq!(tool.call(&[], "").run().out(), expected);
    let readme = root().join("showcase/README.md").display().to_string();
    let shown = manila(["run", "cat", &readme]).run().text();
    assert_eq!(shown, std::fs::read_to_string(&readme).expect("the file"));
}

#[test]
fn a_log_of_envelopes_is_data() {
    let bad = r#"{"ok":false,"data":null,"error":{"code":"BUSY","message":"later","retryable":true},"warnings":[],"meta":{"schema_version":"1.0"}}"#;
    let good =
        r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"schema_version":"1.0"}}"#;
    let tool = Tool::new("run-log", "");
    for (name, records) in [("alike", [bad, bad]), ("mixed", [good, bad])] {
        let log = tool.write(name, &format!("{}\n", records.join("\n")));
        let plain = manila(["run", "--no-redirect-store", "cat", &log]).run();
        assert_eq!((plain.out().lines().count(), plain.code()), (2, 0), "{}", plain.out());
        let json = manila(["run", "--json", "--no-redirect-store", "cat", &log]).run();
        let envelope = json.envelope();
        assert_eq!(envelope["data"].as_array().map(Vec::len), Some(2), "{envelope}");
        assert_eq!(envelope["meta"]["run"]["attempts"], 1, "{envelope}");
    }
}

#[test]
fn a_reader_that_hangs_up_ends_the_program() {
    let line = format!("'{}' run yes | head -n 1", env!("CARGO_BIN_EXE_manila"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]);
    assert_eq!(Call::of(shell).run().text(), "y\n");
}

/// The envelope that a reader of the dialect finds in an answer.
fn opened(ran: &Ran) -> manila::Opened {
    let transcript = Transcript {
        stdout: ran.stdout.clone(),
        stderr: ran.stderr.clone(),
        status: Status::Exited(ran.code()),
        ..Transcript::default()
    };
    open(&transcript, &Options::default()).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn each_dialect_has_its_stream_and_its_number() {
    let tool = Tool::new("run-dialects", TOOL);
    for id in DIALECTS {
        let done = tool.call(&["--to", id], "ok").run();
        assert_eq!((done.code(), done.err().as_str()), (0, ""), "{id}");
        let good = opened(&done);
        assert_eq!((good.detection.dialect.id(), good.envelope.ok()), (id, true));
        assert!(done.out().contains('7'), "{id}: {}", done.out());

        let exits = manila::dialect(id).expect("a dialect").table().exits;
        for (line, exit) in
            [("missing", Exit::NotFound), ("busy", Exit::RateLimited), ("broken", Exit::General)]
        {
            let failed = tool.call(&["--to", id], line).run();
            assert_eq!(failed.code(), exits.status(exit), "{id} {line}");
            let is_beside = matches!(id, "animus/1" | "td/1");
            let silent = if is_beside { &failed.stdout } else { &failed.stderr };
            assert!(silent.is_empty(), "{id} {line}: {failed:?}");
            let bad = opened(&failed);
            assert_eq!((bad.detection.dialect.id(), bad.envelope.ok()), (id, false));
        }
    }
}

#[test]
fn the_numbers_of_two_dialects_differ_for_the_same_answer() {
    let tool = Tool::new("run-numbers", TOOL);
    let status = |id: &str| tool.call(&["--to", id], "missing").run().code();
    assert_eq!((status("response-envelope/1.0"), status("animus/1"), status("td/1")), (5, 3, 1));
}

#[test]
fn a_dialect_that_the_caller_knows_is_taken_for_it() {
    let tool = Tool::new(
        "run-known",
        "echo '{\"error\":\"no\",\"kind\":\"x\",\"type\":\"error\"}'; exit 1",
    );
    let known = tool.json(&["--dialect", "claw/1.0"], "").envelope();
    assert_eq!(known["meta"]["run"]["dialect"], "claw/1.0", "{known}");
    tool.json(&["--dialect", "claw/9"], "").error(3, "INVALID_VALUE");
}

#[test]
fn each_decision_is_explained_while_it_goes() {
    let tool = Tool::new("run-explain", TOOL);
    let ran = tool.call(&["--explain", "--json"], "missing").run();
    let trace = ran.err();
    let trace: Vec<&str> = trace.lines().collect();
    assert_eq!(trace[0], format!("attempt 1: {} missing", tool.path()));
    assert_eq!(trace[1], "  because the caller asked for it");
    let answered = "  NOT_FOUND NOTE_NOT_FOUND, response-envelope/1.0, exit status 5, ";
    assert!(trace[2].starts_with(answered), "{trace:?}");
    assert_eq!(trace[3], "  give up: NOT_FOUND is not to be retried (row 19 retryable-absent)");
    assert_eq!(trace.len(), 4);
    assert_eq!(ran.out().lines().count(), 1);
}

#[test]
fn what_a_program_says_cannot_steer_the_terminal_of_who_asked_for_an_explanation() {
    let error = r#"{"code":"\u001b[31mX","message":"\u001b]0;owned\u0007"}"#;
    let answer = format!(r#"{{"ok":false,"data":null,"error":{error},"warnings":[],"meta":{{}}}}"#);
    let tool = Tool::new("run-steer", &format!("printf '%s\\n' '{answer}'; exit 5"));
    let ran = tool.call(&["--explain", "--json"], "").run();
    assert!(ran.err().contains("[31mX"), "{}", ran.err());
    assert!(!ran.stderr.contains(&ESC), "{}", ran.err());
}

#[test]
fn a_dry_run_calls_nothing() {
    let tool = Tool::new("run-dry", TOOL);
    let flags = ["--dry-run", "--timeout", "30s", "--deadline", "5m", "--idempotent"];
    let plan = tool.json(&flags, "ok now").data();
    assert_eq!(plan["argv"], json!([tool.path(), "ok", "now"]));
    assert_eq!(plan["because"], "first");
    let limits = plan["limits"].to_string();
    assert!(limits.contains("30000 ms") && limits.contains("300000 ms"), "{limits}");
    let text = tool.call(&["--dry-run", "--redirects", "never"], "ok").run().text();
    assert!(text.contains("no redirects are followed"), "{text}");
    assert_eq!(tool.json(&["--validate-only"], "ok").data(), json!({}));
    assert!(!tool.has("calls"));
}

#[test]
fn a_dry_run_does_not_even_ask_the_program_about_itself() {
    let tool = Tool::new("run-dry-ask", "count calls\nok '{\"commands\":{}}'");
    assert_eq!(tool.call(&["--dry-run", "--manifest", "ask"], "ls").run().code(), 0);
    assert!(!tool.has("calls"));
}

#[test]
fn attempts_are_recorded_and_a_line_is_logged() {
    let tool = Tool::new("run-files", TOOL);
    let (record, log) = (tool.file("runs"), tool.file("log"));
    let flags = ["--record", &record, "--log", &log];
    tool.json(&flags, "ok").data();
    tool.json(&flags, "missing").error(5, "NOTE_NOT_FOUND");
    let run = manila(["open", "--json", "--run", &tool.file("runs/0002")]).run().data();
    assert_eq!((&run["confidence"], &run["envelope"]["status"]), (&json!("certain"), &json!(5)));
    let logged = lines(&log);
    assert_eq!(logged.len(), 2);
    for line in logged {
        let opened = manila(["open", "--json"]).input(line).data();
        assert_eq!(opened["confidence"], "certain");
    }
}

#[test]
fn its_input_is_our_own_or_a_file_and_with_json_nothing() {
    let tool = Tool::new("run-stdin", "cat; echo end");
    let read = |flags: &[&str]| tool.call(flags, "").input("from us ").text();
    assert_eq!(read(&[]), "from us end\n");
    assert_eq!(read(&["--stdin", "-"]), "from us end\n");
    let answer = tool.call(&["--json"], "").input("from us ").data();
    assert_eq!(answer["stdout"], "end\n");
    let file = tool.write("input", "from a file ");
    assert_eq!(read(&["--stdin", &file]), "from a file end\n");
}

#[test]
fn with_our_own_input_it_is_called_once() {
    let tool =
        Tool::new("run-once", "count calls\nfail 11 BUSY '\"retryable\":true,\"retry_after\":0'");
    let ran = tool.call(&["--json", "--stdin", "-"], "").input("x");
    let envelope = certain(&ran);
    tool::assert_warns(&envelope, "read only once");
    assert_eq!((ran.code(), tool.counted("calls")), (11, 1));
}

#[test]
fn a_non_interactive_environment_is_asked_for() {
    let tool = Tool::new("run-non-interactive", "echo \"$PAGER $NO_COLOR ${CLICOLOR_FORCE-none}\"");
    let shown = |flags: &[&str]| {
        tool.call(flags, "").env("PAGER", "less").env("CLICOLOR_FORCE", "1").run().text()
    };
    assert_eq!(shown(&["--non-interactive"]), "cat 1 none\n");
    assert_eq!(shown(&[]), "less  1\n");
}

#[test]
fn a_stream_for_programs_ends_with_the_answer() {
    let tool = Tool::new("run-jsonl", TOOL);
    let flags = ["--output", "jsonl", "--heartbeat", "10s", "--no-input"];
    let ran = tool.call(&flags, "ok").run();
    assert_eq!(certain(&ran)["data"], json!({"id": 7}));
}

#[test]
fn values_that_mean_nothing_are_refused_before_anything_runs() {
    let tool = Tool::new("run-refused", TOOL);
    for flags in [
        &["--timeout", "soon"][..],
        &["--grace=-1s"],
        &["--retries", "many"],
        &["--max-output", "1e3"],
        &["--redirects", "sometimes"],
        &["--refresh-with", "'"],
        &["--refresh-with", ""],
        &["--to", "latin"],
    ] {
        let ran = tool.json(flags, "ok");
        let envelope = ran.envelope();
        assert_eq!(
            (ran.code(), &envelope["error"]["code"]),
            (3, &json!("INVALID_VALUE")),
            "{flags:?}"
        );
    }
    tool.json(&["--redirect-store", "x", "--no-redirect-store"], "ok")
        .error(3, "CONFLICTING_ARGUMENTS");
    manila(["run", "--json"]).run().error(3, "MISSING_ARGUMENT");
    let none = tool.file("none");
    tool.json(&["--manifest", &none], "ok").error(5, "FILE_NOT_FOUND");
    let bad = tool.write("bad", "{}");
    tool.json(&["--manifest", &bad], "ok").error(3, "INVALID_VALUE");
    assert!(!tool.has("calls"));
}

#[test]
fn data_are_cut_to_the_size_that_was_asked_for() {
    let tool = Tool::new("run-max-bytes", "ok '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]'");
    let envelope = tool.json(&["--max-bytes", "10"], "").envelope();
    assert_eq!(envelope["meta"]["truncated"], true, "{envelope}");
}
