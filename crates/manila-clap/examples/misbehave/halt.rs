//! Ways to run without end, and to print through C.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::Command;

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

/// Becomes another program, or says why it cannot.
pub(crate) fn exec() -> io::Error {
    Command::new("echo").arg("executed").exec()
}

/// Continues in a copy of the process, once this one has ended in its way.
pub(crate) fn daemonize(how: &str) {
    // SAFETY: plain calls; there is one thread.
    unsafe {
        let first = libc::getpid();
        match (libc::fork(), how) {
            (0, _) => while libc::getppid() == first {},
            (_, "exit") => std::process::exit(0),
            _ => libc::_exit(0),
        }
    }
}

/// Waits until there is no child, as the first process of a container does.
pub(crate) fn wait_for_all() {
    // SAFETY: a plain call.
    while unsafe { libc::wait(std::ptr::null_mut()) } >= 0 {}
}

pub(crate) fn printing(format: &std::ffi::CStr) {
    // SAFETY: a constant without directives.
    unsafe { libc::printf(format.as_ptr()) };
}
