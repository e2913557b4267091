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

#[cfg(all(unix, not(manila_portable)))]
/// The answer of a run that a signal or the time limit ends. It is prepared before the handler runs, and a
/// signal handler writes it: that allocates nothing and takes no lock.
pub(crate) trait PreparedAnswer {
    /// The bytes, the stream they belong on, and the status of the process. A signal of 0 stands for
    /// the time limit.
    fn write(&mut self, elapsed_ms: u64, signal: i32) -> (&[u8], manila::Stream, i32);
}
