//! The laws of `fuzz/pack/` on stable, bounded: mutated lines, runs and packs, always the same.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a test reads its own files, and stops where they are missing"
)]

#[path = "../../../fuzz/pack/laws.rs"]
#[allow(unreachable_pub, reason = "for libFuzzer it is a module of its own")]
mod laws;

use showcase_test_support::{Random, assert_law, rounds};
use std::path::Path;

/// Rounds per law unless `MANILA_FUZZ_ROUNDS` says otherwise: a few seconds in a debug build.
const ROUNDS: u64 = 150;

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "git ", "log ", "push ", "rm ", "ls ", "sh -c '", "'", "\"", "\\", "\n", ";", "&&", "||", "|", "&", ">", ">>",
    "2>&1", "> /dev/null", "<", "<<", "$", "`", "(", ")", "{", "}", "{}", "*", "?", "[", "]", "#", "!", "~/", "A=1 ",
    "env ", "sudo ", "xargs ", "find . -exec ", " \\;", " + ", "--", "-", "--output=x", "-i", "sed ", "timeout 5 ",
    "fatal: ", "error: ", "rate limit", "429", "HTTP 503 ", "retry after 5h", "\u{1b}[31m", "\r", "\0", "\u{fffd}", "é",
    "{\"error\":{\"code\":429}}", "[[effect]]\n", "[[error]]\n", "line = [\"a*{x}\"]\n", "class = \"HTTP\"\n", "effect = \"none\"\n",
    "name = ", "status = [1]\n", "ghp_", "token=", "://a:b@",
];

#[test]
fn the_laws_of_lines_hold() {
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for name in ["git.tsv", "coreutils.tsv"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/effects").join(name);
        let text = std::fs::read_to_string(file).expect("labelled calls");
        let calls = text.lines().filter_map(|line| line.split_once('\t'));
        seeds.extend(calls.map(|(_, call)| call.as_bytes().to_vec()));
    }
    hold(laws::line, &seeds);
}

#[test]
fn the_laws_of_runs_hold() {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("packs/git/runs");
    let mut seeds = Vec::new();
    for (number, entry) in std::fs::read_dir(runs).expect("recorded runs").enumerate() {
        let run = entry.expect("a run").path();
        let stream = |name: &str| std::fs::read(run.join(name)).expect("a stream");
        let head = [u8::try_from(number % 8).unwrap_or_default(), 1];
        seeds.push([&head[..], &stream("stdout"), b"\0", &stream("stderr")].concat());
    }
    assert!(seeds.len() > 100, "{} runs", seeds.len());
    hold(laws::run, &seeds);
}

#[test]
fn the_laws_of_packs_hold() {
    let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("packs");
    let read = |name: &str| std::fs::read(packs.join(name).join("pack.toml")).expect("a pack");
    let text = "name = 'x'\n[[effect]]\ncommand = ['a b']\neffect = 'none'\n[[error]]\n\
                line = ['x: {message}']\nclass = 'NOT_FOUND'\n[cause]\nline = ['x']\n";
    hold(laws::pack, &[read("find"), text.as_bytes().to_vec(), text.as_bytes().to_vec()]);
}

/// Runs a law on some seeds, and then on mutated ones.
fn hold(law: fn(&[u8]), seeds: &[Vec<u8>]) {
    for round in 0..rounds(ROUNDS) {
        let mut random = Random::new(round);
        let mut input = random.one_of(seeds).clone();
        for _ in 0..random.below(5) {
            mutate(&mut input, seeds, &mut random);
        }
        assert_law(law, &input, &format!("round {round}"));
    }
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(6) {
        0 => drop(bytes.drain(at..(at + random.below(8)).min(bytes.len()))),
        1 => {
            let other = random.one_of(seeds);
            bytes.splice(at.., other[random.below(other.len() + 1)..].iter().copied());
        }
        2 => drop(bytes.splice(at..at, [random.byte()])),
        _ => drop(bytes.splice(at..at, random.one_of(TOKENS).bytes())),
    }
}
