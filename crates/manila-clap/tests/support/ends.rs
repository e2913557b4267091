//! The ends of streams: terminals, pipes without a reader, disks that are full.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A terminal: the end that the test reads, and the one that programs write to.
pub(crate) fn terminal() -> (File, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    // SAFETY: the places are valid, and nothing else owns the descriptors that are put there.
    #[expect(unsafe_code, reason = "terminals have no safe interface here")]
    unsafe {
        use std::ptr::null_mut;
        let opened =
            libc::openpty(&raw mut ours, &raw mut theirs, null_mut(), null_mut(), null_mut());
        assert_eq!(opened, 0, "{}", io::Error::last_os_error());
        // No child inherits the end that the test reads.
        libc::fcntl(ours, libc::F_SETFD, libc::FD_CLOEXEC);
        (File::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
    }
}

/// Where a stream goes: there, or into a pipe that the test reads.
pub(super) fn given_or_pipe(given: Option<Stdio>) -> (Stdio, Option<PipeReader>) {
    if let Some(given) = given {
        return (given, None);
    }
    let (reader, writer) = io::pipe().expect("a pipe");
    (writer.into(), Some(reader))
}

/// The end of a pipe whose reader has closed it.
pub(crate) fn hung_up() -> PipeWriter {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    writer
}

/// A disk that is full.
pub(crate) fn full_disk() -> File {
    File::options().write(true).open("/dev/full").expect("Linux has one")
}

/// A pipe whose writers get `EAGAIN` instead of waiting.
pub(crate) fn nonblocking() -> (PipeReader, PipeWriter) {
    let (reader, writer) = io::pipe().expect("a pipe");
    let flags = fcntl_getfl(&writer).expect("flags");
    fcntl_setfl(&writer, flags | OFlags::NONBLOCK).expect("flags are set");
    (reader, writer)
}

/// Waits until a pipe takes no more, so that its writer waits too. How many bytes that are depends
/// on the pieces they were written in: a pipe has a limited number of pages, and not every page is
/// full.
#[track_caller]
pub(crate) fn full(pipe: &impl AsFd) {
    let path = format!("/proc/self/fd/{}", pipe.as_fd().as_raw_fd());
    let writer = File::options().write(true).open(path).expect("the other end of the pipe");
    let late = Instant::now() + Duration::from_secs(300);
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    while poll(&mut [PollFd::new(&writer, PollFlags::OUT)], Some(&now)).expect("a pipe") > 0 {
        assert!(Instant::now() < late, "nothing fills the pipe");
        std::thread::yield_now();
    }
}
