//! Owns: the proof that generated tests fail when a generated rule is changed.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::dialect;
use manila_generate::Side;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use support::{language, python_with, write_files};

/// Which mutants are tried without `MANILA_MUTATIONS=all`: one in so many.
const ONE_IN: usize = 12;

/// Conditions and comparisons that are turned around, one at a time.
const TURNS: &[(&str, &str)] = &[
    (" == ", " != "),
    (" is not ", " is "),
    (" is None", " is not None"),
    (" < ", " >= "),
    (" > ", " <= "),
    ("    if ", "    if not "),
    (" and ", " or "),
];

/// The source with one change each, and which.
fn mutants(source: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = source.lines().collect();
    let mut in_text = false;
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        in_text ^= line.matches("\"\"\"").count() == 1;
        let is_code = !in_text && !line.trim_start().starts_with(['#', '"']);
        for (from, to) in TURNS.iter().filter(|_| is_code && line.starts_with("    ")) {
            // What already says the opposite is turned by another line of the table.
            if *from == " is None" && line.contains(" is not None") {
                continue;
            }
            if *from == "    if " && line.contains(" else ") {
                continue;
            }
            if line.contains(from) {
                let changed = line.replacen(from, to, 1);
                let mut all: Vec<&str> = lines.clone();
                all[number] = &changed;
                let text = all.iter().map(|line| format!("{line}\n")).collect();
                found.push((format!("line {}: {}", number + 1, changed.trim()), text));
            }
        }
    }
    found
}

fn check(side: Side, name: &str, allowed: &[&str]) {
    let Some(python) = python_with("pytest") else { return };
    let place = tempfile::tempdir().expect("a directory");
    let spoken = dialect("response-envelope/1.0").expect("a dialect");
    write_files(language("python"), side, spoken, None, place.path());
    let source = fs::read_to_string(place.path().join(name)).expect("a file");
    let every = std::env::var_os("MANILA_MUTATIONS").is_some_and(|it| it == "all");
    let step = if every { 1 } else { ONE_IN };
    let mutants = mutants(&source);
    assert!(mutants.len() > 30, "{}", mutants.len());
    let mut survivors = Vec::new();
    for (what, text) in mutants.iter().step_by(step) {
        fs::write(place.path().join(name), text).expect("writes");
        if passes(&python, place.path()) && !allowed.iter().any(|it| what.contains(it)) {
            survivors.push(what.as_str());
        }
    }
    assert!(survivors.is_empty(), "no test noticed:\n{}", survivors.join("\n"));
}

fn passes(python: &Path, place: &Path) -> bool {
    let mut command = Command::new(python);
    command.args(["-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]).arg(place);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("it starts").success()
}

#[test]
fn a_change_of_any_rule_of_a_producer_is_noticed() {
    // Messages for people, and what happens when the answer has no reader.
    check(Side::Producer, "envelope.py", &["path or", "BrokenPipe", "f\"{path}.{name}\""]);
}

#[test]
fn a_change_of_any_rule_of_a_caller_is_noticed() {
    check(Side::Caller, "client.py", &["path or", "f\"{path}.{name}\""]);
}
