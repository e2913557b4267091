//! Owns: what completion offers in real shells. A shell that is not installed is SKIPPED.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use support::{skipped, words};

/// Lines that end in a word that is begun, and what has to be among the words that it can become.
const CASES: &[(&str, &str)] = &[
    ("manila che", "check"),
    ("manila packs rec", "record"),
    ("manila verify --bl", "--bless"),
    ("manila check --color al", "always"),
    ("manila explain failure-with-e", "failure-with-exit-zero"),
    ("manila packs show gi", "git"),
    ("manila dialects show claw/2", "claw/2.0"),
    ("manila completions fi", "fish"),
    ("manila open --dialect claw/2", "claw/2.0"),
    ("manila run -- zz-sho", "zz-shown-program"),
    ("manila mcp -- zz-sho", "zz-shown-program"),
    ("manila check --timeout 5s -- zz-sho", "zz-shown-program"),
    ("manila verify -- zz-sho", "zz-shown-program"),
    ("manila packs record tool --case x -- zz-sho", "zz-shown-program"),
    ("manila check --config shown", "shown.json"),
    ("manila scan shown", "shown.json"),
];

/// Compares what a shell offers, which runs a file of `completions/` in a directory with the script for it.
fn compare(shell: &str, arguments: &[&str]) {
    if Command::new(shell).args(["-c", "true"]).output().is_err() {
        return skipped(&format!("{shell} is not installed"));
    }
    let directory = tempfile::tempdir().expect("a directory");
    let here = directory.path();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/completions");
    for entry in fs::read_dir(sources).expect("the scripts") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), here.join(entry.file_name())).expect("a copy");
    }
    fs::write(here.join("shown.json"), "{}").expect("a file");
    fs::create_dir(here.join("bin")).expect("a directory");
    let program = here.join("bin/zz-shown-program");
    fs::write(&program, "#!/bin/sh\n").expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    let script = words(&format!("completions {shell}")).run();
    assert_eq!(script.code(), 0, "{shell}");
    fs::write(here.join("script"), script.out()).expect("the script");
    let lines: Vec<&str> = CASES.iter().map(|(line, _)| *line).collect();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(shell)
        .args(arguments)
        .arg(format!("offered.{shell}"))
        .current_dir(here)
        .env("LINES_TO_COMPLETE", lines.join("\n"))
        .env("PATH", format!("{}:{path}", here.join("bin").display()))
        .env("HOME", here)
        .env("TERM", "xterm")
        .output()
        .expect("the shell");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{shell}: {errors}");
    let mut offered = text.split("> manila ").skip(1);
    for (line, expected) in CASES {
        let of_line = offered.next().expect("a part for each line");
        let (own, words) = of_line.split_once('\n').expect("the line itself");
        assert_eq!(format!("manila {own}"), *line, "{shell}");
        let is_offered =
            words.lines().any(|word| word.trim_start_matches("> ").trim() == *expected);
        assert!(is_offered, "{shell}: {line}\n{words}");
    }
}

#[test]
fn bash_offers_commands_values_programs_and_files() {
    compare("bash", &["--norc", "--noprofile"]);
}

#[test]
fn zsh_offers_commands_values_programs_and_files() {
    compare("zsh", &["-f"]);
}

#[test]
fn fish_offers_commands_values_programs_and_files() {
    compare("fish", &["--no-config"]);
}
