//! The fast judge, its portable twin and the reference agree on every record.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "../examples/corpus/generate.rs"]
mod generate;

use generate::{Corpus, Random};
use manila::json::Limits;
use manila_log::{Judge, Means};

/// All that a judge says of a block, as text.
fn say(block: &[u8], means: Means) -> Vec<String> {
    let mut judge = Judge::new(Limits::default(), means);
    let mut said = Vec::new();
    let newlines = judge.judge(block, |found| {
        let verdict = &found.verdict;
        let members: Vec<_> =
            verdict.members().map(|(key, value)| (key.offset(), value.offset(), value.bytes().len())).collect();
        said.push(format!(
            "{:?} line {} {:?} {:?} {members:?}",
            found.span,
            found.line,
            verdict.envelope(),
            verdict.broken()
        ));
    });
    said.push(format!("{newlines} lines"));
    said
}

fn agree(block: &[u8]) {
    let right = say(block, Means::Reference);
    for means in [Means::Portable, Means::Fastest] {
        let said = say(block, means);
        if said != right {
            let at = said.iter().zip(&right).position(|(a, b)| a != b);
            let at = at.unwrap_or(said.len().min(right.len()));
            panic!(
                "{means:?} differs at record {at}\nsaid  {:?}\nright {:?}\nin {:?}",
                said.get(at),
                right.get(at),
                String::from_utf8_lossy(block)
            );
        }
    }
}

/// Bytes that mean something to a parser.
const TELLING: &[u8] = b"{}[]:,\"\\\n\r\t 0123456789-+.eEtrufalsn/u\x00\x1f\x7f\x80\xc2\xe2\xff";

fn mutate(block: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = usize::try_from(random.below(block.len() as u64)).unwrap();
        let byte = TELLING[usize::try_from(random.below(TELLING.len() as u64)).unwrap()];
        match random.below(5) {
            0 => block[at] = byte,
            1 => block.insert(at, byte),
            2 => {
                block.remove(at);
            }
            3 => {
                let end = (at + 1 + usize::try_from(random.below(20)).unwrap()).min(block.len());
                block.drain(at..end);
            }
            _ => {
                let end = (at + 1 + usize::try_from(random.below(40)).unwrap()).min(block.len());
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
    for _ in 0..40 {
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
    for _ in 0..30_000 {
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
