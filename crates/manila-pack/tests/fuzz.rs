//! The laws of `fuzz/pack/` on stable, bounded: mutated lines, runs and packs, always the same.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken law must be told with the bytes that break it"
)]

#[path = "../../../fuzz/pack/laws.rs"]
#[allow(unreachable_pub, reason = "for libFuzzer it is a module of its own")]
mod laws;

use std::panic::catch_unwind;
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
    let rounds = std::env::var("MANILA_FUZZ_ROUNDS").map_or(ROUNDS, |rounds| {
        rounds.parse().unwrap_or_else(|_| panic!("MANILA_FUZZ_ROUNDS={rounds} is not a number"))
    });
    for round in 0..rounds {
        let mut random = Random::new(round);
        let mut input = random.one_of(seeds).clone();
        for _ in 0..random.below(5) {
            mutate(&mut input, seeds, &mut random);
        }
        let holds = catch_unwind(|| law(&input)).is_ok();
        assert!(holds, "round {round} breaks a law: b\"{}\"", input.escape_ascii());
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

/// Numbers that look drawn by lot and are the same for the same seed: xorshift64*.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap_or_default()
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    fn one_of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}
