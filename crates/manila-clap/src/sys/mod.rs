//! Everything the boundary asks of the operating system; the only module with unsafe code.
//!
//! Where there is no Unix the same functions do less: no guard, no signals, no time limit.

#[cfg(all(unix, not(manila_portable)))]
mod unix;
#[cfg(all(unix, not(manila_portable)))]
pub(crate) use unix::*;

#[cfg(any(not(unix), manila_portable))]
mod portable;
#[cfg(any(not(unix), manila_portable))]
pub(crate) use portable::*;

/// What a run says when it is ended from outside, prepared while there is still time.
#[derive(Debug, Default)]
pub(crate) struct LastWords {
    /// What is written.
    pub(crate) words: Vec<u8>,
    /// Where the milliseconds since the start go.
    pub(crate) hole: Option<std::ops::Range<usize>>,
    /// Whether it goes to standard error.
    pub(crate) to_stderr: bool,
    /// The status of the process for a signal's number, 0 standing for the time limit.
    pub(crate) statuses: Vec<(i32, i32)>,
}

/// What stood on standard output that belongs to no answer.
#[derive(Debug, Default)]
pub(crate) struct Stray {
    /// The beginning of it.
    pub(crate) beginning: Vec<u8>,
    /// How many bytes it had in all.
    pub(crate) total: u64,
}
