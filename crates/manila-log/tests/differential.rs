//! The fast judge, its portable twin and the reference agree: on the corpus, on mutated records, at
//! every place in a chunk, on all short numbers, and on envelopes of random members.
#![expect(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "the environment says how many rounds")]

#[path = "../examples/corpus/generate.rs"]
mod generate;
#[path = "../../../fuzz/log/judge.rs"]
#[expect(unreachable_pub, reason = "for libFuzzer it is a crate of its own")]
mod law;

use generate::{Corpus, Random};
use law::judge as agree;
use manila::json::{Limits, Reader};
use manila_log::{Backend, Judge};

/// Bytes that mean something to a parser.
const TELLING: &[u8] = b"{}[]:,\"\\\n\r\t 0123456789-+.eEtrufalsn/u\x00\x1f\x7f\x80\xc2\xe2\xff";

/// Rounds per law unless `MANILA_FUZZ_ROUNDS` says otherwise: a few seconds in a debug build.
fn rounds() -> u64 {
    std::env::var("MANILA_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2_000)
}

fn below(random: &mut Random, limit: usize) -> usize {
    usize::try_from(random.below(limit as u64)).unwrap()
}

fn mutate(block: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = below(random, block.len());
        let byte = TELLING[below(random, TELLING.len())];
        let end = (at + 1 + below(random, 40)).min(block.len());
        match random.below(5) {
            0 => block[at] = byte,
            1 => block.insert(at, byte),
            2 => {
                block.remove(at);
            }
            3 => {
                block.drain(at..end);
            }
            _ => {
                let copy = block[at..end].to_vec();
                block.splice(at..at, copy);
            }
        }
        if block.is_empty() {
            block.push(b'{');
        }
    }
}

#[test]
fn on_the_corpus() {
    let mut corpus = Corpus::new(1);
    for _ in 0..4 {
        let mut block = Vec::new();
        while block.len() < 100_000 {
            corpus.record(&mut block);
        }
        agree(&block);
    }
}

#[test]
fn on_mutated_records() {
    let mut corpus = Corpus::new(2);
    let mut random = Random::new(3);
    for _ in 0..rounds() {
        let mut block = Vec::new();
        for _ in 0..=random.below(3) {
            let record = corpus.good();
            // Short records meet more of the edges.
            if record.len() < 400 || random.one_in(10) {
                block.extend_from_slice(record.as_bytes());
                block.push(b'\n');
            }
        }
        block.push(b'\n');
        mutate(&mut block, &mut random);
        agree(&block);
    }
}

/// Good records of every dialect.
const GOOD: &[&str] = &[
    r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":3}}"#,
    r#"{"schema":"animus.cli.v1","ok":true,"data":1}"#,
    r#"{"kind":"version","type":"success"}"#,
    r#"{"timestamp":"t","command":"x","exit_code":0,"output_format":"json","schema_version":"2.0"}"#,
    r#"{"ok":true,"type":"task","data":{}}"#,
    r#"{"ok":true,"kind":"k","data":{},"issues":[],"meta":{"apiVersion":"1","cwd":"/"}}"#,
];

/// Members that make a record a failure, a page or one of another revision, and such as other dialects
/// have, with their values and with others.
const BESIDE: &[&str] = &[
    r#""success":false"#,
    r#""is_error":true"#,
    r#""isError":true"#,
    r#""status":"error""#,
    r#""status":"err\u006fr""#,
    r#""error":"boom""#,
    r#""error":{"code":"X","message":"m"}"#,
    r#""errors":[{"message":"m"}],"data":null"#,
    r#""pagination":{"has_more":true}"#,
    r#""schema_version":"9.0""#,
    r#""version":"1","status":"success""#,
    r#""version":"1","status":"succ\u0065ss""#,
    r#""version":"1","status":"done""#,
    r#""version":1,"status":"success""#,
    r#""version":"1","status":"success","schemaVersion":1"#,
    r#""result":{},"fix":"x","next_actions":[]"#,
    r#""breadcrumbs":[],"summary":"s""#,
    r#""jsonrpc":"2.0","id":1,"result":{}"#,
    r#""error":{"code":404,"message":"m","status":"NOT_FOUND"}"#,
    r#""error":{"code":404,"message":"m","status":7,"errors":[{"reason":"notFound"}]}"#,
];

#[test]
fn on_what_stands_beside_the_keys_of_a_dialect() {
    for good in GOOD {
        agree(good.as_bytes());
        for member in BESIDE {
            agree(good.replacen('{', &format!("{{{member},"), 1).as_bytes());
            agree(format!("{},{member}}}", &good[..good.len() - 1]).as_bytes());
        }
    }
    for (at, from, to) in [
        (0, "3}}", "3,\"schema_version\":\"9.0\"}}"),
        (1, "v1", "v2"),
        (3, "2.0", "3.0"),
        (5, "\"1\"", "\"2\""),
    ] {
        let other = GOOD[at].replace(from, to);
        assert_ne!(other, GOOD[at]);
        agree(other.as_bytes());
    }
}

/// Records with something at every byte that a chunk may cut.
const CUT: &[&str] = &[
    r#"{"ok":true,"type":"t","data":{"a":[1,-2.5e+7,true,null,"x\"\\\u00e9"],"b":{}}}"#,
    r#"{"ok":true,"type":"t","data":{"a":[1,-2.5e+7,tru,null,"x\"\\\u00e9"],"b":{}}}"#,
    r#"{"ok":true,"type":"t","data":{"a":"unclosed}}"#,
    r#"{"ok":true,"type":"t","data":{"a":"bad \x escape"}}"#,
    r#"{"ok":true,"type":"t","data":{"a":"bad \u12g4 escape"}}"#,
    r#"{"ok":true,"type":"t","data":[01]}"#,
    r#"{"ok":true,"type":"t","data":[123456789012345678901234567890,0,-0,0.0]}"#,
    r#"{"ok":true,"type":"t","data":["\\\\\\\\\\\\"]}"#,
    r#"{"ok":true,"type":"t","data":["\\\\\\\\\\\\\"]}"#,
    r#"{"ok" : true , "type" : "t" , "data" : [ 1 , { } , [ ] ] } "#,
    r#"{"ok":true,"type":"t","data":[1 2]}"#,
    r#"{"ok":true,"type":"t","data":["a":1]}"#,
    r#"{"ok":true,"type":"t","data":{"a",1}}"#,
    r#"{"ok":true,"type":"t","data":{"a":1,2}}"#,
    r#"{"ok":true,"type":"t","data":{"a":1,"b"}}"#,
    r#"{"ok":true,"type":"t","data":[1}}"#,
    r#"{"ok":true,"type":"t","data":{}},{"ok":true,"type":"t","data":{}}"#,
    r#"{"ok":true,"type":"t","data":{}},{"a":1},{"ok":true,"type":"t","data":{}}"#,
    r#"{"ok":true,"type":"t","data":{}}{"ok":true,"type":"t","data":{}}"#,
    r#"{"ok":true,"type":"t","data":{}},1"#,
    "{\n  \"ok\": true,\n  \"type\": \"t\",\n  \"data\": {\n    \"a\": 1\n  }\n}",
    "{\n  \"ok\": true,\n  \"type\": \"t\",\n  \"data\": {\n    \"a\": 1x\n  }\n}",
    "{\n  \"ok\": true,\n  \"data\": \"broken\nstring\"\n}",
    "{\"ok\":true,\"type\":\"\u{e9}\u{65e5}\u{1f680}\",\"data\":[\"\u{7f}\u{9b}\"]}",
    "{\"ok\":true,\"type\":\"tab\there\",\"data\":[]}",
];

#[test]
fn at_every_place_in_a_chunk() {
    let good = "{\"ok\":true,\"type\":\"t\",\"data\":[]}\n";
    for record in CUT {
        for before in 0..66 {
            for end in ["\n", "\r\n", ""] {
                let spaces = " ".repeat(before);
                agree(format!("[\"{spaces}\"]\n{record}{end}").as_bytes());
                agree(format!("{good}{spaces}\n{record}\n{good}{record}{end}").as_bytes());
            }
        }
    }
}

/// Whether each of some payloads makes a good record, by some means.
fn are_good(payloads: &[String], backend: Backend) -> Vec<bool> {
    let record = |it: &String| format!("{{\"ok\":true,\"type\":\"t\",\"data\":[{it}]}}\n");
    let block = payloads.iter().map(record).collect::<Vec<_>>().concat();
    let mut good = Vec::new();
    Judge::new(Limits::default(), backend)
        .judge(block.as_bytes(), |found| good.push(found.verdict.is_good()));
    good
}

/// Compares with the strict reader, which is what the reference asks first.
fn are_good_where_they_are_json(payloads: &[String]) {
    let mut reader = Reader::default();
    let right: Vec<bool> =
        payloads.iter().map(|it| reader.read(format!("[{it}]").as_bytes()).is_ok()).collect();
    for backend in [Backend::Fastest, Backend::Portable] {
        let good = are_good(payloads, backend);
        let differs = good.iter().zip(&right).position(|(good, right)| good != right);
        assert_eq!(differs.map(|at| &payloads[at]), None, "{backend:?}");
        assert_eq!(good.len(), right.len());
    }
}

/// All texts of up to `length` of these pieces.
fn texts(pieces: &[&str], length: u32) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

#[test]
fn on_all_short_numbers() {
    let numbers = texts(&["0", "1", "-", "+", ".", "e", "E", "9", " "], 4);
    are_good_where_they_are_json(&numbers);
    // With others beside them, and where the chunk ends.
    let longer: Vec<_> =
        numbers.iter().map(|it| format!("\"\",{it}12345678901,{it},true")).collect();
    are_good_where_they_are_json(&longer);
}

#[test]
fn on_all_short_sequences_of_tokens() {
    let tokens = ["{", "}", "[", "]", ",", ":", "\"a\"", "1", "true", " "];
    let mut sequences = texts(&tokens, 4);
    // Braces at the beginning of a line begin a record, and these are not lines.
    sequences.retain(|text| !text.is_empty());
    are_good_where_they_are_json(&sequences);
}

const KEYS: &[&str] = &[
    "ok",
    "data",
    "error",
    "warnings",
    "meta",
    "schema",
    "type",
    "kind",
    "issues",
    "apiVersion",
    "command",
    "exit_code",
    "timestamp",
    "output_format",
    "schema_version",
    "status",
    "error_kind",
    "hint",
    "found",
    "success",
    "is_error",
    "isError",
    "errors",
    "pagination",
    "name",
    "action",
    "stdout",
    "other",
    "version",
    "result",
    "next_actions",
    "o\\u006b",
    "",
];
const INNER: &[&str] = &[
    "code",
    "message",
    "suggestion",
    "details",
    "exit_code",
    "kind",
    "operation",
    "target",
    "retryable",
    "hint",
    "detail",
    "retry_after",
    "retry_after_ms",
    "fix_command",
    "phase",
    "redirect",
    "duration_ms",
    "request_id",
    "schema_version",
    "not_modified",
    "token_count",
    "truncated",
    "cursor",
    "apiVersion",
    "cwd",
    "missing",
    "status",
    "command",
    "duration",
    "c\\u006fde",
    "severity",
];
const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "1",
    "2",
    "-1",
    "1.0",
    "1e3",
    "18446744073709551616",
    "9223372036854775808",
    "\"\"",
    "\"x\"",
    "\"ok\"",
    "\"error\"",
    "\"success\"",
    "\"1\"",
    "\"1.0\"",
    "\"1.6\"",
    "\"1\\u002e6\"",
    "\"2.0\"",
    "\"9.0\"",
    "\"1.0.3\"",
    "\"json\"",
    "\"animus.cli.v2\"",
    "{\"has_more\":true,\"next_cursor\":\"c\"}",
    "\"animus.cli.v1\"",
    "\"ao.cli.v1\"",
    "\"x.cli.v1\"",
    "\"list-things\"",
    "\"not_found\"",
    "\"TOKEN_X\"",
    "\"CONFLICT\"",
    "\"SUCCESS\"",
    "\"a\\nb\"",
    "{}",
    "[]",
    "[\"w\"]",
    "[1]",
    "[{\"code\":\"a.not_found\",\"severity\":\"error\"}]",
    "[{\"code\":\"a\",\"severity\":\"info\"},{\"code\":\"b\",\"severity\":\"odd\"}]",
];

/// An envelope in which anything may be missing, wrong or twice, and most is right.
fn envelope(random: &mut Random) -> String {
    let usual: &[&str] = match random.below(8) {
        0 => &["ok", "data", "error", "warnings", "meta"],
        1 => &["schema", "ok", "data"],
        2 => &["schema", "ok", "error"],
        3 => &["timestamp", "command", "exit_code", "output_format", "schema_version", "error"],
        4 => &["ok", "type", "data"],
        5 => &["ok", "error"],
        6 => &["ok", "kind", "data", "issues", "meta"],
        _ => &["type", "kind", "error", "hint"],
    };
    let mut keys: Vec<&str> = usual.iter().copied().filter(|_| !random.one_in(12)).collect();
    while random.one_in(3) {
        keys.insert(below(random, keys.len() + 1), KEYS[below(random, KEYS.len())]);
    }
    let members: Vec<_> =
        keys.iter().map(|key| format!("\"{key}\":{}", value(key, random))).collect();
    format!("{{{}}}\n", members.join(","))
}

/// A value that fits the key, unless it does not.
fn value(key: &str, random: &mut Random) -> String {
    let any = |random: &mut Random| VALUES[below(random, VALUES.len())].to_owned();
    if random.one_in(8) {
        return any(random);
    }
    let pick = |random: &mut Random, list: &[&str]| list[below(random, list.len())].to_owned();
    let object = |random: &mut Random, usual: &[&str]| {
        let mut keys: Vec<&str> = usual.iter().copied().filter(|_| !random.one_in(12)).collect();
        while random.one_in(3) {
            keys.insert(below(random, keys.len() + 1), INNER[below(random, INNER.len())]);
        }
        let members: Vec<_> =
            keys.iter().map(|key| format!("\"{key}\":{}", value(key, random))).collect();
        format!("{{{}}}", members.join(","))
    };
    match key {
        "ok" | "retryable" | "truncated" | "not_modified" => pick(random, &["true", "false"]),
        "data" | "details" => pick(random, &["{}", "[]", "null", "{\"a\":1}"]),
        "warnings" => pick(random, &["[]", "[\"w\"]"]),
        "schema" => pick(random, &["\"animus.cli.v1\"", "\"ao.cli.v1\""]),
        "exit_code" => pick(random, &["0", "1", "2", "3"]),
        "duration_ms" | "retry_after" | "retry_after_ms" => "12".to_owned(),
        "apiVersion" => "\"1\"".to_owned(),
        "issues" => pick(random, &["[]", VALUES[VALUES.len() - 1], VALUES[VALUES.len() - 2]]),
        "error" if random.one_in(3) => pick(random, &["null", "\"words\""]),
        "error" => {
            let usual: &[&str] = match random.below(3) {
                0 => &["code", "message", "suggestion"],
                1 => &["code", "message", "exit_code"],
                _ => &["kind", "operation", "target", "retryable", "message"],
            };
            object(random, usual)
        }
        "meta" => {
            let usual: &[&str] = if random.one_in(2) {
                &["duration_ms", "schema_version"]
            } else {
                &["apiVersion", "cwd"]
            };
            object(random, usual)
        }
        "type" => pick(random, &["\"success\"", "\"error\"", "\"task\""]),
        "kind" | "code" => {
            pick(random, &["\"list-things\"", "\"x_not_found\"", "\"auth\"", "\"A b\""])
        }
        _ => pick(random, &["\"x\"", "\"1.0\"", "\"json\""]),
    }
}

#[test]
fn on_envelopes_of_random_members() {
    let mut random = Random::new(4);
    for _ in 0..rounds() {
        let block: String = (0..8).map(|_| envelope(&mut random)).collect();
        agree(block.as_bytes());
    }
}

/// Records whose class or outcome only the core can determine.
#[test]
fn on_what_the_core_alone_can_say() {
    let failed = |meta: &str| {
        format!(
            "{{\"ok\":false,\"data\":null,\"error\":{{\"code\":\"x\",\"message\":\"m\"}},\"warnings\":[],\"meta\":{{\"duration_ms\":1{meta}}}}}\n"
        )
    };
    let nothing = |meta: &str| {
        format!(
            "{{\"ok\":true,\"data\":null,\"error\":null,\"warnings\":[],\"meta\":{{\"duration_ms\":1{meta}}}}}\n"
        )
    };
    let claw = |rest: &str| {
        format!(
            "{{\"timestamp\":\"t\",\"command\":\"c\",\"output_format\":\"json\",\"schema_version\":\"2.0\",{rest}}}\n"
        )
    };
    let gone = "\"error\":{\"kind\":\"auth\",\"operation\":\"o\",\"target\":\"t\",\"retryable\":true,\"message\":\"m\"}";
    let block = [
        failed(""),
        failed(",\"missing\":\"thing\""),
        failed(",\"missing\":null"),
        nothing(""),
        nothing(",\"not_modified\":true"),
        nothing(",\"validation_only\":true"),
        nothing(",\"token_count\":false"),
        claw("\"exit_code\":2"),
        claw("\"exit_code\":77,\"data\":{}"),
        claw(&format!("\"exit_code\":1,{gone}")),
        claw(&format!("\"exit_code\":2,{gone}")),
        claw(&format!("\"exit_code\":1,\"found\":false,\"name\":\"n\",{gone}")),
        claw(&format!("\"exit_code\":1,\"found\":true,{gone}")),
        claw("\"exit_code\":9999999999"),
    ];
    agree(block.concat().as_bytes());
}
