//! Calls of the kernel that are made by number where the system allows it.
//!
//! Every program with the standard library has `syscall`. Each other function of C's library that only this crate
//! calls would be looked up at the start of every run, at some 600 instructions.

use libc::c_int;

/// Makes a descriptor a copy of another.
pub(super) fn duplicate(from: c_int, to: c_int) -> c_int {
    // Where stdout was closed, what takes its place may have its number already. `dup3` refuses that.
    if from == to {
        return to;
    }
    #[cfg(target_os = "linux")]
    return call(libc::SYS_dup3, [from.into(), to.into(), 0]);
    // SAFETY: both are numbers of descriptors.
    #[cfg(not(target_os = "linux"))]
    return unsafe { libc::dup2(from, to) };
}

/// Ends the process without running anything else.
pub(super) fn exit(status: u8) -> ! {
    #[cfg(target_os = "linux")]
    {
        call(libc::SYS_exit_group, [status.into(), 0, 0]);
        std::process::abort()
    }
    // SAFETY: nothing runs after it.
    #[cfg(not(target_os = "linux"))]
    unsafe {
        libc::_exit(status.into())
    }
}

/// The number of this process.
pub(super) fn process_id() -> c_int {
    #[cfg(target_os = "linux")]
    return call(libc::SYS_getpid, [0; 3]);
    #[cfg(not(target_os = "linux"))]
    return std::process::id().cast_signed();
}

/// The number of the process that started this one.
pub(super) fn parent_id() -> c_int {
    #[cfg(target_os = "linux")]
    return call(libc::SYS_getppid, [0; 3]);
    // SAFETY: a plain call.
    #[cfg(not(target_os = "linux"))]
    return unsafe { libc::getppid() };
}

/// Sends this process a signal.
pub(super) fn signal_self(signal: c_int) {
    #[cfg(target_os = "linux")]
    call(libc::SYS_kill, [process_id().into(), signal.into(), 0]);
    // SAFETY: a plain call.
    #[cfg(not(target_os = "linux"))]
    unsafe {
        libc::kill(process_id(), signal);
    }
}

/// Asks a terminal for its size; negative if the descriptor is none.
pub(super) fn window_size(terminal: c_int, size: &mut libc::winsize) -> c_int {
    #[cfg(target_os = "linux")]
    {
        let size = std::ptr::from_mut(size) as libc::c_long;
        #[allow(
            clippy::cast_possible_wrap,
            reason = "its type is not the same in every C library, and it is small"
        )]
        let request = libc::TIOCGWINSZ as libc::c_long;
        call(libc::SYS_ioctl, [terminal.into(), request, size])
    }
    // SAFETY: the call writes a size of the type that it is given.
    #[cfg(not(target_os = "linux"))]
    unsafe {
        libc::ioctl(terminal, libc::TIOCGWINSZ, std::ptr::from_mut(size))
    }
}

/// Lets other threads run.
pub(super) fn yield_now() {
    #[cfg(target_os = "linux")]
    call(libc::SYS_sched_yield, [0; 3]);
    #[cfg(not(target_os = "linux"))]
    std::thread::yield_now();
}

#[cfg(target_os = "linux")]
fn call(number: libc::c_long, [first, second, third]: [libc::c_long; 3]) -> c_int {
    // SAFETY: the functions above pass numbers, or a pointer to what the call writes.
    let result = unsafe { libc::syscall(number, first, second, third) };
    // Their results fit.
    c_int::try_from(result).unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_may_take_its_own_place() {
        assert_eq!(duplicate(libc::STDOUT_FILENO, libc::STDOUT_FILENO), libc::STDOUT_FILENO);
        assert_eq!(duplicate(-1, libc::STDOUT_FILENO), -1);
    }
}
