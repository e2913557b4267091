//! The file system of a run, put together in a mount namespace of its own. It runs after a fork: no call
//! here allocates or takes a lock.
#![expect(unsafe_code, reason = "calls of the system that have no safe form")]

use super::errno::last_error;
use super::step::{Action, Step, Steps};
use libc::{c_char, c_int, c_ulong};
use std::ffi::CStr;
use std::ptr;

/// Options of the file system that holds everything new: small enough that a program that fills it does
/// no harm.
const OPTIONS: &CStr = c"mode=0755,size=256m,nr_inodes=64k";
/// The directory below the top that becomes the root.
const ROOT: &CStr = c"new";

/// What `mount_setattr` takes.
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

const READ_ONLY: u64 = 1;
const RECURSIVE: c_int = 0x8000;

/// A file system that is ready.
pub(super) struct FileSystem {
    /// The mount namespace.
    pub(super) namespace: c_int,
    /// The directory that holds everything new.
    pub(super) top: c_int,
}

/// Why there is none: the error, and the step that failed.
pub(super) struct Failure {
    pub(super) error: c_int,
    pub(super) step: c_int,
}

/// Makes later mounts this namespace's alone, and gives a way back to it.
pub(super) unsafe fn base() -> c_int {
    // SAFETY: texts that live as long as the program, and numbers.
    unsafe {
        let flags = libc::MS_REC | libc::MS_PRIVATE;
        if libc::mount(ptr::null(), c"/".as_ptr(), ptr::null(), flags, ptr::null()) != 0 {
            return -1;
        }
        namespace()
    }
}

unsafe fn namespace() -> c_int {
    // SAFETY: a text that lives as long as the program.
    unsafe { libc::open(c"/proc/self/ns/mnt".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) }
}

/// Enters a mount namespace, as root and working directory too.
pub(super) unsafe fn enter(namespace: c_int) -> bool {
    // SAFETY: it takes numbers only.
    unsafe { libc::setns(namespace, libc::CLONE_NEWNS) == 0 }
}

/// Puts a file system together, and comes back.
pub(super) unsafe fn build(steps: &Steps, base: c_int) -> Result<FileSystem, Failure> {
    // SAFETY: numbers, and texts that were written before the fork.
    unsafe {
        let mask = libc::umask(0);
        let made = put_together(steps);
        libc::umask(mask);
        // One that cannot come back is useless.
        if !enter(base) {
            libc::_exit(1);
        }
        made
    }
}

unsafe fn put_together(steps: &Steps) -> Result<FileSystem, Failure> {
    let failed = |step: usize| {
        // SAFETY: the place is this thread's own.
        let error = unsafe { last_error() };
        Failure { error, step: c_int::try_from(step).unwrap_or(c_int::MAX) }
    };
    let outside = steps.all.len();
    // SAFETY: as in `build`.
    unsafe {
        if libc::unshare(libc::CLONE_NEWNS) != 0 || !top(steps) {
            return Err(failed(outside));
        }
        let mut is_skipped = false;
        for (at, step) in steps.all.iter().enumerate() {
            if std::mem::take(&mut is_skipped) {
                continue;
            }
            let is_done = take(step);
            if !is_done && step.is_needed {
                return Err(failed(at));
            }
            is_skipped = is_done && step.action == Action::Overlay;
        }
        let top = libc::open(c".".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC);
        let namespace = namespace();
        if top < 0 || namespace < 0 || !become_root() {
            let failure = failed(outside);
            libc::close(top);
            libc::close(namespace);
            return Err(failure);
        }
        Ok(FileSystem { namespace, top })
    }
}

/// Everything new lies in memory.
unsafe fn top(steps: &Steps) -> bool {
    let path = &steps.top;
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    let kind = c"tmpfs".as_ptr();
    // SAFETY: texts that live long enough, and numbers.
    unsafe {
        libc::mount(kind, path.as_ptr(), kind, flags, OPTIONS.as_ptr().cast()) == 0
            && libc::chdir(path.as_ptr()) == 0
            && libc::mkdir(ROOT.as_ptr(), steps.root_mode) == 0
            && bind(ROOT.as_ptr(), ROOT.as_ptr(), 0)
    }
}

unsafe fn take(step: &Step) -> bool {
    let (source, target) = (step.source.as_ptr(), step.target.as_ptr());
    // SAFETY: the texts were written before the fork.
    unsafe {
        let is_there = || last_error() == libc::EEXIST;
        match step.action {
            Action::Directory(mode) => {
                libc::mkdir(target, 0o700) == 0 && libc::chmod(target, mode) == 0 || is_there()
            }
            Action::File => {
                let flags = libc::O_CREAT | libc::O_EXCL | libc::O_WRONLY | libc::O_CLOEXEC;
                let file = libc::open(target, flags, 0);
                libc::close(file);
                file >= 0 || is_there()
            }
            Action::Link => libc::symlink(source, target) == 0 || is_there(),
            Action::Bind => bind(source, target, 0),
            Action::BindReadOnly => {
                let is_done = bind(source, target, libc::MS_REC);
                if is_done && !protect(target) {
                    libc::umount2(target, libc::MNT_DETACH);
                    return false;
                }
                is_done
            }
            Action::Overlay => {
                let kind = c"overlay".as_ptr();
                libc::mount(kind, target, kind, 0, source.cast()) == 0
            }
        }
    }
}

unsafe fn bind(source: *const c_char, target: *const c_char, more: c_ulong) -> bool {
    // SAFETY: the caller's texts.
    unsafe {
        let flags = libc::MS_BIND | more;
        libc::mount(source, target, ptr::null(), flags, ptr::null()) == 0
    }
}

/// Nothing below this can be written from here.
unsafe fn protect(target: *const c_char) -> bool {
    let attributes = Attributes { set: READ_ONLY, clear: 0, propagation: 0, user_namespace: 0 };
    let size = size_of::<Attributes>();
    // SAFETY: the struct is as long as is said, and lives as long as the call.
    let done = unsafe {
        let call = libc::SYS_mount_setattr;
        libc::syscall(call, libc::AT_FDCWD, target, RECURSIVE, &raw const attributes, size)
    };
    done == 0
}

/// Makes the new root the only one: nothing leads back.
unsafe fn become_root() -> bool {
    // SAFETY: texts that live as long as the program.
    unsafe {
        let here = c".".as_ptr();
        libc::chdir(ROOT.as_ptr()) == 0
            && libc::syscall(libc::SYS_pivot_root, here, here) == 0
            && libc::umount2(here, libc::MNT_DETACH) == 0
            && libc::chdir(c"/".as_ptr()) == 0
    }
}
