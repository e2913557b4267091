//! Programs that use other libraries give one document on stdout, and the libraries work as before.

use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

fn libraries(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_libraries"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The one document on stdout.
#[track_caller]
fn document(output: &Output) -> Value {
    let shown = || {
        let (stdout, stderr) = (&output.stdout, &output.stderr);
        format!("{}\n{}", String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr))
    };
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", shown()))
}

/// What a successful call answers, and all that it said beside it.
#[track_caller]
fn answer(output: &Output) -> (String, String) {
    let document = document(output);
    assert_eq!(output.status.code(), Some(0), "{document}");
    let beside = format!("{}{}", String::from_utf8_lossy(&output.stderr), document["warnings"]);
    (document["data"]["message"].as_str().unwrap_or_default().to_owned(), beside)
}

#[test]
fn logs_stay_out_of_the_answer_and_are_not_lost() {
    let output = libraries(&["tracing", "--json"]).output().unwrap();
    let (message, beside) = answer(&output);
    assert_eq!(message, "logged");
    assert!(beside.contains("the disk is nearly full"), "{beside}");

    let text = libraries(&["tracing"]).output().unwrap();
    let stdout = String::from_utf8_lossy(&text.stdout);
    assert!(stdout.contains("the disk is nearly full") && stdout.ends_with("logged\n"), "{stdout}");
}

#[test]
fn a_progress_bar_is_not_drawn_into_a_pipe() {
    let output = libraries(&["indicatif", "--json"]).output().unwrap();
    assert_eq!(answer(&output).0, "drawn");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Starts a command that waits for a signal, and sends it once its handler is in place.
fn signalled(words: &[&str], signal: &str) -> Output {
    let mut child: Child = libraries(words).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    let mut rest = Vec::new();
    stderr.read_to_end(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    Output { stderr: rest, ..output }
}

#[test]
fn handlers_of_signals_run_as_they_did() {
    for (command, signal, expected) in [
        ("ctrlc", "-INT", "ctrlc ran"),
        ("early", "-INT", "the early handler ran"),
        ("signal-hook", "-TERM", "signal-hook saw 15"),
        ("tokio", "-INT", "tokio saw it"),
    ] {
        let json = signalled(&[command, "--json"], signal);
        assert_eq!(answer(&json).0, expected, "{command}");
        let text = signalled(&[command], signal);
        assert_eq!(String::from_utf8_lossy(&text.stdout), format!("{expected}\n"), "{command}");
        assert_eq!(text.status.code(), Some(0), "{command}");
    }
}

#[test]
fn a_task_says_something_beside_the_answer() {
    let output = signalled(&["tokio", "--json"], "-INT");
    assert_eq!(document(&output)["warnings"][0], "from a task");
}

#[test]
fn what_a_child_prints_is_not_lost() {
    let output = libraries(&["child", "--json"]).output().unwrap();
    let (message, beside) = answer(&output);
    assert_eq!(message, "the child ended with 0");
    assert!(beside.contains("from the child"), "{beside}");
    let text = libraries(&["child"]).output().unwrap();
    assert_eq!(text.stdout, b"from the child\nthe child ended with 0\n");
}

/// A directory of this test alone.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn a_daemon_with_its_own_stdio_outlives_the_answer() {
    let fifo = directory("daemon").join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let output = libraries(&["daemon", &fifo.to_string_lossy(), "--json"]).output().unwrap();
    let (message, _) = answer(&output);
    assert!(message.parse::<u32>().is_ok(), "{message}");
    // Opening it waits for the daemon to read, which shows that it lives; closing it ends the daemon.
    drop(File::options().write(true).open(&fifo).unwrap());
}

#[test]
fn a_plugin_gets_its_words_untouched() {
    let directory = directory("plugin");
    let plugin = directory.join("libraries-greet");
    fs::write(&plugin, "#!/bin/sh\necho \"$*\"\n").unwrap();
    fs::set_permissions(&plugin, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap_or_default());
    let greet = |words: &[&str]| libraries(words).env("PATH", &path).output().unwrap();
    let text = greet(&["greet", "--quiet", "--timeout", "5", "--json"]);
    assert_eq!(String::from_utf8_lossy(&text.stdout), "--quiet --timeout 5 --json\n");
    let json = greet(&["--json", "greet", "--quiet", "a b"]);
    assert_eq!(answer(&json).0, "--quiet a b");
}
