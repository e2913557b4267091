//! A dialect that is only a table is the same dialect when it comes from a file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "tests read recorded runs")]

#[path = "../../../fuzz/dialect/laws.rs"]
#[allow(unreachable_pub, reason = "for libFuzzer it is a crate of its own")]
mod laws;

use manila::dialect_file::{load, save};
use manila::json::Limits;
use manila::{DIALECTS, Defaults, Dialect, Options, Transcript, convert, open};
use manila_log::Reference;
use std::fs;
use std::path::Path;

/// The recorded runs of the core, which every dialect is among.
fn runs() -> Vec<Transcript> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../manila/tests");
    let mut runs = Vec::new();
    let mut pending = vec![tests.join("seeds"), tests.join("recorded")];
    while let Some(dir) = pending.pop() {
        let read = |name: &str| fs::read(dir.join(name)).unwrap_or_default();
        if dir.join("run.json").is_file() {
            let run = Transcript::from_recorded(&read("run.json"), read("stdout"), read("stderr"));
            runs.push(run.unwrap());
        }
        let entries = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
        pending.extend(entries.filter(|path| path.is_dir()));
    }
    assert!(runs.len() > 80, "only {} runs", runs.len());
    runs
}

/// The built-in dialects that need no code, each with itself from a file.
fn pairs() -> Vec<(&'static dyn Dialect, &'static dyn Dialect)> {
    let tables = DIALECTS.iter().copied().filter(|dialect| dialect.is_only_a_table());
    let pairs: Vec<_> =
        tables.map(|built_in| (built_in, load(&save(built_in.table())).unwrap())).collect();
    assert!(pairs.len() >= 3);
    pairs
}

#[test]
fn a_dialect_from_a_file_opens_writes_and_describes_as_the_built_in_one() {
    let runs = runs();
    for (built_in, loaded) in pairs() {
        assert_eq!(built_in.table().json_schema(), loaded.table().json_schema());
        for run in &runs {
            let opened = |dialect| {
                let options = Options { dialect: Some(dialect), ..Options::default() };
                open(run, &options).map(|opened| serde_json::to_value(&opened).unwrap())
            };
            assert_eq!(opened(built_in), opened(loaded), "{built_in:?}");
            let Ok(any) = open(run, &Options::default()) else { continue };
            let written = |dialect| convert(&any.envelope, dialect, &Defaults::default());
            assert_eq!(written(built_in), written(loaded), "{built_in:?}");
        }
    }
}

#[test]
fn a_dialect_from_a_file_is_judged_as_the_built_in_one() {
    let runs = runs();
    for (built_in, loaded) in pairs() {
        for run in &runs {
            for record in [run.stdout.trim_ascii(), run.stderr.trim_ascii()] {
                let judged = |dialect| {
                    let mut judge = Reference::new(Limits::default()).with_dialect(dialect);
                    judge.judge(record).broken().to_vec()
                };
                assert_eq!(judged(built_in), judged(loaded), "{built_in:?}");
            }
        }
    }
}

#[test]
fn the_laws_of_dialect_files_hold() {
    // The same numbers each time: nothing here needs to be random.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).unwrap()
    };
    let pieces =
        ["=", "\"", "[", "]", "[[key]]\n", "path = \"a.b.c\"\n", "\n", "é", "0", "-1", "true"];
    for dialect in DIALECTS {
        let good = save(dialect.table()).into_bytes();
        for _ in 0..100 {
            let mut bytes = good.clone();
            for _ in 0..=next(3) {
                let at = next(bytes.len());
                match next(3) {
                    0 => drop(bytes.drain(at..bytes.len().min(at + 1 + next(40)))),
                    1 => drop(bytes.splice(at..at, pieces[next(pieces.len())].bytes())),
                    _ => bytes[at] = b"abz09\"'=.[]{}\n"[next(14)],
                }
            }
            laws::file(&bytes);
        }
    }
}
