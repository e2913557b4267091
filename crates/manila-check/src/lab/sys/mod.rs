//! What is asked of the operating system: a process that starts programs for us, what it shares with
//! us, and descriptors that neither wait nor leak. All `unsafe` of this crate is in this folder.
//!
//! ```text
//! this process ─▶ starter ─▶ keeper, one per run ─▶ the program ─▶ whatever it starts
//! ```
//!
//! The starter is forked once, when the lab is opened, and enters namespaces in which there is no
//! network. For each seat it puts a file system together, in a mount namespace that the seat's runs share
//! until one of them has written to it. For each run it forks a keeper, the first process of a namespace
//! of processes, which enters that file system: when the keeper ends, everything of the run ends. Both run nothing but calls that are safe after a fork in a process
//! with many threads, and neither allocates; what they need stands in memory that is shared with us.
//! As the program is the keeper's child, we learn how it ended even where SIGCHLD is ignored.

mod inside;
mod message;
#[cfg(target_os = "linux")]
mod mount;
mod sheet;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
mod special;
mod starter;
mod step;

pub(crate) use inside::{Order, Told};
pub(crate) use sheet::{Call, Start};
pub(crate) use starter::{Control, Given, Heard, Seat, Starter, Wanted};
pub(crate) use step::{Action, Step, Steps};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

/// Waits until one of these has something to read or is at its end, the time is over or a signal
/// came; tells which are ready.
pub(crate) fn wait_for<const N: usize>(
    fds: [Option<BorrowedFd<'_>>; N],
    limit: Duration,
) -> io::Result<[bool; N]> {
    let mut asked: Vec<PollFd<'_>> =
        fds.iter().flatten().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
    let limit = Timespec {
        tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: limit.subsec_nanos().into(),
    };
    match poll(&mut asked, Some(&limit)) {
        Ok(_) => {}
        Err(Errno::INTR) => return Ok([false; N]),
        Err(error) => return Err(error.into()),
    }
    let mut told = asked.iter().map(|fd| !fd.revents().is_empty());
    Ok(fds.map(|fd| fd.is_some() && told.next().unwrap_or(false)))
}

/// Reads what there is: nothing if there is nothing yet, and nought bytes at the end. That of a
/// terminal is an error, which is none here.
pub(crate) fn read_some(from: impl AsFd, into: &mut [u8]) -> io::Result<Option<usize>> {
    match rustix::io::read(from, into) {
        Ok(read) => Ok(Some(read)),
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        Err(Errno::IO) => Ok(Some(0)),
        Err(error) => Err(error.into()),
    }
}

/// Makes reading never wait.
pub(crate) fn unblock(fd: impl AsFd) -> io::Result<()> {
    let fd = fd.as_fd();
    Ok(fcntl_setfl(fd, fcntl_getfl(fd)? | OFlags::NONBLOCK)?)
}
