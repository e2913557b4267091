//! Runs inputs past the judge: blocks, threads, order.

use crate::cut::Cutter;
use crate::input::{Body, Input, Trouble};
use crate::reference::Reference;
use crate::verdict::Verdict;
use manila::json::Limits;
use std::io::Read;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One record, as a sink sees it.
#[derive(Debug)]
pub struct Record<'r> {
    /// Its bytes, untouched, without the line break.
    pub bytes: &'r [u8],
    /// Which input, counted from 0 in the order they were given.
    pub input: usize,
    /// Where it begins in its input.
    pub offset: u64,
    /// On which line it begins, counted from 0 at the beginning of its block: the block's own first
    /// line is only known in [`Sink::deliver`].
    pub line: u64,
    /// What a glance at it told.
    pub verdict: Verdict<'r>,
}

/// Where a block stands.
#[derive(Clone, Debug)]
pub struct Block {
    /// Which input, counted from 0.
    pub input: usize,
    /// The input's name.
    pub name: Arc<str>,
    /// The line of its input, counted from 1, on which the block begins.
    pub first_line: u64,
}

/// What receives the records.
///
/// [`Sink::record`] is called on many threads, each with a [`Sink::Part`] of its own, which the
/// caller of [`scan`] merges at the end. What has an order, or needs line numbers, goes into a
/// [`Sink::Chunk`] per block; the chunks come to [`Sink::deliver`] one after the other in the order
/// of the input.
pub trait Sink: Sync {
    /// One thread's own state, kept over all its blocks.
    type Part: Send;
    /// What one block leaves to be delivered in order.
    type Chunk: Send + Default;
    /// What the chunks are delivered to.
    type Ordered: Send;

    /// The state of one more thread.
    fn part(&self) -> Self::Part;

    /// Takes one record. Within a block they come in order.
    fn record(&self, part: &mut Self::Part, chunk: &mut Self::Chunk, record: &Record<'_>);

    /// Takes what one block left, in the order of the input; `Break` ends the scan. Every block is
    /// delivered, also one that left nothing.
    fn deliver(
        &self,
        ordered: &mut Self::Ordered,
        chunk: Self::Chunk,
        block: &Block,
    ) -> ControlFlow<()>;
}

/// How far a scan is, for whoever watches; and a way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    bytes: AtomicU64,
    records: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// How many bytes have been judged.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// How many records have been judged.
    pub fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    /// Lets the scan end with the blocks it is at.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// How to scan.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// On how many threads.
    pub threads: NonZeroUsize,
    /// How much one record may ask for.
    pub limits: Limits,
    /// Who watches.
    pub progress: Option<&'a Progress>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { threads: NonZeroUsize::MIN, limits: Limits::default(), progress: None }
    }
}

/// How much was scanned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bytes, line breaks and blank lines included.
    pub bytes: u64,
    /// Records.
    pub records: u64,
    /// Records that break nothing.
    pub good: u64,
    /// Inputs that were opened.
    pub inputs: u64,
}

/// What a scan leaves.
#[derive(Debug)]
pub struct Outcome<S: Sink> {
    /// Each thread's state, in no order.
    pub parts: Vec<S::Part>,
    /// What the chunks were delivered to.
    pub ordered: S::Ordered,
    /// How much was scanned.
    pub totals: Totals,
    /// What went wrong, in the order of the inputs.
    pub troubles: Vec<Trouble>,
}

/// Scans all inputs. An input that cannot be read is a [`Trouble`] and the next one is taken.
pub fn scan<S: Sink>(
    inputs: impl Iterator<Item = Result<Input, Trouble>> + Send,
    sink: &S,
    mut ordered: S::Ordered,
    options: &Options<'_>,
) -> Outcome<S> {
    let mut part = sink.part();
    let mut totals = Totals::default();
    let mut troubles = Vec::new();
    for (index, input) in inputs.enumerate() {
        let Input { name, body } = match input {
            Ok(input) => input,
            Err(trouble) => {
                troubles.push(trouble);
                continue;
            }
        };
        totals.inputs += 1;
        let mut bytes = Vec::new();
        let read = match body {
            Body::File(mut file) => file.read_to_end(&mut bytes),
            Body::Stream(mut stream) | Body::Live(mut stream) => stream.read_to_end(&mut bytes),
        };
        if let Err(error) = read {
            let offset = Some(bytes.len() as u64);
            troubles.push(Trouble { name: Arc::clone(&name), offset, error });
        }
        let chunk = judge_all(&bytes, index, sink, &mut part, &mut totals, options);
        let block = Block { input: index, name, first_line: 1 };
        let stopped = options.progress.is_some_and(Progress::is_stopped);
        if sink.deliver(&mut ordered, chunk, &block).is_break() || stopped {
            break;
        }
    }
    Outcome { parts: vec![part], ordered, totals, troubles }
}

fn judge_all<S: Sink>(
    bytes: &[u8],
    input: usize,
    sink: &S,
    part: &mut S::Part,
    totals: &mut Totals,
    options: &Options<'_>,
) -> S::Chunk {
    let mut chunk = S::Chunk::default();
    let mut cutter = Cutter::new(options.limits);
    let mut judge = Reference::new(options.limits);
    let (mut at, mut line) = (0, 0);
    while at < bytes.len() {
        let step = cutter.step(bytes, at);
        if let Some(span) = step.record {
            let bytes = &bytes[span.clone()];
            let record =
                Record { bytes, input, offset: span.start as u64, line, verdict: judge.judge(bytes) };
            totals.records += 1;
            totals.good += u64::from(record.verdict.is_good());
            sink.record(part, &mut chunk, &record);
        }
        line += memchr::memchr_iter(b'\n', &bytes[at..step.next]).count() as u64;
        at = step.next;
    }
    totals.bytes += bytes.len() as u64;
    if let Some(progress) = options.progress {
        progress.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        progress.records.store(totals.records, Ordering::Relaxed);
    }
    chunk
}
