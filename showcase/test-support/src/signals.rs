//! Programs that start as at a prompt, whatever started the tests.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// A shell that starts the tests in the background has some signals ignored, and `nohup` others: the program
/// starts as it does at a prompt.
#[expect(unsafe_code, reason = "the dispositions of a child have no safe interface")]
pub fn default_signals(command: &mut Command) {
    // SAFETY: `signal` may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
}
