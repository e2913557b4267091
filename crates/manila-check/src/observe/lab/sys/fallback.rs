//! What other systems than Linux do instead, or leave.
#![expect(unsafe_code, reason = "calls of the system that have no safe form")]

use super::rules::{Namespaces, Rules};
use super::step::Steps;
use libc::c_int;
use std::ops::Range;

/// A file system for runs, of which there is none.
pub(super) struct FileSystem {
    pub(super) namespace: c_int,
    pub(super) top: c_int,
}

pub(super) struct Failure {
    pub(super) error: c_int,
    pub(super) step: c_int,
}

/// Memory that is left out of copies, of which there is none.
pub(super) fn allocated() -> Vec<Range<usize>> {
    Vec::new()
}

pub(super) unsafe fn leave_out(_: &[Range<usize>]) {}

pub(super) unsafe fn base() -> c_int {
    -1
}

pub(super) unsafe fn build(_: &Steps, _: c_int) -> Result<FileSystem, Failure> {
    Err(Failure { error: libc::ENOSYS, step: 0 })
}

pub(super) unsafe fn enter_file_system(_: c_int) -> bool {
    false
}

pub(super) unsafe fn drop_rights(_: &Rules<'_>) {}

pub(super) unsafe fn unshare(_: bool) -> bool {
    false
}

pub(super) unsafe fn loopback() {}

pub(super) unsafe fn prepare_init(_: &Rules<'_>) {}

pub(super) unsafe fn kill_children() {}

pub(super) unsafe fn be_watched() -> bool {
    false
}

pub(super) unsafe fn wait_for_child_or(asked: *mut libc::pollfd) -> c_int {
    // SAFETY: the place is the caller's. A child that ends just before is seen a little later.
    unsafe { libc::poll(asked, 1, 5) }
}

/// A copy of this process; there are no namespaces.
pub(super) unsafe fn new_process(namespaces: Namespaces) -> c_int {
    if namespaces != Namespaces::None {
        return -1;
    }
    // SAFETY: both continue with system calls alone.
    unsafe { libc::fork() }
}
