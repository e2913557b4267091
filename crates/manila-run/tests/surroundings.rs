//! Owns: a program gets the arguments, the input, the environment and the directory that the caller
//! chose, and nothing else of ours.

mod support;

use manila_run::{Input, Policy};
use std::fs;
use std::process::Command;
use support::{SUCCESS, acting, code, only, outcome, settled, stdout_text};

#[test]
fn arguments_arrive_as_they_are_and_no_shell_sees_them() {
    let odd = ["$HOME `id` $(id); rm * ~ | & 'x' \"y\"", "", "a\nb", "é ☃", "-", "--", "=x"];
    let call = acting(&["print-args ; exit 0"]).args(odd);
    let outcome = settled(&call, &Policy::default());
    assert_eq!(stdout_text(&outcome), format!("print-args ; exit 0\n{}\n", odd.join("\n")));
}

#[test]
fn nothing_is_read_unless_the_caller_says_so() {
    assert_eq!(stdout_text(&outcome(&["read-stdin", "out end"])), "end\n");
}

#[test]
fn a_file_is_read_from_its_beginning_in_every_attempt() {
    let dir = tempfile::tempdir().unwrap();
    let (input, state) = (dir.path().join("input"), dir.path().join("state"));
    fs::write(&input, SUCCESS.strip_prefix("out ").unwrap()).unwrap();
    let limited = "read-stdin ; exit 11";
    let state = format!("state {}", state.display());
    let call = acting(&[&state, limited, "read-stdin"]).stdin(Input::File(input));
    let policy = Policy { idempotent: true, retries: 0, ..Policy::default() };
    let first = settled(&call, &policy);
    assert!(!first.envelope.ok());
    let second = settled(&call, &policy);
    assert!(second.envelope.ok(), "{second:?}");
    let bytes = |outcome: &manila_run::Outcome| only(outcome).usage.as_ref().unwrap().stdout_bytes;
    assert_eq!(bytes(&first), bytes(&second));
}

#[test]
fn an_input_that_is_not_there_is_an_error_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let trace = dir.path().join("trace");
    let call = acting(&[&format!("append {}", trace.display())]);
    let outcome = settled(&call.stdin(Input::File("/no/such/input".into())), &Policy::default());
    assert_eq!(code(&outcome), "INPUT_UNREADABLE");
    assert!(outcome.envelope.error().unwrap().message.contains("/no/such/input"));
    assert!(!trace.exists());
}

#[test]
fn with_our_own_input_there_is_one_attempt_only() {
    let limited = r#"out {"ok":false,"data":null,"error":{"code":"BUSY","message":"busy","retryable":true,"retry_after":0},"warnings":[],"meta":{}}"#;
    let call = acting(&[limited, "exit 11"]);
    let policy = Policy { retries: 1, ..Policy::default() };
    assert_eq!(settled(&call, &policy).trace.steps.len(), 2);
    let once = settled(&call.stdin(Input::Ours), &policy);
    assert_eq!((once.trace.steps.len(), code(&once)), (1, "BUSY"));
    let warnings = &once.envelope.content().warnings;
    assert!(warnings.iter().any(|it| it.text().contains("read only once")), "{warnings:?}");
}

#[test]
fn a_non_interactive_environment_keeps_it_from_asking_and_colouring() {
    let asked = "print-env NO_COLOR PAGER EDITOR GIT_TERMINAL_PROMPT TERM CLICOLOR_FORCE HUE";
    let loud = acting(&[asked]).variable("HUE", "red");
    let non_interactive =
        stdout_text(&settled(&loud.clone().non_interactive(), &Policy::default()));
    let lines: Vec<&str> = non_interactive.lines().collect();
    assert_eq!(
        lines,
        [
            "NO_COLOR=1",
            "PAGER=cat",
            "EDITOR=false",
            "GIT_TERMINAL_PROMPT=0",
            "TERM=dumb",
            "CLICOLOR_FORCE is not set",
            "HUE=red"
        ]
    );
    // What the caller names is the last word.
    let own = stdout_text(&settled(
        &loud.non_interactive().variable("PAGER", "less"),
        &Policy::default(),
    ));
    assert!(own.contains("PAGER=less\n"), "{own}");
}

#[test]
fn otherwise_the_environment_is_ours() {
    let path = std::env::var("PATH").unwrap();
    assert_eq!(stdout_text(&outcome(&["print-env PATH"])), format!("PATH={path}\n"));
}

#[test]
fn it_has_its_three_streams_and_no_descriptor_of_ours() {
    let _open = tempfile::tempfile().unwrap();
    // Our parent may have left some open for all.
    let plain = Command::new(support::actor()).arg("print-fds").output().unwrap();
    assert_eq!(stdout_text(&outcome(&["print-fds"])).as_bytes(), plain.stdout);
}

#[test]
fn it_runs_where_the_caller_says() {
    let dir = tempfile::tempdir().unwrap();
    let call = acting(&["print-dir"]).directory(dir.path());
    let place = fs::canonicalize(dir.path()).unwrap();
    assert_eq!(stdout_text(&settled(&call, &Policy::default())), format!("{}\n", place.display()));
}

#[test]
fn a_megabyte_of_arguments_is_no_matter() {
    let long = "x".repeat(100_000);
    let call = acting(&["print-args ; exit 0"]).args(vec![long; 10]);
    let outcome = settled(&call, &Policy::default());
    let written = only(&outcome).usage.as_ref().unwrap().stdout_bytes;
    assert_eq!(written, 10 * 100_001 + 20);
    assert_eq!(only(&outcome).argv.len(), 12);
}
