//! Owns: the proof that generated tests fail when a generated rule is changed, in every language.
#![expect(
    clippy::expect_used,
    clippy::disallowed_macros,
    reason = "a test may stop and may say why"
)]

mod change;
mod grammar;
mod run;
#[path = "../support/mod.rs"]
mod support;
mod weave;

use change::{Change, changes};
use grammar::grammar;
use manila::dialects::WRITTEN;
use manila_generate::Side;
use run::{Bench, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use support::manifest;

/// A number for a text, the same in every run.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Changes that make no difference, by parts of the place and of the changed line.
const SAME: &[(&str, &str)] = &[
    // The class of a success is that of its number, whatever is asked about the number then.
    ("class", "exit_code < 1"),
    ("class", "exit_code <= 0"),
    ("class", "exitCode < 1"),
    ("class", "exitCode <= 0"),
    ("class", "ExitCode < 1"),
    ("class", "ExitCode <= 0"),
];

/// Of how many changes one is tried: `MANILA_MUTATIONS` says it, and 1 is all of them.
fn one_in(usual: u64) -> u64 {
    let stated = std::env::var("MANILA_MUTATIONS").ok();
    stated.map_or(usual, |it| if it == "all" { 1 } else { it.parse().expect("a number") })
}

/// Changes the rules of one side, one at a time. A rule that one dialect does not use is noticed in the tests
/// of one that does.
fn check(name: &'static str, side: Side, usual: u64) {
    let Some(bench) = Bench::new(name) else { return };
    let root = tempfile::tempdir().expect("a directory");
    let one_in = one_in(usual);
    let notes = manifest();
    let mut noticed: BTreeSet<String> = BTreeSet::new();
    let mut live: BTreeMap<String, &str> = BTreeMap::new();
    let mut invalid = 0;
    let others = WRITTEN.iter().map(|dialect| (*dialect, None));
    for (number, of) in [(WRITTEN[0], Some(&notes))].into_iter().chain(others).enumerate() {
        let place = bench.prepare(side, of, root.path().join(number.to_string()));
        let all = changes(&place.source, grammar(name));
        assert!(all.len() > 100, "{}", all.len());
        let tried: Vec<(&String, &Change)> = all
            .iter()
            .filter(|(key, _)| hash(key).is_multiple_of(one_in) && !noticed.contains(*key))
            .filter(|(key, _)| {
                !SAME.iter().any(|(place, part)| {
                    let (block, change) = key.split_once(" | ").unwrap_or_default();
                    block.contains(place) && change.contains(part)
                })
            })
            .collect();
        if tried.is_empty() {
            continue;
        }
        let changes: Vec<&Change> = tried.iter().map(|(_, change)| *change).collect();
        for ((key, _), verdict) in tried.iter().zip(place.judge(&changes)) {
            match verdict {
                Verdict::Survived => {
                    live.insert((*key).clone(), of.0.id());
                    continue;
                }
                Verdict::Invalid => invalid += 1,
                Verdict::Noticed => {}
            }
            live.remove(*key);
            noticed.insert((*key).clone());
        }
    }
    let tried = noticed.len() + live.len();
    println!("{name} {side:?}: {tried} changes, {invalid} do not compile, {} live", live.len());
    assert!(noticed.len() > invalid, "nothing was tried");
    let lines: Vec<String> = live.iter().map(|(key, id)| format!("{id}: {key}")).collect();
    assert!(lines.is_empty(), "no test noticed:\n{}", lines.join("\n"));
}

#[test]
fn python_producer() {
    check("python", Side::Producer, 24);
}

#[test]
fn python_caller() {
    check("python", Side::Caller, 24);
}

#[test]
fn typescript_producer() {
    check("typescript", Side::Producer, 24);
}

#[test]
fn typescript_caller() {
    check("typescript", Side::Caller, 24);
}

#[test]
fn go_producer() {
    check("go", Side::Producer, 24);
}

#[test]
fn go_caller() {
    check("go", Side::Caller, 24);
}

#[test]
fn rust_producer() {
    check("rust", Side::Producer, 24);
}

#[test]
fn rust_caller() {
    check("rust", Side::Caller, 24);
}
