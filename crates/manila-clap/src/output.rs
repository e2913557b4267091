//! What a run writes: the bytes of both streams and the exit status.

use manila::Stream;

/// What goes out: everything is known before the first byte is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) status: i32,
    /// The stream that the answer is on; the other has what is beside it.
    pub(crate) answer: Stream,
}
