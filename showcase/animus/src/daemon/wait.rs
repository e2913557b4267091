//! Wait for a readable descriptor, with a timeout.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io;
use std::os::fd::AsFd;

/// Whether there is something to be read, or an end, before so many seconds are over. A signal ends
/// the wait too.
pub(crate) fn is_readable(source: impl AsFd, seconds: u32) -> io::Result<bool> {
    let limit = Timespec { tv_sec: seconds.into(), tv_nsec: 0 };
    match poll(&mut [PollFd::new(&source, PollFlags::IN)], Some(&limit)) {
        Err(Errno::INTR) => Ok(false),
        ready => Ok(ready? > 0),
    }
}
