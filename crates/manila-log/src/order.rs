//! What blocks leave, handed on in the order of the input by whichever thread is at hand.

use crate::blocks::FilledBlock;
use crate::sink::{Block, Sink};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many blocks per thread may wait for one before them, so that memory stays bounded.
const WAITING: usize = 4;

/// A block that has been judged.
pub(crate) struct Done<C> {
    pub(crate) filled: FilledBlock,
    pub(crate) chunk: C,
    pub(crate) newlines: u64,
}

/// Puts blocks in order.
pub(crate) struct Order<'s, S: Sink> {
    sink: &'s S,
    state: Mutex<State<S>>,
    moved_on: Condvar,
    stopped: AtomicBool,
    waiting: usize,
}

struct State<S: Sink> {
    ordered: S::Ordered,
    /// The number of the block whose turn it is.
    turn: u64,
    waiting: BTreeMap<u64, Done<S::Chunk>>,
    /// The input of the last block, and the line on which its next one begins.
    input: usize,
    line: u64,
}

impl<'s, S: Sink> Order<'s, S> {
    pub(crate) fn new(sink: &'s S, ordered: S::Ordered, threads: usize) -> Self {
        let state = State { ordered, turn: 0, waiting: BTreeMap::new(), input: 0, line: 1 };
        Order {
            sink,
            state: Mutex::new(state),
            moved_on: Condvar::new(),
            stopped: AtomicBool::new(false),
            waiting: WAITING * threads,
        }
    }

    /// Whether the sink has had enough.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Hands a block on if it is its turn, and all that waited for it; else it waits.
    pub(crate) fn deliver(&self, done: Done<S::Chunk>) {
        let number = done.filled.number;
        let mut state = self.lock();
        state.waiting.insert(number, done);
        while let Some(done) = state.next() {
            if !self.is_stopped() {
                let block = state.place(&done);
                if self.sink.deliver(&mut state.ordered, done.chunk, &block).is_break() {
                    self.stopped.store(true, Ordering::Relaxed);
                }
            }
        }
        self.moved_on.notify_all();
        // A worker that is far ahead waits for the one whose turn it is, which never waits itself.
        while state.waiting.len() > self.waiting && number != state.turn && !self.is_stopped() {
            state = self.moved_on.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn into_ordered(self) -> S::Ordered {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).ordered
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Sink> State<S> {
    /// The block whose turn it is.
    fn next(&mut self) -> Option<Done<S::Chunk>> {
        let done = self.waiting.remove(&self.turn)?;
        self.turn += 1;
        Some(done)
    }

    /// Where a block stands, and with it where the next one begins.
    fn place(&mut self, done: &Done<S::Chunk>) -> Block {
        let FilledBlock { input, name, skipped, .. } = &done.filled;
        if self.input != *input {
            (self.input, self.line) = (*input, 1);
        }
        let first_line = self.line + skipped.1;
        self.line = first_line + done.newlines;
        Block { input: *input, name: name.clone(), first_line }
    }
}
