//! The laws of `fuzz/` on stable, bounded: mutated recordings and hostile inputs, always the same.
#![expect(clippy::panic, reason = "a broken law is reported with the bytes that break it")]

#[path = "../../../fuzz/src/lib.rs"]
#[expect(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "for libFuzzer it is a crate of its own"
)]
mod laws;
mod support;

use manila::{Status, Transcript};
use showcase_test_support::{Random, assert_law, rounds};
use std::path::Path;

/// Rounds per law unless `MANILA_FUZZ_ROUNDS` says otherwise: a few seconds in a debug build.
const ROUNDS: u64 = 2_000;
/// Longer recordings cost more time than they add.
const LONGEST_SEED: usize = 8_192;
const MOST_MUTATIONS: usize = 6;

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\0", "\n", "\"ok\":", "\"ok\":true,", "\\ud800", "\\udc00",
    "\\u001b[0m", "\u{1b}[0m", "\u{1b}[1;39m", "\u{1b}]8;;x\u{7}", "\u{1b}", "1e999", "1e-999", "NaN",
    "-Infinity", "\u{feff}", "é", "😀", "{}", "[]", "{\"ok\":", "warning: {x}\n",
];

/// Every key that a dialect gives a meaning to.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "ok", "data", "error", "warnings", "meta", "code", "message", "detail", "details", "retryable",
    "retry_after", "retry_after_ms", "retry_strategy", "phase", "suggestion", "redirect", "command",
    "permanent", "reason", "operation", "target", "fix_required", "fix_command", "duration_ms",
    "request_id", "schema_version", "schemaVersion", "not_modified", "truncated", "cursor",
    "timestamp", "cwd", "kind", "missing", "issues", "severity", "path", "link", "docHref", "docPath",
    "schema", "type", "apiVersion", "exit_code", "error_kind", "status", "hint", "action",
    "output_format", "found", "name", "token_count", "validation_only", "value", "o\\u006b", "\\ud800",
];

#[rustfmt::skip]
const VALUES: &[&str] = &[
    "null", "true", "false", "0", "-0", "1", "2", "3", "124", "-1", "1.0", "1e999", "9007199254740993",
    "18446744073709551615", "18446744073709551616", "\"\"", "\"SUCCESS\"", "\"error\"", "\"ok\"",
    "\"success\"", "\"1\"", "\"1.0\"", "\"1.6\"", "\"2.0\"", "\"json\"", "\"animus.cli.v1\"", "\"info\"",
    "\"TOKEN_EXPIRED\"", "\"REDIRECTED\"", "\"TIMEOUT\"", "\"RATE_LIMITED\"", "\"UNAVAILABLE\"",
    "\"session_not_found\"", "\"validation\"", "\"linear_backoff\"", "\"exponential_backoff\"",
    "\"tool new --x\"", "\"tool; rm\"", "\"2026-04-22T10:10:00Z\"", "\"\\ud800\"", "\"\\u001b[0m\"",
    "\"é\\n\"", "{}", "[]", "[[]]", "{\"a\":1,\"\\u0061\":2}", "{\"data\":{}}", "{\"value\":1}",
    "{\"code\":\"SUCCESS\",\"message\":\"m\"}", "{\"command\":\"tool y\",\"permanent\":true}",
    "[{\"code\":\"SUCCESS\",\"severity\":\"error\"}]", "[\"text\",7]",
];

#[test]
fn the_laws_of_the_reader_hold() {
    let transcripts = transcripts();
    let streams = transcripts.into_iter().flat_map(|run| [run.stdout, run.stderr]);
    hold(laws::reader, &streams.filter(|bytes| !bytes.is_empty()).collect::<Vec<_>>());
}

#[test]
fn the_laws_of_segments_hold() {
    let transcripts = transcripts();
    let streams = transcripts.into_iter().flat_map(|run| [run.stdout, run.stderr]);
    hold(laws::segment, &streams.collect::<Vec<_>>());
}

#[test]
fn the_laws_of_manifests_hold() {
    let argument = r#"{"name":"all","long":"all","short":"a","type":"boolean","required":false,"default":["x"],"choices":[{"name":"x"}],"multiple":{"repeat":true,"min":0}}"#;
    let exits = r#"{"0":{"name":"SUCCESS","effects":"complete"},"5":{"name":"NOT_FOUND","retryable":false,"codes":["NO_NOTE"]}}"#;
    let entry = format!(
        r#"{{"danger_level":"safe","flags":[{argument}],"exit_codes":{exits},"output_schema":{{"type":["object","null"]}},"subcommands":["x"]}}"#
    );
    let bare = format!(r#"{{"tool":{{"name":"t"}},"dialect":"td/1","commands":{{"ls":{entry}}}}}"#);
    let enveloped = format!(r#"{{"ok":true,"data":{bare}}}"#);
    hold(laws::manifest, &[bare.into_bytes(), enveloped.into_bytes()]);
}

#[test]
fn the_laws_of_detection_hold() {
    hold(laws::detect, &encoded(0));
}

#[test]
fn the_laws_of_opening_hold() {
    hold(laws::open, &encoded(0));
}

#[test]
fn the_laws_of_conversion_hold() {
    hold(laws::convert, &encoded(0));
}

#[test]
fn the_laws_of_deciding_hold() {
    hold(laws::decide, &encoded(laws::KNOBS));
}

/// Runs a law on every seed, and then on mutated ones.
fn hold(law: fn(&[u8]), seeds: &[Vec<u8>]) {
    for (number, seed) in seeds.iter().enumerate() {
        assert_law(law, seed, &format!("seed {number}"));
    }
    for round in 0..rounds(ROUNDS) {
        let input = mutated(seeds, &mut Random::new(round));
        assert_law(law, &input, &format!("round {round}"));
    }
}

/// Every seed as the bytes that a law takes for a transcript, behind that many bytes drawn by lot.
fn encoded(knobs: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(0);
    let mut drawn = || (0..knobs).map(|_| random.byte()).collect::<Vec<_>>();
    let variants = if knobs == 0 { 1 } else { 16 };
    let runs = transcripts().into_iter().flat_map(|run| std::iter::repeat_n(run, variants));
    runs.map(|run| [drawn(), laws::encode(&run)].concat()).collect()
}

fn transcripts() -> Vec<Transcript> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds");
    let mut runs = support::recorded_runs(&examples);
    runs.extend(support::corpus().into_iter().map(|run| (run.name, run.transcript)));
    let short = |run: &Transcript| run.stdout.len() + run.stderr.len() <= LONGEST_SEED;
    let recorded = runs.into_iter().map(|(_, run)| run).filter(short);
    let statuses = [Status::Exited(0), Status::Exited(1), Status::Signaled(9), Status::Unknown];
    let written = hostile().into_iter().zip(statuses.into_iter().cycle());
    recorded.chain(written.map(|(bytes, status)| Transcript::from_stdout(bytes, status))).collect()
}

/// Inputs that an attacker, or a careless program, would write.
fn hostile() -> Vec<Vec<u8>> {
    let nested = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
    let key = |number: usize| format!("\"key-{}\":{number}", number % 37);
    let many_keys: Vec<String> = (0..80).map(key).collect();
    let success = r#"{"schema":"animus.cli.v1","ok":true,"data":[1]}"#;
    let failure = r#"{"ok":false,"data":null,"error":{"code":"RATE_LIMITED","message":"m",
        "retryable":true,"retry_after":2},"warnings":["w"],"meta":{"duration_ms":1}}"#;
    let coloured = success.replace('{', "\u{1b}[1;39m{").replace(':', "\u{1b}[0m:");
    let deep = format!("{{\"schema\":\"animus.cli.v1\",\"ok\":true,\"data\":{}}}", nested(127));
    let texts = [
        nested(128),
        nested(129),
        "[".repeat(1_000),
        deep,
        format!("[\"{}\\u00e9{}\"]", "x".repeat(3_000), "é".repeat(500)),
        format!("[{},-{}.5e99,1{}]", "9".repeat(400), "1".repeat(250), "0".repeat(308)),
        format!("{{{}}}", many_keys.join(",")),
        format!("[{}]", vec!["\"\\ud800\""; 70].join(",")),
        format!("\u{feff}{success}"),
        r#"{"a":"\ud800","\ud800":1,"\ud801":2,"\ud83d\ude00":3,"😀":4}"#.to_owned(),
        r#"{"a":{"b":1,"\u0062":2},"a":[{"":0,"":1}]}"#.to_owned(),
        "{\"n\":[NaN,-Infinity]}".to_owned(),
        format!("set {{x}} to [y], then {{}}: {success} [done]\n"),
        format!("{success}\n{failure}\n[]\n"),
        coloured,
        failure[..failure.len() - 9].to_owned(),
        failure.to_owned(),
        r#"{"ok":false,"kind":"x","data":{"a":1},"issues":[{"code":"SUCCESS"}],"meta":{"apiVersion":"1"}}"#
            .to_owned(),
        "{ [".repeat(100),
        "x\n{}\n".repeat(70) + success,
    ];
    texts.into_iter().map(String::into_bytes).chain([b"[\"\xff\xc3\", x]".to_vec()]).collect()
}

/// A seed with a few things changed: one of two, the shorter, so that most rounds are quick.
fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let (one, two) = (random.one_of(seeds), random.one_of(seeds));
    let mut bytes = if one.len() < two.len() { one.clone() } else { two.clone() };
    for _ in 0..=random.below(MOST_MUTATIONS) {
        mutate(&mut bytes, seeds, random);
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(12) {
        0 => flip(bytes, random),
        1 => insert(bytes, at, &[random.byte()]),
        2 => drop(bytes.drain(random.slice_of(bytes))),
        3 => {
            let slice = bytes[random.slice_of(bytes)].to_vec();
            insert(bytes, at, &slice);
        }
        4 => {
            let other = random.one_of(seeds);
            bytes.splice(at.., other[random.below(other.len() + 1)..].iter().copied());
        }
        5 | 6 => insert(bytes, at, random.one_of(TOKENS).as_bytes()),
        7 | 8 => replace_a_string(bytes, random),
        _ => insert_a_member(bytes, random),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    if !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
}

/// Puts a member before the others of an object.
fn insert_a_member(bytes: &mut Vec<u8>, random: &mut Random) {
    let openers = places(bytes, b'{');
    if !openers.is_empty() {
        let opener = *random.one_of(&openers);
        let comma = if bytes.get(opener + 1) == Some(&b'}') { "" } else { "," };
        let member = format!("\"{}\":{}{comma}", random.one_of(KEYS), random.one_of(VALUES));
        insert(bytes, opener + 1, member.as_bytes());
    }
}

fn replace_a_string(bytes: &mut Vec<u8>, random: &mut Random) {
    let quotes = places(bytes, b'"');
    let strings: Vec<_> = quotes.chunks_exact(2).collect();
    if !strings.is_empty() {
        let string = random.one_of(&strings);
        bytes.splice(string[0]..=string[1], random.one_of(VALUES).bytes());
    }
}

fn places(bytes: &[u8], wanted: u8) -> Vec<usize> {
    (0..bytes.len()).filter(|at| bytes[*at] == wanted).collect()
}
