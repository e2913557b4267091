//! Owns: `manila run` reports the truth and ends in hostile environments: signals that are ignored,
//! too few descriptors, pipes in the place of files, a full disk, a terminal.

mod support;
#[path = "support/tool.rs"]
mod tool;

use serde_json::Value;
use std::process::{Command, Stdio};
use support::{Call, Ran, manila, skipped};
use tool::{Tool, assert_warns, lines};

const ANSWER: &str = r#"echo '{"ok":true,"data":[1],"error":null,"warnings":[],"meta":{}}'"#;

/// `manila run` on a tool, by a shell that prepares something first.
fn prepared(tool: &Tool, first: &str, flags: &[&str]) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{first}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_manila"), "run"]);
    shell.env("XDG_STATE_HOME", tool.file("state")).args(flags).args(["--json", "--trace", "--"]);
    shell.arg(tool.path());
    Call::of(shell).run()
}

fn pipe(tool: &Tool) -> String {
    let path = tool.file("pipe");
    let status = Command::new("mkfifo").arg(&path).status();
    assert!(status.is_ok_and(|status| status.success()));
    path
}

#[test]
fn the_status_is_known_where_the_end_of_children_is_ignored() {
    // Not every shell lets anyone ignore this one.
    let ignoring = "exec bash -c 'trap \"\" CHLD; exec \"$@\"' bash \"$@\"";
    if !Command::new("bash").args(["-c", ""]).status().is_ok_and(|status| status.success()) {
        return skipped("there is no bash, which can ignore SIGCHLD");
    }
    let tool = Tool::new("adversity-sigchld", &format!("{ANSWER}\nexit 0"));
    let envelope = prepared(&tool, ignoring, &[]).envelope();
    assert_eq!(envelope["data"], serde_json::json!([1]), "{envelope}");
    assert_eq!(envelope["meta"]["run"]["trace"]["steps"][0]["usage"]["exit_code"], 0);
}

#[test]
fn few_descriptors_never_deny_what_was_started() {
    let tool = Tool::new("adversity-descriptors", &format!("echo >>\"$here/ran\"\n{ANSWER}"));
    let mut codes = Vec::new();
    for most in 4..20 {
        let before = tool.counted("ran");
        let ran = prepared(&tool, &format!("ulimit -n {most}"), &[]);
        let Ok(envelope) = serde_json::from_slice::<Value>(&ran.stdout) else { continue };
        let has_run = tool.counted("ran") > before;
        let code = envelope["error"]["code"].as_str().map(str::to_owned);
        assert!(!has_run || code.as_deref() != Some("SYSTEM_REFUSED"), "{most}: {envelope}");
        codes.push(code);
    }
    assert!(codes.contains(&Some("SYSTEM_REFUSED".to_owned())), "{codes:?}");
    assert!(codes.contains(&None), "{codes:?}");
}

#[test]
fn no_time_is_too_long() {
    const LONG: &str = "9223372036854775807s";
    let tool = Tool::new("adversity-times", &format!("sleep 0.1 & {ANSWER}"));
    for flag in ["--timeout", "--deadline", "--grace", "--linger"] {
        let ran = tool.json(&[flag, LONG], "");
        assert_eq!(ran.code(), 0, "{flag}: {}", ran.text());
    }
    let hangs = Tool::new("adversity-grace", "exec sleep 100");
    hangs.json(&["--grace", LONG, "--timeout", "100ms"], "").error(10, "TIMEOUT");
}

#[test]
fn a_pipe_is_no_redirect_store() {
    let tool = Tool::new("adversity-redirects", ANSWER);
    let pipe = pipe(&tool);
    let ran = tool.json(&["--redirect-store", &pipe], "");
    assert_eq!(ran.code(), 0);
    assert_warns(&ran.envelope(), "it is a pipe");
    manila(["redirects", "list", "--json", "--redirect-store", &pipe])
        .run()
        .error(1, "FILE_UNREADABLE");
}

#[test]
fn what_cannot_be_read_again_is_no_input() {
    let tool = Tool::new("adversity-input", "cat");
    for path in [pipe(&tool), tool.file("")] {
        tool.json(&["--stdin", &path], "").error(4, "INPUT_UNREADABLE");
    }
}

#[test]
fn a_disk_that_is_full_gets_no_half_line() {
    let tool = Tool::new("adversity-disk", ANSWER);
    let log = tool.file("log");
    let warned = (0..9).map(|_| {
        let ran =
            prepared(&tool, "trap '' XFSZ; ulimit -f 1", &["--no-redirect-store", "--log", &log]);
        assert_eq!(ran.code(), 0);
        usize::from(ran.envelope()["warnings"] != serde_json::json!([]))
    });
    let warned: usize = warned.sum();
    assert!(warned > 0);
    assert_eq!(lines(&log).len(), 9 - warned);
    for line in lines(&log) {
        assert!(serde_json::from_str::<Value>(&line).is_ok(), "{line}");
    }
}

/// Whether there is something that makes a terminal; says so if not.
fn has_script() -> bool {
    let found = Command::new("script").arg("--version").stdout(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        skipped("there is no `script` that makes a terminal");
    }
    found
}

#[test]
fn on_a_terminal_a_program_may_ask_and_nothing_is_added() {
    if !has_script() {
        return;
    }
    let tool =
        Tool::new("adversity-asks", "printf 'name? '; read -r name </dev/tty; echo \"hi $name\"");
    let line =
        format!("'{}' run --no-redirect-store -- '{}'", env!("CARGO_BIN_EXE_manila"), tool.path());
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
    let ran = Call::of(terminal).input("me\n");
    let seen = ran.text();
    assert!(seen.ends_with("hi me\r\n") && seen.contains("name? "), "{seen:?}");
    assert!(!seen.contains('\u{1b}'), "{seen:?}");
}

#[test]
fn a_program_that_wants_the_terminal_is_ended() {
    if !has_script() {
        return;
    }
    let tool = Tool::new("adversity-terminal", "read -r answer </dev/tty; echo \"$answer\"");
    let line = format!(
        "'{}' run --no-redirect-store --json -- '{}' >'{}'",
        env!("CARGO_BIN_EXE_manila"),
        tool.path(),
        tool.file("answer")
    );
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &line, "/dev/null"]).env("SHELL", "/bin/sh");
    assert_eq!(Call::of(terminal).run().code(), 4);
    let answer = lines(tool.file("answer")).concat();
    assert!(answer.contains("NEEDS_TERMINAL"), "{answer}");
}

/// 2 MB of lines on both streams.
const MUCH: &str = "seq 1 300000; seq 1 300000 >&2; count calls; exit 3";

#[test]
fn much_output_is_delivered_whole_and_once_whether_it_is_held_back_or_not() {
    let all: String = (1..=300_000).map(|number| format!("{number}\n")).collect();
    for flags in [&[][..], &["--idempotent"], &["--idempotent", "--max-output", "100000"]] {
        let tool = Tool::new(&format!("adversity-much-{}", flags.len()), MUCH);
        let ran = tool.call(flags, "").run();
        assert_eq!(ran.code(), 3, "{flags:?}");
        assert!(ran.stdout == all.as_bytes(), "{flags:?}: {} bytes", ran.stdout.len());
        assert!(ran.stderr == all.as_bytes(), "{flags:?}: {} bytes", ran.stderr.len());
        assert_eq!(tool.counted("calls"), 1, "{flags:?}");
    }
}

#[test]
fn what_is_delivered_is_recorded_and_logged_too() {
    for flags in [&[][..], &["--idempotent"]] {
        let tool = Tool::new(&format!("adversity-recorded-{}", flags.len()), "echo text; exit 0");
        let (runs, log) = (tool.file("runs"), tool.file("log"));
        let files = ["--record", &runs, "--log", &log];
        let ran = tool.call(&[flags, &files].concat(), "").run();
        assert_eq!(ran.out(), "text\n", "{flags:?}");
        let recorded = std::fs::read(tool.file("runs/0001/stdout")).expect("a recorded run");
        assert_eq!(recorded, b"text\n", "{flags:?}");
        let line: Value = serde_json::from_str(&lines(&log)[0]).expect("a line");
        assert_eq!(line["data"]["stdout"], "text\n", "{flags:?}: {line}");
    }
}
