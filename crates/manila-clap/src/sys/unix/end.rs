//! The end of the process: what was asked for, how long it may take, and ending at once.

use super::kernel;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering::SeqCst};
use std::time::Duration;

/// How long a run that was asked to end may take to do so.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// The signal that asked the run to end.
pub(super) static ASKED: AtomicI32 = AtomicI32::new(0);
/// The status of the prepared answer, once it is being written.
pub(super) static STATUS: AtomicI32 = AtomicI32::new(0);
/// What to do before the prepared answer is written; a program that captures nothing does not link it.
pub(super) static BEFORE_END: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
/// Whether the answer is being written, so that a signal must not have to wait for a reader.
pub(super) static ANSWERING: AtomicBool = AtomicBool::new(false);
/// Whether the answer has only [`GRACE`] left to be written in.
pub(super) static HURRIED: AtomicBool = AtomicBool::new(false);

pub(crate) fn process_id() -> u32 {
    kernel::process_id().cast_unsigned()
}

/// Ends the process although not everything is written: with the status of the prepared answer, or else
/// as the signal does.
pub(super) fn end_of(signal: i32) -> ! {
    match STATUS.load(SeqCst) {
        0 => die_of(signal),
        status => exit_now(u8::try_from(status).unwrap_or(1)),
    }
}

/// Calls the function at a place, once.
pub(super) fn call_once(place: &AtomicPtr<()>) {
    let function = place.swap(std::ptr::null_mut(), SeqCst);
    if !function.is_null() {
        // SAFETY: only functions of this type are stored.
        let function: fn() = unsafe { std::mem::transmute(function) };
        function();
    }
}

/// Ends the process without running anything else.
pub(crate) fn exit_now(status: u8) -> ! {
    kernel::exit(status)
}

/// Ends the process as if the signal had never been caught.
pub(super) fn die_of(signal: i32) -> ! {
    // SAFETY: a plain call that is allowed in handlers; none of ours blocks its own signal.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, &raw const default, std::ptr::null_mut());
    }
    kernel::signal_self(signal);
    exit_now(u8::MAX)
}
