//! What is asked of the operating system: a process that starts programs for us, what it shares
//! with us, and descriptors that neither wait nor leak. All `unsafe` of this crate is in this
//! directory.
//!
//! ```text
//! this process ─▶ fork_server ─▶ init, one per run ─▶ the program ─▶ whatever it starts
//! ```
//!
//! The fork server is forked once, when the lab is opened, and enters namespaces in which there is
//! no network. For each slot it sets up a file system, in a mount namespace that the slot's runs
//! share until one of them has written to it. For each run it forks an init, the first process of a
//! pid namespace, which enters that file system: when the init ends, everything of the run ends.
//! Both make only calls that are safe after a fork in a process with many threads, and neither
//! allocates; what they need is in memory that is shared with us. As the program is the init's
//! child, its exit status is known even where SIGCHLD is ignored.

mod child;
mod errno;
#[cfg(not(target_os = "linux"))]
mod fallback;
mod fork_server;
#[cfg(target_os = "linux")]
mod linux;
mod message;
#[cfg(target_os = "linux")]
mod mount;
mod rules;
mod shared_page;
mod step;

pub(crate) use child::{Event, Order};
pub(crate) use fork_server::{Control, ForkServer, Given, Received, Slot, Wanted};
pub(crate) use shared_page::{Call, Start};
pub(crate) use step::{Action, Step, Steps};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

/// Waits until one of these has something to read or is at its end, the time is over or a signal
/// came; returns which are ready.
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
    let mut ready = asked.iter().map(|fd| !fd.revents().is_empty());
    Ok(fds.map(|fd| fd.is_some() && ready.next().unwrap_or(false)))
}

/// Reads what there is: nothing if there is nothing yet, and zero bytes at the end. That of a
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
