//! Threads that no signal is delivered to.

use std::io;

/// Starts a thread that no signal is delivered to.
pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let work = move || {
        // SAFETY: the set is initialised, and the mask is this thread's own.
        unsafe {
            let mut all = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
        }
        work();
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
