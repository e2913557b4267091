//! What only a real process shows: locale, width, descriptors, and when bytes arrive.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The example of that name, which `cargo test` builds beside the tests.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("this test");
    let directory = test.ancestors().nth(2).expect("the directory of the profile").join("examples");
    let file: PathBuf = directory.join(name);
    if !file.exists() {
        // Of a single test it builds nothing else.
        let arguments = ["build", "--features", "testing", "--example", name];
        let built = Command::new(env!("CARGO")).args(arguments).status();
        assert!(built.is_ok_and(|status| status.success()), "{name} is built");
    }
    let mut command = Command::new(file);
    command.stdin(Stdio::null()).env_remove("CI").env_remove("NO_COLOR");
    command
}

/// Runs it to its end: the document, and what stood on stderr.
#[track_caller]
fn run(command: &mut Command) -> (Value, String) {
    let output = command.output().expect("it starts");
    let document = serde_json::from_slice(&output.stdout);
    (document.expect("one document"), String::from_utf8_lossy(&output.stderr).into_owned())
}

// proves: F-005, F-056
#[test]
fn neither_language_nor_width_changes_an_answer() {
    for words in [&["page", "--limit", "3"][..], &["--help"], &["page", "--help"], &["nonsense"]] {
        let answer = |variables: &[(&str, &str)]| {
            let variables = variables.iter().copied();
            let (mut document, _) = run(example("misbehave").args(words).envs(variables));
            [document["data"].take(), document["error"].take()]
        };
        let usual = answer(&[("LC_ALL", "C")]);
        for locale in ["de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"] {
            assert_eq!(answer(&[("LC_ALL", locale), ("LANG", locale)]), usual, "{words:?}");
        }
        for columns in ["20", "40", "400", "none"] {
            assert_eq!(answer(&[("COLUMNS", columns)]), usual, "{words:?} {columns}");
        }
    }
}

// proves: F-076
#[test]
fn the_first_call_is_like_any_other() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("first-call");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory");
    let answer = || {
        let mut command = example("misbehave");
        command.args(["page", "--limit", "3"]).env("HOME", &directory).env("TMPDIR", &directory);
        let (mut document, stderr) = run(command.current_dir(&directory));
        (document["data"].take(), document["warnings"].take(), stderr)
    };
    assert_eq!(answer(), answer());
    assert_eq!(
        std::fs::read_dir(&directory).expect("a directory").count(),
        0,
        "nothing is left behind"
    );
}

#[test]
fn an_asynchronous_handler_answers_fails_and_panics_like_any_other() {
    let (document, _) = run(example("demand").args(["words", "--", "a"]));
    assert_eq!(document["data"]["lines"], serde_json::json!(["a"]));
    let (document, stderr) = run(example("demand").arg("panic"));
    assert_eq!(document["error"]["code"], "PANICKED");
    let message = document["error"]["message"].as_str().expect("a message");
    assert!(message.starts_with("demand panicked: a bug after a pause at "), "{message}");
    assert!(stderr.contains("panicked at"), "the hook of the library spoke: {stderr}");
    let (document, _) = run(example("demand").args(["words", "--nope"]));
    assert_eq!(document["error"]["code"], "UNKNOWN_ARGUMENT");
}

// proves: F-044, F-062
#[test]
fn what_a_shell_would_obey_reaches_a_child_as_it_is() {
    let odd = ["$(touch obeyed)", "a b", "*", "; touch obeyed", "`touch obeyed`", "'", "\"", "| x"];
    let (document, _) = run(example("demand").args(["words", "--"]).args(odd));
    let lines: Vec<&str> = document["data"]["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(lines, odd);
}

/// Whatever this test has open it hands on, and the child has one descriptor for the directory it
/// reads.
// proves: F-071
#[cfg(target_os = "linux")]
#[test]
fn a_child_inherits_no_descriptor_of_the_boundary() {
    let seen = |document: &Value| -> Vec<String> {
        let lines = document["data"]["lines"].as_array().expect("lines").clone();
        lines.iter().filter_map(|line| line.as_str().map(str::to_owned)).collect()
    };
    let without = Command::new("ls").arg("/proc/self/fd").output().expect("it starts");
    let without = String::from_utf8(without.stdout).expect("UTF-8").lines().count();
    let (document, _) = run(example("demand").arg("descriptors"));
    assert_eq!(seen(&document).len(), without, "{document}");
}

// proves: F-038
#[test]
fn progress_is_for_terminals() {
    for mode in ["json", "plain", "rich"] {
        let mut command = example("misbehave");
        let output = command.args(["progress", "busy", "--output", mode]).output();
        assert_eq!(output.expect("it starts").stderr, b"", "{mode}");
    }
}

/// The stream never ends, so what is read was written before its end.
// proves: F-053, O-004, O-038
#[test]
fn items_and_signs_of_life_arrive_as_they_are_made() {
    let mut command = example("misbehave");
    command.args(["stream-on", "--output", "jsonl", "--heartbeat", "1ms"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut wanted = vec!["item", "progress", "heartbeat"];
    for line in lines {
        let frame: Value = serde_json::from_str(&line.expect("a line")).expect("a frame");
        wanted.retain(|kind| frame["frame"] != **kind);
        if wanted.is_empty() {
            break;
        }
    }
    // The reader is gone, and that ends it.
    assert!(child.wait().expect("it ends").success());
    assert!(wanted.is_empty(), "{wanted:?}");
}
