//! The number of the last error of this thread, read without allocating.
#![expect(unsafe_code, reason = "calls of the system that have no safe form")]

use libc::c_int;

/// # Safety
/// It may be called after a fork.
#[cfg(target_os = "linux")]
pub(super) unsafe fn last_error() -> c_int {
    // SAFETY: the place is this thread's own.
    unsafe { *libc::__errno_location() }
}

/// # Safety
/// It may be called after a fork.
#[cfg(not(target_os = "linux"))]
pub(super) unsafe fn last_error() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}
