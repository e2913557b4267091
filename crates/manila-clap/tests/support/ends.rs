//! The ends of streams: terminals, pipes that nobody reads, disks that are full.

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A terminal: the end that the test reads, and the one that programs write to.
pub(crate) fn terminal() -> (File, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    // SAFETY: the places are valid, and the descriptors that are put there belong to nobody else.
    #[expect(unsafe_code, reason = "terminals have no safe interface here")]
    unsafe {
        use std::ptr::null_mut;
        let opened =
            libc::openpty(&raw mut ours, &raw mut theirs, null_mut(), null_mut(), null_mut());
        assert_eq!(opened, 0, "{}", io::Error::last_os_error());
        // Nobody inherits the end that the test reads.
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

/// The end of a pipe whose reader has hung up.
pub(crate) fn hung_up() -> PipeWriter {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    writer
}

/// A disk that is full.
pub(crate) fn full_disk() -> File {
    File::options().write(true).open("/dev/full").expect("Linux has one")
}

/// A pipe whose writers are told to come back rather than to wait.
pub(crate) fn nonblocking() -> (PipeReader, PipeWriter) {
    let (reader, writer) = io::pipe().expect("a pipe");
    let flags = fcntl_getfl(&writer).expect("flags");
    fcntl_setfl(&writer, flags | OFlags::NONBLOCK).expect("flags are set");
    (reader, writer)
}

/// Waits until a pipe takes hardly any more, so that whoever writes much to it waits too. What is
/// written in small pieces never fills it to the last byte.
#[track_caller]
pub(crate) fn full(pipe: &impl AsFd) {
    let room = rustix::pipe::fcntl_getpipe_size(pipe).expect("a pipe") as u64;
    let enough = room - room / 16;
    let late = Instant::now() + Duration::from_secs(60);
    while rustix::io::ioctl_fionread(pipe).expect("a pipe") < enough {
        assert!(Instant::now() < late, "nobody fills the pipe");
        std::thread::yield_now();
    }
}
