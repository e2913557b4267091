//! Ways to run without end, and to print through C.

use std::io::{self, Write};

pub(crate) fn spin() -> ! {
    ready();
    loop {
        std::hint::spin_loop();
    }
}

pub(crate) fn sleep() -> ! {
    ready();
    loop {
        // SAFETY: a plain call.
        unsafe { libc::pause() };
    }
}

/// Signals to a waiting test that it may continue.
pub(crate) fn ready() {
    let _ = io::stderr().write_all(b"ready\n");
}

pub(crate) fn printing(format: &std::ffi::CStr) {
    // SAFETY: a constant without directives.
    unsafe { libc::printf(format.as_ptr()) };
}
