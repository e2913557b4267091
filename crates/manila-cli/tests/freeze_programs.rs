//! Owns: what was frozen verifies three times in a row, for our own programs and for real ones.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use std::path::{Path, PathBuf};
use support::{empty_dir, manila, skipped};

/// Freezes a program and verifies it three times.
fn holds(name: &str, program: &str) {
    let dir = empty_dir(&format!("holds-{name}"));
    let run = |words: &[&str]| {
        let mut call = manila(words);
        call.0.current_dir(&dir);
        call.run()
    };
    let frozen = run(&["freeze", "--deadline", "10m", "--", program]);
    assert_eq!(frozen.code(), 0, "{name}: {}", frozen.err());
    for round in 0..3 {
        let ran = run(&["verify", "--deadline", "10m", "--", program]);
        assert_eq!(ran.code(), 0, "{name}, round {round}: {}{}", ran.out(), ran.err());
    }
}

/// A program of the workspace, if it was built.
fn built(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_BIN_EXE_manila")).with_file_name(name);
    path.is_file().then_some(path)
}

fn showcase(name: &str) {
    match built(name) {
        Some(path) => holds(name, path.to_str().expect("UTF-8")),
        None => skipped(&format!("{name} is not built")),
    }
}

#[test]
fn td_is_as_it_was_frozen() {
    showcase("showcase-td");
}

#[test]
fn claw_is_as_it_was_frozen() {
    showcase("showcase-claw");
}

#[test]
fn animus_is_as_it_was_frozen() {
    showcase("showcase-animus");
}

#[test]
fn i18nprune_is_as_it_was_frozen() {
    showcase("showcase-i18nprune");
}

#[test]
fn manila_is_as_it_was_frozen() {
    holds("manila", env!("CARGO_BIN_EXE_manila"));
}

#[test]
fn real_programs_are_as_they_were_frozen() {
    let Some(names) = std::env::var_os("MANILA_REAL_PROGRAMS") else {
        return skipped("MANILA_REAL_PROGRAMS names no programs, such as \"git jq ruff\"");
    };
    for name in names.to_string_lossy().split_whitespace() {
        holds(&name.replace('/', "-"), name);
    }
}
