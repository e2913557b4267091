//! Owns: a program that cannot be started is distinguished from one that failed, with the true
//! reason.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::{Exit, Phase};
use manila_run::{Invocation, Outcome, Policy};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::{acting, code, only, settled};

/// A file with this content and these permissions. It is written by another process: one that is
/// started meanwhile would hold a copy of our descriptor, and nothing can run what is being written.
fn file(dir: &Path, content: &str, mode: &str) -> PathBuf {
    let path = dir.join("program");
    let script = "printf %s \"$1\" >\"$2\" && chmod \"$3\" \"$2\"";
    let status = Command::new("sh")
        .args(["-c", script, "sh", content, path.to_str().unwrap(), mode])
        .stdin(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    path
}

/// What comes of a program that never execution.
#[track_caller]
fn refused(call: &Invocation) -> Outcome {
    let outcome = settled(call, &Policy { idempotent: true, ..Policy::default() });
    assert!(only(&outcome).usage.is_none(), "it was started: {outcome:?}");
    assert_eq!(outcome.envelope.status(), None);
    let error = outcome.envelope.error().unwrap();
    assert_eq!((error.phase, error.retryable), (Some(Phase::Validation), Some(false)));
    assert!(error.suggestion.is_some());
    outcome
}

#[track_caller]
fn assert_refused(call: &Invocation, expected: &str, exit: Exit, named: &str) {
    let outcome = refused(call);
    assert_eq!((code(&outcome), outcome.envelope.exit()), (expected, exit));
    let message = &outcome.envelope.error().unwrap().message;
    assert!(message.contains(named), "{message}");
}

#[test]
fn no_such_program() {
    let name = "no-such-program-anywhere";
    assert_refused(&Invocation::new(name), "NO_SUCH_PROGRAM", Exit::NotFound, name);
    assert_refused(&Invocation::new("/no/such"), "NO_SUCH_PROGRAM", Exit::NotFound, "/no/such");
    assert_refused(&Invocation::new(""), "NO_SUCH_PROGRAM", Exit::NotFound, "\"\"");
}

#[test]
fn not_executable() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), "#!/bin/sh\n", "644");
    let name = path.to_str().unwrap();
    assert_refused(&Invocation::new(&path), "NOT_EXECUTABLE", Exit::PermissionDenied, name);
    let place = dir.path();
    let name = place.to_str().unwrap();
    assert_refused(&Invocation::new(place), "NOT_EXECUTABLE", Exit::PermissionDenied, name);
}

#[test]
fn a_missing_interpreter() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), "#!/no/such/interpreter -x\n", "755");
    let call = Invocation::new(path);
    assert_refused(&call, "NO_INTERPRETER", Exit::Precondition, "/no/such/interpreter not found");
}

#[test]
fn what_is_no_program_is_not_handed_to_a_shell() {
    let dir = tempfile::tempdir().unwrap();
    let trace = dir.path().join("trace");
    let path = file(dir.path(), &format!("touch {}\n", trace.display()), "755");
    let name = path.to_str().unwrap().to_owned();
    assert_refused(&Invocation::new(path), "NOT_A_PROGRAM", Exit::Precondition, &name);
    assert!(!trace.exists());
}

#[test]
fn an_empty_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), "", "755");
    assert_refused(&Invocation::new(path), "NOT_A_PROGRAM", Exit::Precondition, "program");
}

#[test]
fn a_program_of_another_machine() {
    // A machine that no tests run on: LoongArch, with the wrong byte order.
    let pad = "\u{1}".repeat(9);
    let head = format!("\u{7f}ELF\u{2}\u{2}\u{1}{pad}\u{1}\u{2}\u{1}\u{2}");
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), &head, "755");
    let call = Invocation::new(path);
    assert_refused(&call, "NOT_A_PROGRAM", Exit::Precondition, "is built for loongarch, and this");
    let path = file(dir.path(), "MZ\u{1}", "755");
    let call = Invocation::new(path);
    assert_refused(&call, "NOT_A_PROGRAM", Exit::Precondition, "is built for Windows, and this is");
}

#[test]
fn no_such_directory() {
    let call = acting(&[]).directory("/no/such/directory");
    assert_refused(&call, "NO_SUCH_DIRECTORY", Exit::Precondition, "/no/such/directory");
}

#[test]
fn a_directory_that_is_a_file() {
    let call = acting(&[]).directory("/dev/null");
    assert_refused(&call, "NO_SUCH_DIRECTORY", Exit::Precondition, "/dev/null");
}

#[test]
fn more_arguments_than_the_system_allows() {
    // One that is too long by itself, and too many of a length that is allowed.
    let one = acting(&[&"x".repeat(300_000)]);
    assert_refused(&one, "ARGUMENTS_TOO_LONG", Exit::ArgError, "actor");
    let many = Invocation::new(support::actor()).args(vec!["x".repeat(100_000); 100]);
    assert_refused(&many, "ARGUMENTS_TOO_LONG", Exit::ArgError, "actor");
}

#[test]
fn a_nul_in_an_argument() {
    assert_refused(&acting(&["a\0b"]), "INVALID_ARGUMENT", Exit::ArgError, "NUL");
    assert_refused(&Invocation::new("a\0b"), "INVALID_ARGUMENT", Exit::ArgError, "NUL");
}

#[test]
fn a_relative_program_is_searched_in_its_working_directory() {
    let dir = tempfile::tempdir().unwrap();
    file(dir.path(), "#!/no/such/interpreter\n", "755");
    let call = Invocation::new("./program").directory(dir.path());
    assert_refused(&call, "NO_INTERPRETER", Exit::Precondition, "/no/such/interpreter");
}

#[test]
fn a_bare_name_is_never_searched_in_the_working_directory() {
    let dir = tempfile::tempdir().unwrap();
    file(dir.path(), "#!/bin/sh\n", "755");
    let call = Invocation::new("program").directory(dir.path());
    assert_refused(&call, "NO_SUCH_PROGRAM", Exit::NotFound, "program");
}
