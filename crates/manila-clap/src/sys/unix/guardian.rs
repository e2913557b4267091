//! A second process that saves what a command printed if the first ends without an answer: it is killed, aborts
//! or becomes another program with `exec`.
//!
//! It is forked before the command runs, holds nothing but stderr and the file in memory, and has ended before
//! the answer is complete. It makes only calls that are allowed between fork and exec.

use super::call::{checked, each_piece, stderr};
use super::end::exit_now;
use super::kernel;
use super::output::write_all;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

/// How often what the program prints that took the place of this one is copied, in milliseconds.
const OFTEN: i32 = 20;

/// How long its end is waited for, in milliseconds.
const PATIENCE: i32 = 1000;

/// This process's end of the connection to the guardian.
static LINK: AtomicI32 = AtomicI32::new(-1);

/// Starts the guardian of what is printed into a file in memory.
pub(super) fn start(memory: BorrowedFd<'_>) -> io::Result<()> {
    if adopts() {
        return Ok(());
    }
    // Both ends are closed by `exec`, which the guardian notices.
    let (ours, theirs) = UnixStream::pair()?;
    let process = this_process()?;
    let kept = [memory.as_raw_fd(), process.as_raw_fd(), theirs.as_raw_fd()];
    // SAFETY: the child makes only calls that are allowed between fork and exec.
    let child = checked(unsafe { libc::fork() })?;
    if child == 0 {
        // A grandchild is not this process's to wait for.
        // SAFETY: as above.
        match unsafe { libc::fork() } {
            0 => guard(kept),
            grandchild => exit_now(u8::from(grandchild < 0)),
        }
    }
    let mut status = 0;
    // SAFETY: the child is this process's own.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } < 0 {
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            break;
        }
    }
    if status == 0 {
        LINK.store(ours.into_raw_fd(), SeqCst);
    }
    Ok(())
}

/// Whether the guardian would be a child of this process, which may wait until it has none: it is the first of a
/// container, or asked for those that lose their parent. With the first of a container every other ends anyway.
fn adopts() -> bool {
    let mut is_asked: libc::c_int = 0;
    // SAFETY: the call writes a number of the type that it is given.
    unsafe { libc::prctl(libc::PR_GET_CHILD_SUBREAPER, &raw mut is_asked) };
    is_asked != 0 || kernel::process_id() == 1
}

/// Ends the guardian: what was printed is in the answer or on stderr. Handlers of signals may call it.
pub(super) fn dismiss() {
    let link = LINK.swap(-1, SeqCst);
    if link < 0 {
        return;
    }
    // Its end closes the connection: no process is left behind.
    // SAFETY: the descriptor is open and nothing else uses it, and there are one byte and one entry.
    unsafe {
        let byte = 1_u8;
        let mut watched = libc::pollfd { fd: link, events: libc::POLLIN, revents: 0 };
        libc::send(link, (&raw const byte).cast(), 1, libc::MSG_NOSIGNAL);
        libc::poll(&raw mut watched, 1, PATIENCE);
        libc::close(link);
    }
}

/// A process that was forked is not guarded.
pub(super) fn forget() {
    LINK.store(-1, SeqCst);
}

/// A descriptor that says when this process ends, whatever program it is by then.
fn this_process() -> io::Result<OwnedFd> {
    // SAFETY: the new descriptor has no other owner.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, kernel::process_id(), 0);
        let fd = checked(libc::c_int::try_from(fd).unwrap_or(-1))?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

/// Waits for the end of the first process, and writes what it printed to stderr unless it has answered.
fn guard(kept: [RawFd; 3]) -> ! {
    let [memory, process, link] = kept;
    detach(kept);
    let watch = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let mut watched = [watch(process), watch(link)];
    loop {
        // SAFETY: there are two entries.
        unsafe { libc::poll(watched.as_mut_ptr(), 2, -1) };
        if watched[1].revents != 0 {
            let mut byte = 0_u8;
            // SAFETY: there is room for one byte.
            match unsafe { libc::recv(link, (&raw mut byte).cast(), 1, 0) } {
                1 => exit_now(0),
                _ => break,
            }
        }
        if watched[0].revents != 0 {
            break;
        }
    }
    // It is over, or another program by now, whose output goes where the other's would have gone.
    let mut at = 0;
    loop {
        // SAFETY: there is one entry.
        let is_over = unsafe { libc::poll(watched.as_mut_ptr(), 1, OFTEN) } > 0;
        // SAFETY: the descriptor is open for as long as this process is.
        let memory = unsafe { BorrowedFd::borrow_raw(memory) };
        at = each_piece(memory, at, |piece| {
            let _ = write_all(stderr(), piece);
        });
        if is_over {
            exit_now(0);
        }
    }
}

/// Keeps nothing else open, and no signal from ending this: a terminal or a caller that ends a group means the others.
fn detach(mut kept: [RawFd; 3]) {
    kept.sort_unstable();
    // SAFETY: plain calls; only descriptors that this process does not need are closed.
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
        libc::setsid();
        let mut from = libc::STDERR_FILENO + 1;
        for fd in kept {
            close_from(from, fd - 1);
            from = fd + 1;
        }
        close_from(from, libc::c_int::MAX);
        close_from(libc::STDIN_FILENO, libc::STDOUT_FILENO);
    }
}

/// Closes the descriptors of a range, where the system can; without that a reader may have to wait a little longer.
unsafe fn close_from(first: RawFd, last: RawFd) {
    if first <= last {
        // SAFETY: the caller needs none of them.
        unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
    }
}
