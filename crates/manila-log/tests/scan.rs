//! A scan sees the same records in the same places however it reads and on however many threads.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "../examples/corpus/generate.rs"]
#[allow(dead_code, reason = "each test uses what it needs")]
mod generate;

use generate::{Corpus, Random};
use manila::json::Limits;
use manila_log::{
    Backend, Block, Body, Input, InputError, Options, Outcome, Record, Sink, scan, scan_by,
};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// Lists every record with its place.
struct List;

type Entry = (String, u64, u64, usize, Vec<&'static str>);

impl Sink for List {
    type Part = u64;
    type Chunk = Vec<(u64, u64, usize, Vec<&'static str>)>;
    type Ordered = Vec<Entry>;

    fn part(&self) -> u64 {
        0
    }

    fn record(&self, part: &mut u64, chunk: &mut Self::Chunk, record: &Record<'_>) {
        *part += 1;
        let broken = record.verdict.broken().iter().map(|breach| breach.rule.id()).collect();
        chunk.push((record.line, record.offset, record.bytes.len(), broken));
    }

    fn deliver(&self, list: &mut Vec<Entry>, chunk: Self::Chunk, block: &Block) -> ControlFlow<()> {
        list.extend(chunk.into_iter().map(|(line, offset, length, broken)| {
            (block.name.to_string(), block.first_line + line, offset, length, broken)
        }));
        ControlFlow::Continue(())
    }
}

/// Returns bytes in pieces of random sizes.
struct Pieces {
    bytes: Vec<u8>,
    at: usize,
    random: Random,
    most: u64,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.random.one_in(10) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = usize::try_from(1 + self.random.below(self.most)).unwrap();
        let count = most.min(buffer.len()).min(self.bytes.len() - self.at);
        buffer[..count].copy_from_slice(&self.bytes[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

fn pieces(bytes: &[u8], seed: u64, most: u64) -> Pieces {
    Pieces { bytes: bytes.to_vec(), at: 0, random: Random::new(seed), most }
}

#[expect(clippy::unnecessary_wraps, reason = "a scan takes inputs that may have failed")]
fn input(name: &str, body: Body) -> Result<Input, InputError> {
    Ok(Input { name: name.into(), body })
}

fn file(bytes: &[u8]) -> Body {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    io::Seek::rewind(&mut file).unwrap();
    Body::File(file)
}

fn run(inputs: Vec<Result<Input, InputError>>, threads: usize, limits: Limits) -> Outcome<List> {
    let options = Options { threads: threads.try_into().unwrap(), limits, ..Options::default() };
    scan(inputs.into_iter(), &List, Vec::new(), &options)
}

fn right(bytes: &[u8], limits: Limits) -> Vec<Entry> {
    let inputs =
        std::iter::once(input("a", Body::Stream(Box::new(io::Cursor::new(bytes.to_vec())))));
    let options = Options { limits, ..Options::default() };
    scan_by(Backend::Reference, inputs, &List, Vec::new(), &options).ordered
}

/// A log with everything in it: lines, indented and concatenated documents, prose, blank lines.
fn mixed(seed: u64, size: usize) -> Vec<u8> {
    let mut corpus = Corpus::new(seed);
    let mut random = Random::new(seed);
    let mut bytes = Vec::new();
    while bytes.len() < size {
        match random.below(12) {
            0 => bytes.extend_from_slice(b"{\n  \"ok\": true,\n  \"type\": \"task\",\n  \"data\": {\n    \"a\": [\n      1\n    ]\n  }\n}\n"),
            1 => bytes.extend_from_slice(b"{\"ok\":true,\"type\":\"a\",\"data\":[]}{\"ok\":true,\"type\":\"b\",\"data\":[]}\n"),
            2 => bytes.extend_from_slice(b"plain words\r\n"),
            3 => bytes.extend_from_slice(b"\n \r\n"),
            4 => bytes.extend_from_slice(b"{\n  \"cut\": [1,\n"),
            _ => corpus.record(&mut bytes),
        }
    }
    bytes
}

#[test]
fn places_do_not_depend_on_threads_or_pieces() {
    for seed in 0..4 {
        let bytes = mixed(seed, 900_000);
        let expected = right(&bytes, Limits::default());
        for threads in [1, 2, 3] {
            let bodies = [
                file(&bytes),
                Body::Stream(Box::new(pieces(&bytes, seed, 300_000))),
                Body::Live(Box::new(pieces(&bytes, seed, 5_000))),
            ];
            for body in bodies {
                let what = format!("{body:?} on {threads} threads, seed {seed}");
                let outcome = run(vec![input("a", body)], threads, Limits::default());
                assert_eq!(outcome.ordered.len(), expected.len(), "{what}");
                for (found, expected) in outcome.ordered.iter().zip(&expected) {
                    assert_eq!(found, expected, "{what}");
                }
                assert_eq!(outcome.totals.bytes, bytes.len() as u64, "{what}");
                assert_eq!(outcome.totals.records, expected.len() as u64);
                assert_eq!(outcome.parts.iter().sum::<u64>(), expected.len() as u64);
                assert_eq!(outcome.input_errors.len(), 0);
            }
        }
    }
}

#[test]
fn every_input_has_its_own_lines_and_offsets() {
    let inputs = vec![
        input("one", file(b"{}\n{}\n")),
        input("two", file(b"\n{}")),
        input("three", file(b"")),
        input("four", file(b"x\n")),
    ];
    let outcome = run(inputs, 2, Limits::default());
    let places: Vec<_> = outcome.ordered.iter().map(|it| (it.0.as_str(), it.1, it.2)).collect();
    assert_eq!(places, [("one", 1, 0), ("one", 2, 3), ("two", 2, 1), ("four", 1, 0)]);
    assert_eq!(outcome.totals.inputs, 4);
}

#[test]
fn an_input_that_fails_keeps_what_was_read_and_the_rest_goes_on() {
    struct Breaks(bool);
    impl Read for Breaks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("the disk is gone"));
            }
            buffer[..5].copy_from_slice(b"{}\n{}");
            Ok(5)
        }
    }
    let gone =
        InputError { name: "gone".into(), offset: None, error: io::ErrorKind::NotFound.into() };
    let inputs = vec![
        Err(gone),
        input("breaks", Body::Stream(Box::new(Breaks(false)))),
        input("b", file(b"{}")),
    ];
    let outcome = run(inputs, 1, Limits::default());
    assert_eq!(outcome.ordered.len(), 3);
    let said: Vec<_> = outcome.input_errors.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["gone: entity not found", "breaks: at byte 5: the disk is gone"]);
}

#[test]
fn a_file_that_shrinks_is_reported() {
    /// Cuts the file as soon as the first block is seen.
    struct Shrinks(std::fs::File);
    impl Sink for Shrinks {
        type Part = ();
        type Chunk = ();
        type Ordered = ();
        fn part(&self) {}
        fn record(&self, (): &mut (), (): &mut (), _: &Record<'_>) {}
        fn deliver(&self, (): &mut (), (): (), _: &Block) -> ControlFlow<()> {
            self.0.set_len(300_000).unwrap();
            ControlFlow::Continue(())
        }
    }
    let body = file(&b"{}\n".repeat(200_000));
    let Body::File(handle) = &body else { unreachable!() };
    let twin = handle.try_clone().unwrap();
    let inputs = std::iter::once(input("shrinks", body));
    let outcome = scan(inputs, &Shrinks(twin), (), &Options::default());
    let message = outcome.input_errors[0].to_string();
    assert!(message.starts_with("shrinks: at byte ") && message.contains("shrank"), "{message}");
    assert!(outcome.totals.records >= 80_000 && outcome.totals.records < 200_000);
}

#[test]
fn a_record_beyond_the_limit_is_one_violation_and_takes_no_memory() {
    let limits = Limits { bytes: 100_000, ..Limits::default() };
    let good = "{\"ok\":true,\"type\":\"t\",\"data\":{}}\n";
    for (length, ends) in
        [(99_999, true), (100_000, true), (100_001, true), (3_000_000, true), (3_000_000, false)]
    {
        let mut bytes = good.as_bytes().to_vec();
        bytes.extend(std::iter::repeat_n(b'x', length));
        if ends {
            bytes.push(b'\n');
            bytes.extend_from_slice(good.as_bytes());
        }
        for threads in [1, 2] {
            let outcome = run(vec![input("a", file(&bytes))], threads, limits);
            let rules: Vec<_> = outcome
                .ordered
                .iter()
                .map(|it| (it.1, it.4.first().copied().unwrap_or("good")))
                .collect();
            let large = if length > limits.bytes { "record-too-large" } else { "invalid-json" };
            let mut expected = vec![(1, "good"), (2, large)];
            expected.extend(ends.then_some((3, "good")));
            assert_eq!(rules, expected, "{length} {ends}");
            assert_eq!(outcome.totals.bytes, bytes.len() as u64);
            assert!(outcome.ordered[1].3 <= limits.bytes.max(length.min(limits.bytes + 1)));
        }
    }
}

#[test]
fn nothing_is_delivered_after_a_sink_has_had_enough() {
    struct Three;
    impl Sink for Three {
        type Part = ();
        type Chunk = u64;
        type Ordered = (u64, u64);
        fn part(&self) {}
        fn record(&self, (): &mut (), chunk: &mut u64, _: &Record<'_>) {
            *chunk += 1;
        }
        fn deliver(&self, seen: &mut (u64, u64), chunk: u64, _: &Block) -> ControlFlow<()> {
            seen.0 += 1;
            seen.1 += chunk;
            if seen.0 == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let bytes = b"{}\n".repeat(2_000_000);
    let options = Options { threads: 2.try_into().unwrap(), ..Options::default() };
    let inputs = std::iter::once(input("a", file(&bytes)));
    let outcome = scan(inputs, &Three, (0, 0), &options);
    assert_eq!(outcome.ordered.0, 3);
    assert!(outcome.ordered.1 < 2_000_000);
}

#[test]
fn a_byte_order_mark_nuls_and_a_missing_line_break_lose_nothing() {
    let bytes = b"\xef\xbb\xbf{\"ok\":true,\"type\":\"t\",\"data\":{}}\r\n\0\0\n{\"ok\":true,\"type\":\"t\",\"data\":{}}";
    let outcome = run(vec![input("a", file(bytes))], 1, Limits::default());
    let rules: Vec<_> = outcome.ordered.iter().map(|it| it.4.clone()).collect();
    assert_eq!(rules, [vec!["byte-order-mark"], vec!["invalid-json"], vec![]]);
}
