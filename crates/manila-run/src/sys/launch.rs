//! What a child process gets from us: arguments, environment, streams, directory and process group.
#![cfg_attr(
    target_os = "linux",
    expect(
        unsafe_code,
        reason = "posix_spawn has no way to ask for a signal at the death of the parent"
    )
)]

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicI32;

/// Where a program runs, as a terminal and a dying caller see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a process group of its own, so that everything it starts can be ended with it.
    #[default]
    OwnGroup,
    /// In our process group: it may use the terminal, and the terminal's signals reach it.
    Foreground,
}

/// A program that is about to be started.
#[derive(Debug)]
pub(crate) struct Launch {
    pub(crate) argv: Vec<OsString>,
    /// Every variable; `None` passes ours on.
    pub(crate) environment: Option<Vec<(OsString, OsString)>>,
    pub(crate) directory: Option<PathBuf>,
    /// `None` passes ours on.
    pub(crate) stdin: Option<OwnedFd>,
    /// `None` passes ours on.
    pub(crate) stdout: Option<OwnedFd>,
    pub(crate) stderr: OwnedFd,
    pub(crate) place: Place,
    /// Gets the number of its group before it is executed, on Linux.
    pub(crate) group: Option<Arc<AtomicI32>>,
}

/// Starts it with the standard library: where the system has no signal for the death of a parent.
#[cfg(not(target_os = "linux"))]
pub(super) fn start(launch: Launch) -> io::Result<u32> {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    let Launch { argv, environment, directory, stdin, stdout, stderr, place, group: _ } = launch;
    let mut argv = argv.into_iter();
    let mut command = Command::new(argv.next().unwrap_or_default());
    command.args(argv).stderr(stderr);
    command.stdout(stdout.map_or_else(Stdio::inherit, Stdio::from));
    command.stdin(stdin.map_or_else(Stdio::inherit, Stdio::from));
    if let Some(environment) = environment {
        command.env_clear().envs(environment);
    }
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    if place == Place::OwnGroup {
        command.process_group(0);
    }
    Ok(command.spawn()?.id())
}

/// Starts it so that it is killed when the calling thread dies.
///
/// The child shares our memory until it is executed, as with `posix_spawn`, so a large heap costs nothing.
/// `posix_spawn` itself cannot ask for a signal at the death of the parent.
#[cfg(target_os = "linux")]
pub(super) fn start(launch: Launch) -> io::Result<u32> {
    linux::Prepared::new(launch)?.start()
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Arc, AtomicI32, Launch, OwnedFd, Place, io};
    use std::env;
    use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
    use std::iter;
    use std::mem::{self, MaybeUninit};
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::ptr;
    use std::sync::atomic::Ordering;

    /// Much more than the child's one function needs.
    const STACK: usize = 64 << 10;
    /// The highest signal, and then one.
    const SIGNALS: c_int = 65;

    /// All that the child needs, made before it exists: it must not allocate in memory that it shares.
    pub(super) struct Prepared {
        /// The files to try, in the order of `PATH`.
        candidates: Vec<CString>,
        argv: Strings,
        environment: Strings,
        directory: Option<CString>,
        stdin: Option<OwnedFd>,
        stdout: Option<OwnedFd>,
        stderr: OwnedFd,
        place: Place,
        group: Option<Arc<AtomicI32>>,
        parent: libc::pid_t,
        /// Why the child could not become the program; 0 if it did.
        error: AtomicI32,
    }

    /// C strings, and the array of pointers that the system takes.
    struct Strings {
        pointers: Vec<*const c_char>,
        _owned: Vec<CString>,
    }

    impl Strings {
        fn new(strings: impl Iterator<Item = Vec<u8>>) -> io::Result<Strings> {
            let owned: Vec<CString> = strings.map(CString::new).collect::<Result<_, _>>()?;
            let pointers = owned.iter().map(|string| string.as_ptr());
            let pointers = pointers.chain(iter::once(ptr::null())).collect();
            Ok(Strings { pointers, _owned: owned })
        }
    }

    impl Prepared {
        pub(super) fn new(launch: Launch) -> io::Result<Prepared> {
            let Launch { argv, environment, directory, stdin, stdout, stderr, place, group } =
                launch;
            let program = argv.first().cloned().unwrap_or_default();
            let environment = environment.unwrap_or_else(|| env::vars_os().collect());
            let path = environment.iter().rev().find(|(name, _)| name == "PATH");
            let candidates = candidates(&program, path.map(|(_, value)| value.as_os_str()))?;
            let directory = directory.map(|path| CString::new(path.into_os_string().into_vec()));
            let variable = |(name, value): (OsString, OsString)| {
                [name.as_bytes(), b"=", value.as_bytes()].concat()
            };
            Ok(Prepared {
                candidates,
                argv: Strings::new(argv.into_iter().map(OsString::into_vec))?,
                environment: Strings::new(environment.into_iter().map(variable))?,
                directory: directory.transpose()?,
                stdin: stdin.map(above_stdio).transpose()?,
                stdout: stdout.map(above_stdio).transpose()?,
                stderr: above_stdio(stderr)?,
                place,
                group,
                parent: rustix::process::getpid().as_raw_nonzero().get(),
                error: AtomicI32::new(0),
            })
        }

        pub(super) fn start(self) -> io::Result<u32> {
            let mut stack: Vec<MaybeUninit<u8>> = Vec::with_capacity(STACK);
            // SAFETY: one past the end of the allocation, which the child's stack grows down from.
            let top = unsafe { stack.as_mut_ptr().add(STACK) };
            let top = top.map_addr(|address| address & !15).cast::<c_void>();
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            let argument = ptr::from_ref(&self).cast_mut().cast::<c_void>();
            // SAFETY: sets of signals are numbers, and both live as long as the calls. The child runs on a
            // stack of its own while this thread waits for it, with every signal blocked, so that no
            // handler of ours runs in it.
            let id = unsafe {
                let mut all: libc::sigset_t = mem::zeroed();
                let mut before: libc::sigset_t = mem::zeroed();
                libc::sigfillset(&raw mut all);
                libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
                let id = libc::clone(child, top, flags, argument);
                let failed = (id == -1).then(io::Error::last_os_error);
                libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
                failed.map_or(Ok(id), Err)?
            };
            let error = self.error.load(Ordering::Acquire);
            if error != 0 {
                // SAFETY: it is our child, which ended before it became anything else.
                while unsafe { libc::waitpid(id, ptr::null_mut(), 0) } == -1
                    && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
                {
                }
                return Err(io::Error::from_raw_os_error(error));
            }
            Ok(id.unsigned_abs())
        }

        /// Becomes the program; the number of the error if it cannot.
        ///
        /// # Safety
        /// Only for a child that shares our memory, with all signals blocked.
        unsafe fn become_program(&self) -> c_int {
            // SAFETY: these are calls to the system with values that were made before. None of them
            // allocates or takes a lock.
            unsafe {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if libc::getppid() != self.parent {
                    // It died before it reported.
                    libc::_exit(127);
                }
                if self.place == Place::OwnGroup && libc::setpgid(0, 0) == -1 {
                    return errno();
                }
                if let Some(group) = &self.group {
                    group.store(libc::getpid(), Ordering::Release);
                }
                let streams = [self.stdin.as_ref(), self.stdout.as_ref(), Some(&self.stderr)];
                let numbers = [libc::STDIN_FILENO, libc::STDOUT_FILENO, libc::STDERR_FILENO];
                for (number, stream) in numbers.into_iter().zip(streams) {
                    let Some(stream) = stream else { continue };
                    if libc::dup2(stream.as_raw_fd(), number) == -1 {
                        return errno();
                    }
                }
                if let Some(directory) = &self.directory
                    && libc::chdir(directory.as_ptr()) == -1
                {
                    return errno();
                }
                reset_signals();
                let mut error = libc::ENOENT;
                for file in &self.candidates {
                    let (argv, environment) = (&self.argv.pointers, &self.environment.pointers);
                    libc::execve(file.as_ptr(), argv.as_ptr(), environment.as_ptr());
                    match errno() {
                        libc::ENOENT | libc::ENOTDIR => {}
                        // Another directory may have one that may be executed.
                        libc::EACCES => error = libc::EACCES,
                        other => return other,
                    }
                }
                error
            }
        }
    }

    extern "C" fn child(prepared: *mut c_void) -> c_int {
        // SAFETY: the parent waits, and owns what this points to.
        let prepared = unsafe { &*prepared.cast::<Prepared>() };
        // SAFETY: this is the child.
        prepared.error.store(unsafe { prepared.become_program() }, Ordering::Release);
        // SAFETY: it ends here, and nothing of ours may run.
        unsafe { libc::_exit(127) }
    }

    fn errno() -> c_int {
        io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
    }

    /// Signals as programs expect them: none blocked, none with a handler of ours, and a closed pipe ends
    /// the program, although the Rust runtime ignores that signal.
    ///
    /// # Safety
    /// Only for a child that does not share our handlers.
    unsafe fn reset_signals() {
        // SAFETY: structs of numbers, for which zero is a value, and numbers of signals. What cannot be
        // asked about cannot have a handler.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            for signal in 1..SIGNALS {
                if libc::sigaction(signal, ptr::null(), &raw mut action) == 0
                    && (action.sa_sigaction != libc::SIG_IGN || signal == libc::SIGPIPE)
                    && action.sa_sigaction != libc::SIG_DFL
                {
                    let default: libc::sigaction = mem::zeroed();
                    libc::sigaction(signal, &raw const default, ptr::null_mut());
                }
            }
            let mut none: libc::sigset_t = mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
        }
    }

    /// The files that a name may mean. Without `PATH`, the default path of the system is used.
    fn candidates(program: &OsStr, path: Option<&OsStr>) -> io::Result<Vec<CString>> {
        if program.is_empty() {
            return Ok(Vec::new());
        }
        if program.as_bytes().contains(&b'/') {
            return Ok(vec![CString::new(program.as_bytes())?]);
        }
        let path = path.unwrap_or(OsStr::new("/bin:/usr/bin"));
        let file = |directory: &[u8]| match directory {
            // An empty one is the current directory.
            [] => CString::new(program.as_bytes()),
            directory => CString::new([directory, b"/", program.as_bytes()].concat()),
        };
        Ok(path.as_bytes().split(|byte| *byte == b':').map(file).collect::<Result<_, _>>()?)
    }

    /// The same, with a number that no stream of the child has: it would be overwritten before it is used.
    fn above_stdio(fd: OwnedFd) -> io::Result<OwnedFd> {
        if fd.as_raw_fd() > libc::STDERR_FILENO {
            return Ok(fd);
        }
        Ok(rustix::io::fcntl_dupfd_cloexec(&fd, libc::STDERR_FILENO + 1)?)
    }
}
