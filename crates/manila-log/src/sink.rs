//! What receives the records of a scan, and what it is given.

use crate::verdict::Verdict;
use std::ops::ControlFlow;
use std::sync::Arc;

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
    /// The view of the record.
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
/// caller of [`scan`](crate::scan) merges at the end. What has an order, or needs line numbers, goes into a
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
