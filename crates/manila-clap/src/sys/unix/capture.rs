//! What a command prints as its answer, kept in a file in memory that descriptor 1 is meanwhile.

use super::call::{each_piece, replace_stdout, stderr};
use super::end::BEFORE_END;
use super::output::{flush, write_all};
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

/// The file, while descriptor 1 is a copy of it.
static CAPTURED: AtomicI32 = AtomicI32::new(-1);

/// Makes descriptor 1 a file in memory.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub(crate) fn capture() -> io::Result<()> {
    use std::os::fd::{AsFd, IntoRawFd};
    flush();
    let memory = super::call::memory_file()?;
    // Without a guardian the text is only as safe as this process.
    #[cfg(target_os = "linux")]
    let _ = super::guardian::start(memory.as_fd());
    replace_stdout(memory.as_fd())?;
    CAPTURED.store(memory.into_raw_fd(), SeqCst);
    BEFORE_END.store(show_captured as *mut (), SeqCst);
    // SAFETY: the function is there for as long as the process is, and may run between fork and exec.
    unsafe { libc::pthread_atfork(None, None, Some(release_in_child)) };
    Ok(())
}

/// There is no file in memory here.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub(crate) fn capture() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// What was captured, after which descriptor 1 is stderr again.
pub(crate) fn captured() -> Option<Vec<u8>> {
    flush();
    let memory = file(CAPTURED.swap(-1, SeqCst))?;
    let _ = replace_stdout(stderr());
    let mut bytes = Vec::new();
    each_piece(memory, 0, |piece| bytes.extend_from_slice(piece));
    Some(bytes)
}

/// Writes what was captured to stderr, for a run that is ended. Handlers of signals may call it.
fn show_captured() {
    if let Some(memory) = file(CAPTURED.load(SeqCst)) {
        each_piece(memory, 0, |piece| {
            let _ = write_all(stderr(), piece);
        });
        dismiss_guardian();
    }
}

/// What was captured is in the answer or on stderr, and needs no guardian any more.
pub(crate) fn dismiss_guardian() {
    #[cfg(target_os = "linux")]
    super::guardian::dismiss();
}

/// A process that was forked, such as a daemon, may print when the answer is long given: to stderr.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
extern "C" fn release_in_child() {
    #[cfg(target_os = "linux")]
    super::guardian::forget();
    if CAPTURED.swap(-1, SeqCst) >= 0 {
        let _ = replace_stdout(stderr());
    }
}

fn file<'fd>(memory: i32) -> Option<BorrowedFd<'fd>> {
    // SAFETY: the descriptor is never closed once it is stored.
    (memory >= 0).then(|| unsafe { BorrowedFd::borrow_raw(memory) })
}
