//! What an answer does not depend on, and what it does: terminals, variables, children.

use crate::program::{answer, call, call_in, document};
use manila_clap::testing::{Called, Surroundings};
use serde_json::Value;
use std::path::Path;

/// On terminals, with a user.
fn present() -> Surroundings {
    let watched = Surroundings::watched();
    Surroundings { terminals: [true; 3], ..watched }
}

fn is_document(called: &Called) -> bool {
    serde_json::from_slice::<Value>(&called.stdout).is_ok()
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

// proves: F-003
#[test]
fn a_pipe_and_a_machine_get_a_document_without_asking() {
    assert!(is_document(&call("say hello")));
    assert!(!is_document(&call_in(present(), words("say hello"))));
    for variable in ["CI", "GITHUB_ACTIONS", "JENKINS_URL"] {
        let called = call_in(present().variable(variable, "1"), words("say hello"));
        assert!(is_document(&called), "{variable}");
    }
    for unset in ["", "0", "false"] {
        assert!(!is_document(&call_in(present().variable("CI", unset), words("say hello"))));
    }
    // It declines colour and nothing else.
    let plain = call_in(present().variable("NO_COLOR", "1"), words("say hello"));
    assert!(!is_document(&plain) && !plain.stdout.contains(&0x1b));
}

// proves: F-009, F-055, F-057, C-005, C-023, C-024
#[test]
fn without_a_terminal_nothing_is_asked_and_the_failure_names_the_flag() {
    let calls = [("ask", "--which"), ("edit", "--text"), ("look", "--token")];
    for (command, flag) in calls {
        for surroundings in [
            Surroundings::default(),
            Surroundings::default().variable("EDITOR", "false").variable("BROWSER", "false"),
            present().variable("CI", "1"),
        ] {
            let called = call_in(surroundings, [command, "--json"]);
            let error = document(&called)["error"].take();
            assert_eq!((called.status, &error["code"]), (4, &"INPUT_REQUIRED".into()), "{error}");
            assert_eq!(error["suggestion"], format!("pass {flag}"));
        }
        for declined in ["--no-input", "--non-interactive"] {
            assert_eq!(call_in(present(), [command, declined]).status, 4, "{command} {declined}");
        }
    }
    let look = answer("look")["error"].take();
    assert!(look["message"].as_str().is_some_and(|it| it.contains("https://example.org/login")));
}

/// The editor copies the file, with its mode, to where the test can look.
// proves: F-043
#[cfg(target_os = "linux")]
#[test]
fn a_text_to_be_edited_is_in_a_file_for_its_owner_alone_and_then_gone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edited");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory");
    let editor = format!("cp -p -t '{}'", directory.display());
    let called = call_in(present().variable("EDITOR", editor), ["edit"]);
    assert_eq!(called.status, 0, "{called:?}");
    let copies: Vec<_> = std::fs::read_dir(&directory).expect("a directory").flatten().collect();
    let [copy] = copies.as_slice() else { panic!("{copies:?}") };
    assert_eq!(std::fs::read_to_string(copy.path()).expect("text"), "before");
    assert_eq!(copy.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    assert!(!std::env::temp_dir().join(copy.file_name()).exists());
}

// proves: F-008, F-010, F-024, F-025, F-046, F-050, F-066
#[cfg(unix)]
#[test]
fn a_child_behaves() {
    let surroundings = Surroundings::default().variable("KEEP_TRACE_ID", "trace-4711");
    let called = call_in(surroundings, ["child"]);
    let document = document(&called);
    assert_eq!(document["meta"]["trace_id"], "trace-4711");
    let environment = document["data"]["text"].as_str().expect("a text");
    for variable in [
        "NO_COLOR=1",
        "PAGER=cat",
        "GIT_PAGER=cat",
        "MANPAGER=cat",
        "LESS=-FRX",
        "LC_ALL=C",
        "GIT_TERMINAL_PROMPT=0",
        "NO_UPDATE_NOTIFIER=1",
        "TRACE_ID=trace-4711",
        "ENV_TRACE_ID=trace-4711",
    ] {
        assert!(environment.lines().any(|line| line == variable), "{variable}\n{environment}");
    }
}

// proves: F-073, O-042
#[test]
fn only_the_programs_own_variable_names_the_mode() {
    let with = |name: &str, value: &str| {
        call_in(Surroundings::default().variable(name, value), words("say hello"))
    };
    assert!(!is_document(&with("KEEP_OUTPUT", "plain")));
    assert_eq!(with("KEEP_OUTPUT", "nonsense").status, 2);
    for name in ["OUTPUT", "DEBUG", "TOKEN", "TRACE_ID", "TOOL_OUTPUT", "VERBOSE"] {
        let document = document(&with(name, "plain"));
        assert!(document["meta"]["trace_id"].is_null(), "{name}");
    }
    let flagged = Surroundings::default().variable("KEEP_OUTPUT", "plain");
    assert!(is_document(&call_in(flagged, words("say hello --json"))));
    let overruled = Surroundings::default().variable("KEEP_OUTPUT", "nonsense");
    assert_eq!(call_in(overruled, words("say hello --json")).status, 0);
}

// proves: F-052, F-073
#[test]
fn a_variable_limits_the_bytes_of_an_answer() {
    let long = "x".repeat(2000);
    let with = |name: &str| {
        let surroundings = Surroundings::default().variable(name, "1000");
        document(&call_in(surroundings, ["say", &long]))
    };
    let limited = with("KEEP_MAX_OUTPUT_BYTES");
    assert_eq!(limited["meta"]["truncated"], true, "{limited}");
    assert!(limited["meta"]["total_bytes"].as_u64().is_some_and(|bytes| bytes > 2000));
    for foreign in ["MAX_OUTPUT_BYTES", "TOOL_MAX_OUTPUT_BYTES"] {
        assert_eq!(with(foreign)["data"]["text"], long, "{foreign}");
    }
}

// proves: F-016
#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_refused_and_crash_nothing() {
    use std::os::unix::ffi::OsStringExt;
    let odd = || std::ffi::OsString::from_vec(vec![b'a', 0xff, b'b']);
    for words in
        [vec!["say".into(), odd()], vec![odd()], vec!["say".into(), "--what".into(), odd()]]
    {
        let called = call_in(Surroundings::default(), words);
        assert_eq!(called.assert_contract().status, 2);
    }
    let traced = Surroundings::default().variable("KEEP_TRACE_ID", odd());
    let document = document(&call_in(traced, words("say hello")));
    assert_eq!(document["meta"]["trace_id"], "a\u{fffd}b");
}

/// Every source file below a directory, with its text.
fn sources(directory: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(directory).expect("a directory").flatten();
    entries
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                return sources(&path);
            }
            let text = std::fs::read_to_string(&path).expect("text");
            vec![(path.display().to_string(), text)]
        })
        .collect()
}

// proves: F-029, F-041, F-044, F-077
#[test]
fn nothing_here_opens_a_connection_or_changes_the_directory_or_starts_a_shell() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 20);
    let unwanted = ["std::net", "TcpStream", "UdpSocket", "set_current_dir", "chdir", "\"sh\""];
    for (path, text) in &sources {
        for word in unwanted {
            assert!(!text.contains(word), "{word} in {path}");
        }
    }
}
