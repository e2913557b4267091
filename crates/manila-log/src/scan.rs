//! Runs inputs past the judge: blocks, threads, order.

use crate::fast::{Judge, Means};
use crate::feed::{Buffer, Fed, Feed};
use crate::input::{Input, Trouble};
use crate::order::{Done, Order};
use crate::rule::{Breach, Rule};
use crate::verdict::Verdict;
use manila::json::Limits;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// More threads than these only take memory.
const MOST_THREADS: usize = 256;

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

    /// An empty chunk for one more block: a sink whose chunks hold much memory can give out what
    /// [`Sink::deliver`] is done with.
    fn chunk(&self) -> Self::Chunk {
        Self::Chunk::default()
    }

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

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn add(&self, bytes: u64, records: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.records.fetch_add(records, Ordering::Relaxed);
    }
}

/// How to scan.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// On how many threads; on fewer where they are of no use or the system gives no more.
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
    /// Bytes of records that were begun and whose rest nobody waited for. They are not judged, and
    /// not among the bytes.
    pub unfinished: u64,
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
    ordered: S::Ordered,
    options: &Options<'_>,
) -> Outcome<S> {
    scan_by(Means::default(), inputs, sink, ordered, options)
}

/// The same by means of one's choice. The verdicts do not depend on it.
pub fn scan_by<S: Sink>(
    means: Means,
    inputs: impl Iterator<Item = Result<Input, Trouble>> + Send,
    sink: &S,
    ordered: S::Ordered,
    options: &Options<'_>,
) -> Outcome<S> {
    let feed = Mutex::new(Feed::new(inputs, options.limits));
    let threads = options.threads.get().min(MOST_THREADS);
    let order = Order::new(sink, ordered, threads);
    let work = || Worker::new(means, sink, options).run(&feed, &order);
    let mut done = Vec::with_capacity(threads);
    std::thread::scope(|scope| {
        // Where the system gives no more threads, those that there are do the work.
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        done.push(work());
        for other in others {
            match other.join() {
                Ok(worker) => done.push(worker),
                // A panic of a sink is the caller's, on whichever thread it happened.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    let feed = feed.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut totals =
        Totals { inputs: feed.opened, unfinished: feed.unfinished, ..Totals::default() };
    let mut parts = Vec::with_capacity(done.len());
    for (part, one) in done {
        totals.bytes += one.bytes;
        totals.records += one.records;
        totals.good += one.good;
        parts.push(part);
    }
    Outcome { parts, ordered: order.into_ordered(), totals, troubles: feed.troubles }
}

/// One thread of a scan.
struct Worker<'s, S: Sink> {
    sink: &'s S,
    part: S::Part,
    judge: Judge,
    totals: Totals,
    progress: Option<&'s Progress>,
}

impl<'s, S: Sink> Worker<'s, S> {
    fn new(means: Means, sink: &'s S, options: &Options<'s>) -> Self {
        let judge = Judge::new(options.limits, means);
        let progress = options.progress;
        Worker { sink, part: sink.part(), judge, totals: Totals::default(), progress }
    }

    /// Judges blocks until there are none.
    fn run<I: Iterator<Item = Result<Input, Trouble>>>(
        mut self,
        feed: &Mutex<Feed<I>>,
        order: &Order<'_, S>,
    ) -> (S::Part, Totals) {
        let mut buffer = Buffer::default();
        while !order.is_stopped() && !self.progress.is_some_and(Progress::is_stopped) {
            let fed = feed.lock().unwrap_or_else(PoisonError::into_inner).next(&mut buffer);
            let Some(fed) = fed else { break };
            let done = self.block(fed, buffer.bytes());
            order.deliver(done);
        }
        (self.part, self.totals)
    }

    fn block(&mut self, fed: Fed, bytes: &[u8]) -> Done<S::Chunk> {
        let Worker { sink, part, judge, totals, progress } = self;
        let mut chunk = sink.chunk();
        let mut records = 0;
        let mut take = |at: usize, line: u64, bytes: &[u8], verdict: Verdict<'_>| {
            let (input, offset) = (fed.input, fed.offset + at as u64);
            let record = Record { bytes, input, offset, line, verdict };
            records += 1;
            totals.good += u64::from(record.verdict.is_good());
            sink.record(part, &mut chunk, &record);
        };
        let newlines = if fed.too_large {
            let offset = bytes.len().saturating_sub(1);
            let broken = &[Breach { rule: Rule::RecordTooLarge, offset, key: None }];
            take(
                0,
                0,
                bytes,
                Verdict {
                    bytes,
                    members: &[],
                    inner: &[],
                    envelope: None,
                    broken,
                    is_one_line: false,
                },
            );
            0
        } else {
            judge.judge(bytes, |found| {
                take(found.span.start, found.line, &bytes[found.span.clone()], found.verdict);
            })
        };
        let size = bytes.len() as u64 + fed.skipped.0;
        totals.bytes += size;
        totals.records += records;
        if let Some(progress) = progress {
            progress.add(size, records);
        }
        Done { fed, chunk, newlines }
    }
}
