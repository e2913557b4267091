//! Writing that loses nothing, and the guard that keeps stdout for the answer.

use super::call::{file, replace_stdout, stderr, stdout, wait_until_writable};
use super::end::{ASKED, GRACE, HURRIED, end_of};
use manila::Stream;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::time::Instant;

/// As much as a pipe takes without blocking once `poll` says that it takes something.
const PIECE: usize = 4096;

/// Writes to a stream of the process, to the real stdout if it is guarded.
pub(crate) fn write(stream: Stream, guard: Option<&Guard>, bytes: &[u8]) -> io::Result<()> {
    match (stream, guard) {
        (Stream::Stderr, _) => write_all(stderr(), bytes),
        (Stream::Stdout, Some(guard)) => write_all(guard.real.as_fd(), bytes),
        (Stream::Stdout, None) => write_all(stdout(), bytes),
    }
}

/// Writes everything, however slow the reader is. Once a signal wants the process to end, a reader
/// has [`GRACE`] left.
pub(super) fn write_all(to: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    let mut deadline = None;
    while !bytes.is_empty() {
        let mut piece = bytes;
        if HURRIED.load(SeqCst) {
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + GRACE);
            if !takes_more(to, deadline) {
                end_of(ASKED.load(SeqCst));
            }
            piece = &bytes[..bytes.len().min(PIECE)];
        }
        let error = match file(to).write(piece) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                continue;
            }
            Err(error) => error,
        };
        match error.kind() {
            io::ErrorKind::Interrupted => {}
            // Another process that shares the descriptor made it non-blocking.
            io::ErrorKind::WouldBlock => drop(wait_until_writable(to, None)),
            // A terminal that is gone counts as a closed pipe.
            _ if error.raw_os_error() == Some(libc::EIO) && is_device(to) => {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            _ => return Err(error),
        }
    }
    Ok(())
}

/// Waits until a descriptor takes at least [`PIECE`] bytes; false once the deadline has passed.
fn takes_more(to: BorrowedFd<'_>, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        match wait_until_writable(to, Some(left)) {
            Ok(false) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return true,
        }
    }
}

/// Whether it is, or was, a terminal: one that is gone no longer says so.
fn is_device(fd: BorrowedFd<'_>) -> bool {
    file(fd).metadata().is_ok_and(|metadata| metadata.file_type().is_char_device())
}

/// Empties the buffers of this process before descriptor 1.
pub(crate) fn flush() {
    let _ = io::stdout().flush();
    // SAFETY: flushing every stream of C is always allowed.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Keeps the real stdout for the answer.
///
/// Descriptor 1 is stderr meanwhile, so that whatever the program, a library, a child, a daemon or an
/// `exec` prints is neither lost nor part of the answer, and no pipe has to be emptied.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(super) real: OwnedFd,
}

/// The memory file that descriptor 1 is while a command prints its answer.
pub(super) static CAPTURED: AtomicI32 = AtomicI32::new(-1);

impl Guard {
    /// Makes descriptor 1 a copy of stderr.
    pub(crate) fn raise() -> io::Result<Option<Guard>> {
        let real = stdout().try_clone_to_owned()?;
        replace_stdout(stderr())?;
        Ok(Some(Guard { real }))
    }

    /// Makes descriptor 1 a file in memory, for a command that prints its answer.
    pub(crate) fn capture() -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
        {
            flush();
            let memory = super::call::memory_file()?;
            replace_stdout(memory.as_fd())?;
            CAPTURED.store(std::os::fd::IntoRawFd::into_raw_fd(memory), SeqCst);
            // SAFETY: the function is there for as long as the process is, and may run between fork and exec.
            unsafe { libc::pthread_atfork(None, None, Some(release_in_child)) };
            Ok(())
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
        Err(io::ErrorKind::Unsupported.into())
    }

    /// What was captured, after which descriptor 1 is stderr again.
    pub(crate) fn captured() -> Option<Vec<u8>> {
        flush();
        let mut bytes = Vec::new();
        let memory = CAPTURED.swap(-1, SeqCst);
        if memory < 0 {
            return None;
        }
        let _ = replace_stdout(stderr());
        each_captured(memory, |piece| bytes.extend_from_slice(piece));
        Some(bytes)
    }

    /// Puts the real stdout back, for a command that turned out to have no JSON form.
    pub(crate) fn lower(&self) {
        flush();
        let _ = replace_stdout(self.real.as_fd());
    }
}

/// A process that was forked, such as a daemon, may print when the answer is long given: to stderr.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
extern "C" fn release_in_child() {
    if CAPTURED.swap(-1, SeqCst) >= 0 {
        let _ = replace_stdout(stderr());
    }
}

/// Reads what was captured, piece by piece, without allocating.
pub(super) fn each_captured(memory: RawFd, mut read: impl FnMut(&[u8])) {
    // SAFETY: the descriptor is never closed once it is stored.
    let memory = unsafe { BorrowedFd::borrow_raw(memory) };
    let (mut at, mut piece) = (0, [0; PIECE]);
    loop {
        match file(memory).read_at(&mut piece, at) {
            Ok(0) => return,
            Ok(length) => {
                read(&piece[..length]);
                at += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
