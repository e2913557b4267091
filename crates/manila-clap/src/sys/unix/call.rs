//! The calls of the system that the standard library does not make for borrowed descriptors.
//!
//! They allocate nothing, so that handlers of signals may make them too.

use super::kernel;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd};
use std::os::unix::fs::FileExt;
use std::time::Duration;

pub(super) fn stdout() -> BorrowedFd<'static> {
    // SAFETY: the descriptor is never closed here.
    unsafe { BorrowedFd::borrow_raw(libc::STDOUT_FILENO) }
}

pub(super) fn stderr() -> BorrowedFd<'static> {
    // SAFETY: the descriptor is never closed here.
    unsafe { BorrowedFd::borrow_raw(libc::STDERR_FILENO) }
}

/// A descriptor as a file that is not closed.
pub(super) fn file(fd: BorrowedFd<'_>) -> ManuallyDrop<File> {
    // SAFETY: the descriptor is open, and not closed when the file is dropped.
    ManuallyDrop::new(unsafe { File::from_raw_fd(fd.as_raw_fd()) })
}

/// Makes descriptor 1 a copy of another.
pub(super) fn replace_stdout(with: BorrowedFd<'_>) -> io::Result<()> {
    checked(kernel::duplicate(with.as_raw_fd(), libc::STDOUT_FILENO)).map(drop)
}

/// Waits until a descriptor takes bytes, for as long as that, or without end. False if the time is
/// over.
pub(super) fn wait_until_writable(
    to: BorrowedFd<'_>,
    at_most: Option<Duration>,
) -> io::Result<bool> {
    let mut watched = libc::pollfd { fd: to.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: there is one entry.
    checked(unsafe { libc::poll(&raw mut watched, 1, milliseconds(at_most)) })
        .map(|ready| ready > 0)
}

/// Waits for that long, or until a signal arrives.
pub(super) fn pause(at_most: Option<Duration>) {
    // SAFETY: there is no entry.
    unsafe { libc::poll(std::ptr::null_mut(), 0, milliseconds(at_most)) };
}

/// What `poll` takes; a part of a millisecond is waited for as a whole one.
fn milliseconds(time: Option<Duration>) -> libc::c_int {
    time.map_or(-1, |time| i32::try_from(time.as_micros().div_ceil(1000)).unwrap_or(i32::MAX))
}

/// How many columns the terminal has that stdout is; nothing if it is none, or does not say so.
pub(crate) fn terminal_width() -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    checked(kernel::window_size(libc::STDOUT_FILENO, &mut size)).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Reads a file from this offset on, piece by piece; returns the offset of what may follow.
pub(super) fn each_piece(from: BorrowedFd<'_>, mut at: u64, mut read: impl FnMut(&[u8])) -> u64 {
    // A handler may run on a small stack.
    let mut piece = [0; 1024];
    loop {
        match file(from).read_at(&mut piece, at) {
            Ok(0) => return at,
            Ok(length) => {
                read(&piece[..length]);
                at += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return at,
        }
    }
}

/// A file in memory.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub(super) fn memory_file() -> io::Result<std::os::fd::OwnedFd> {
    // SAFETY: the name is a string of C, and the new descriptor has no other owner.
    unsafe {
        let fd = checked(libc::memfd_create(c"stdout".as_ptr(), libc::MFD_CLOEXEC))?;
        Ok(std::os::fd::OwnedFd::from_raw_fd(fd))
    }
}

pub(super) fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
