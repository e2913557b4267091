//! Ends the process group of a program when this process dies in a way that leaves it no time to.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "a process that shares our memory is only made by clone")
)]

use super::Target;
use super::launch::Place;
use std::sync::Arc;
use std::sync::atomic::AtomicI32;

/// A process that does nothing but wait for our death. The program itself is killed by the system then;
/// this one kills what the program has started.
#[derive(Debug)]
pub(crate) struct Guardian {
    #[cfg(target_os = "linux")]
    _process: linux::Process,
}

impl Guardian {
    /// Guards the group of a program, where it has one of its own and the system can.
    pub(crate) fn of(target: Target) -> Option<Guardian> {
        if target.1 != Place::OwnGroup {
            return None;
        }
        Guardian::ahead(&Arc::new(AtomicI32::new(target.0.as_raw_nonzero().get())))
    }

    /// Guards a group that does not exist yet: what starts it stores its number.
    pub(crate) fn ahead(group: &Arc<AtomicI32>) -> Option<Guardian> {
        #[cfg(target_os = "linux")]
        return linux::Process::start(Arc::clone(group))
            .map(|process| Guardian { _process: process });
        #[cfg(not(target_os = "linux"))]
        None
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Pid, PidfdFlags, Signal};
    use std::ffi::{c_int, c_void};
    use std::mem::{self, MaybeUninit};
    use std::os::fd::OwnedFd;
    use std::ptr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI32, Ordering};

    const STACK: usize = 64 << 10;

    /// It shares our memory and our descriptors, so that it costs no copy of either, and holds nothing open
    /// that we close. It makes system calls and nothing else: what the C library keeps for each thread, it
    /// has in common with the thread that started it.
    #[derive(Debug)]
    pub(super) struct Process {
        id: libc::pid_t,
        /// In use until it is dead.
        _stack: Vec<MaybeUninit<u8>>,
        _task: Box<Task>,
    }

    #[derive(Debug)]
    struct Task {
        /// Readable when this process is dead.
        our_end: OwnedFd,
        /// 0 while there is no group.
        group: Arc<AtomicI32>,
    }

    impl Process {
        pub(super) fn start(group: Arc<AtomicI32>) -> Option<Process> {
            let ourselves = rustix::process::getpid();
            let our_end = rustix::process::pidfd_open(ourselves, PidfdFlags::empty()).ok()?;
            let task = Box::new(Task { our_end, group });
            let mut stack: Vec<MaybeUninit<u8>> = Vec::with_capacity(STACK);
            // SAFETY: one past the end of the allocation, which its stack grows down from.
            let top = unsafe { stack.as_mut_ptr().add(STACK) };
            let top = top.map_addr(|address| address & !15).cast::<c_void>();
            // No signal reports its end: programs that wait for any child must not see it.
            let flags = libc::CLONE_VM | libc::CLONE_FILES | libc::CLONE_FS;
            let argument = ptr::from_ref(&*task).cast_mut().cast::<c_void>();
            // SAFETY: sets of signals are numbers, and both live as long as the calls. What it is given lives
            // until it is dead, because `drop` waits for that. It is born with every signal blocked, so that
            // no handler of ours runs in it.
            let id = unsafe {
                let mut all: libc::sigset_t = mem::zeroed();
                let mut before: libc::sigset_t = mem::zeroed();
                libc::sigfillset(&raw mut all);
                libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
                let id = libc::clone(guard, top, flags, argument);
                libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
                id
            };
            (id != -1).then_some(Process { id, _stack: stack, _task: task })
        }
    }

    impl Drop for Process {
        fn drop(&mut self) {
            // SAFETY: it is our child, and nothing else waits for it.
            unsafe {
                libc::kill(self.id, libc::SIGKILL);
                while libc::waitpid(self.id, ptr::null_mut(), libc::__WALL) == -1
                    && std::io::Error::last_os_error().raw_os_error() == Some(libc::EINTR)
                {
                }
            }
        }
    }

    extern "C" fn guard(task: *mut c_void) -> c_int {
        // SAFETY: it lives as long as this process.
        let task = unsafe { &*task.cast::<Task>() };
        // A signal to our group or our terminal is not meant for it.
        let _ = rustix::process::setsid();
        let mut ends = [PollFd::new(&task.our_end, PollFlags::IN)];
        while poll(&mut ends, None).is_err() {}
        if let Some(group) = Pid::from_raw(task.group.load(Ordering::Acquire)) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        // SAFETY: the system call itself: nothing of ours may run in this process.
        unsafe { libc::syscall(libc::SYS_exit_group, 0) };
        0
    }
}
