//! Writing that loses nothing, and the guard that keeps stdout for the answer.

use super::call::{file, replace_stdout, stderr, stdout, wait_until_writable};
use super::end::{ANSWERING, ASKED, GRACE, HURRIED, end_of};
use manila::Stream;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// As much as a pipe takes without blocking once `poll` says that it takes something.
const PIECE: usize = 4096;
/// How long a signal that another thread received may go unnoticed.
const SLICE: Duration = Duration::from_millis(100);

/// Writes to a stream of the process, to the real stdout if it is guarded.
pub(crate) fn write(stream: Stream, guard: Option<&Guard>, bytes: &[u8]) -> io::Result<()> {
    match (stream, guard) {
        (Stream::Stderr, _) => write_all(stderr(), bytes),
        (Stream::Stdout, Some(guard)) => write_all(guard.real.as_fd(), bytes),
        (Stream::Stdout, None) => write_all(stdout(), bytes),
    }
}

/// Writes everything, however slow the reader is. Once a signal wants the process to end, a reader
/// has [`GRACE`] left. The answer waits in `poll` and not in `write`, which a signal does not interrupt.
pub(super) fn write_all(to: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    let mut deadline = None;
    while !bytes.is_empty() {
        let mut piece = bytes;
        if ANSWERING.load(SeqCst) || HURRIED.load(SeqCst) {
            if !takes_more(to, &mut deadline) {
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

/// Waits until a descriptor takes at least [`PIECE`] bytes; false once the deadline has passed, which there is
/// from the first signal on.
fn takes_more(to: BorrowedFd<'_>, deadline: &mut Option<Instant>) -> bool {
    loop {
        let mut wait = SLICE;
        if HURRIED.load(SeqCst) {
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + GRACE);
            wait = deadline.saturating_duration_since(Instant::now()).min(SLICE);
            if wait.is_zero() {
                return false;
            }
        }
        match wait_until_writable(to, Some(wait)) {
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

impl Guard {
    /// Makes descriptor 1 a copy of stderr.
    pub(crate) fn raise() -> io::Result<Option<Guard>> {
        let real = stdout().try_clone_to_owned()?;
        replace_stdout(stderr())?;
        Ok(Some(Guard { real }))
    }

    /// Puts the real stdout back, for a command that turned out to have no JSON form.
    pub(crate) fn lower(&self) {
        flush();
        let _ = replace_stdout(self.real.as_fd());
    }
}
