//! Runs inputs past the judge: blocks, threads, order.

use crate::blocks::{Blocks, Buffer, FilledBlock};
use crate::fast::{Backend, Judge};
use crate::input::{Input, InputError};
use crate::order::{Done, Order};
use crate::rule::{Breach, Rule};
use crate::sink::{Record, Sink};
use crate::verdict::Verdict;
use manila::json::Limits;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// More threads than these only take memory.
const MOST_THREADS: usize = 256;

/// How far a scan is, for a progress line; and a way to stop it.
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
    /// On how many threads; on fewer where they do not help or the system gives no more.
    pub threads: NonZeroUsize,
    /// How much one record may ask for.
    pub limits: Limits,
    /// The observer.
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
    /// Bytes of incomplete records whose rest was not waited for. They are not judged, and not
    /// among the bytes.
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
    pub input_errors: Vec<InputError>,
}

/// Scans all inputs. An input that cannot be read is a [`InputError`] and the next one is taken.
pub fn scan<S: Sink>(
    inputs: impl Iterator<Item = Result<Input, InputError>> + Send,
    sink: &S,
    ordered: S::Ordered,
    options: &Options<'_>,
) -> Outcome<S> {
    scan_by(Backend::default(), inputs, sink, ordered, options)
}

/// The same by means of one's choice. The verdicts do not depend on it.
pub fn scan_by<S: Sink>(
    backend: Backend,
    inputs: impl Iterator<Item = Result<Input, InputError>> + Send,
    sink: &S,
    ordered: S::Ordered,
    options: &Options<'_>,
) -> Outcome<S> {
    let blocks = Mutex::new(Blocks::new(inputs, options.limits));
    let threads = options.threads.get().min(MOST_THREADS);
    let order = Order::new(sink, ordered, threads);
    let work = || Worker::new(backend, sink, options).run(&blocks, &order);
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
    let blocks = blocks.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut totals =
        Totals { inputs: blocks.opened, unfinished: blocks.unfinished, ..Totals::default() };
    let mut parts = Vec::with_capacity(done.len());
    for (part, one) in done {
        totals.bytes += one.bytes;
        totals.records += one.records;
        totals.good += one.good;
        parts.push(part);
    }
    Outcome { parts, ordered: order.into_ordered(), totals, input_errors: blocks.input_errors }
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
    fn new(backend: Backend, sink: &'s S, options: &Options<'s>) -> Self {
        let judge = Judge::new(options.limits, backend);
        let progress = options.progress;
        Worker { sink, part: sink.part(), judge, totals: Totals::default(), progress }
    }

    /// Judges blocks until there are none.
    fn run<I: Iterator<Item = Result<Input, InputError>>>(
        mut self,
        blocks: &Mutex<Blocks<I>>,
        order: &Order<'_, S>,
    ) -> (S::Part, Totals) {
        let mut buffer = Buffer::default();
        while !order.is_stopped() && !self.progress.is_some_and(Progress::is_stopped) {
            let filled = blocks.lock().unwrap_or_else(PoisonError::into_inner).next(&mut buffer);
            let Some(filled) = filled else { break };
            let done = self.block(filled, buffer.bytes());
            order.deliver(done);
        }
        (self.part, self.totals)
    }

    fn block(&mut self, filled: FilledBlock, bytes: &[u8]) -> Done<S::Chunk> {
        let Worker { sink, part, judge, totals, progress } = self;
        let mut chunk = sink.chunk();
        let mut records = 0;
        let mut take = |at: usize, line: u64, bytes: &[u8], verdict: Verdict<'_>| {
            let (input, offset) = (filled.input, filled.offset + at as u64);
            let record = Record { bytes, input, offset, line, verdict };
            records += 1;
            totals.good += u64::from(record.verdict.is_good());
            sink.record(part, &mut chunk, &record);
        };
        let newlines = if filled.too_large {
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
        let size = bytes.len() as u64 + filled.skipped.0;
        totals.bytes += size;
        totals.records += records;
        if let Some(progress) = progress {
            progress.add(size, records);
        }
        Done { filled, chunk, newlines }
    }
}
