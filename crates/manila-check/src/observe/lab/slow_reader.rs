//! A reader that is slow: it lets a pipe fill before it begins to read.

use super::fair_timer::{Activity, Expiry, FairTimer};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// How long it is slow after the pipe is full, and after which time nothing more is expected to fill it.
const AFTER_FULL: Duration = Duration::from_millis(10);
const QUIET: Duration = Duration::from_millis(100);
/// Writes of this size are whole, so a pipe with less room than this is full.
const PIPE_PAGE: u64 = 4 << 10;

/// How far it is with being slow.
#[derive(Debug, Default)]
pub(super) struct SlowReader {
    level: u64,
    quiet: Option<FairTimer>,
    full: Option<Instant>,
}

impl SlowReader {
    /// Looks at the pipe, and returns whether it is time to read.
    pub(super) fn check(
        &mut self,
        pipe: BorrowedFd<'_>,
        now: Instant,
        activity: impl FnOnce() -> Option<Activity>,
    ) -> bool {
        let level = rustix::io::ioctl_fionread(pipe).unwrap_or(0);
        if level != self.level {
            (self.level, self.quiet) = (level, Some(FairTimer::new(now, QUIET)));
        }
        if level + PIPE_PAGE > capacity(pipe) {
            self.full.get_or_insert(now);
        }
        let is_full = self.full.is_some_and(|full| now >= full + AFTER_FULL);
        let quiet = self.quiet.as_mut().filter(|_| level > 0);
        is_full || quiet.is_some_and(|quiet| quiet.check(now, activity) != Expiry::Pending)
    }
}

#[cfg(target_os = "linux")]
fn capacity(pipe: BorrowedFd<'_>) -> u64 {
    rustix::pipe::fcntl_getpipe_size(pipe).map_or(64 << 10, |size| size as u64)
}

#[cfg(not(target_os = "linux"))]
fn capacity(_: BorrowedFd<'_>) -> u64 {
    // What other systems have at least once a pipe is used.
    16 << 10
}
