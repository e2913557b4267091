//! Unix: starting without a fork, waiting for several things at once, signals to whole groups, and
//! how a child ended with what it used.
#![expect(unsafe_code, reason = "wait4, handlers of signals and limits have no safe wrapper")]

use super::launch::{self, Launch, Place};
use manila::{Status, Stream};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions, kill_process, kill_process_group,
};
use std::fs::File;
use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

/// How large a pipe is made that has shown to be used.
#[cfg(target_os = "linux")]
const PIPE: usize = 1 << 20;

/// A process that was started, and whether it leads a group of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target(pub(super) Pid, pub(super) Place);

impl Target {
    /// Its number as a process.
    pub(crate) fn number(self) -> u32 {
        self.0.as_raw_nonzero().get().unsigned_abs()
    }
}

/// Starts a program, which dies with us where the system can do that.
pub(crate) fn start(launch: Launch) -> io::Result<Target> {
    let place = launch.place;
    let id = i32::try_from(launch::start(launch)?).ok().and_then(Pid::from_raw);
    id.map(|id| Target(id, place)).ok_or_else(|| io::Error::other("the system gave no process id"))
}

/// Sends a signal to all processes of its group, or to it alone where it has none of its own. One that is
/// gone already is fine.
pub(crate) fn signal(target: Target, number: i32) {
    if let Some(signal) = Signal::from_named_raw(number) {
        let _ = match target.1 {
            Place::OwnGroup => kill_process_group(target.0, signal),
            Place::Foreground => kill_process(target.0, signal),
        };
    }
}

/// Whether no process of the group is left.
pub(crate) fn is_gone(target: Target) -> bool {
    let test = match target.1 {
        Place::OwnGroup => rustix::process::test_kill_process_group(target.0),
        Place::Foreground => rustix::process::test_kill_process(target.0),
    };
    test == Err(Errno::SRCH)
}

/// Something that can be waited for until the process has ended.
pub(crate) struct Exited(OwnedFd);

impl Exited {
    /// A descriptor of the process where the system has them, else the end of a pipe which a thread
    /// closes; nothing if the system has neither to spare.
    pub(crate) fn of(target: Target) -> Option<Exited> {
        #[cfg(target_os = "linux")]
        if let Ok(fd) = rustix::process::pidfd_open(target.0, rustix::process::PidfdFlags::empty())
        {
            return Some(Exited(fd));
        }
        let (reader, writer) = io::pipe().ok()?;
        let wait = move || {
            while look(target, WaitIdOptions::EXITED).is_err_and(|error| error == Errno::INTR) {}
            drop(writer);
        };
        std::thread::Builder::new().spawn(wait).ok()?;
        Some(Exited(reader.into()))
    }
}

/// What has become of the process, which stays in the table.
fn look(target: Target, what: WaitIdOptions) -> rustix::io::Result<Option<WaitIdStatus>> {
    rustix::process::waitid(WaitId::Pid(target.0), what | WaitIdOptions::NOWAIT)
}

/// Whether the process has ended, or its state is no longer known.
pub(crate) fn has_ended(target: Target) -> bool {
    match look(target, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
        Ok(ended) => ended.is_some(),
        Err(error) => error != Errno::INTR,
    }
}

/// Whether this process has a terminal.
pub(crate) fn has_terminal() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
}

/// Whether the process was stopped because it is not in the foreground of its terminal.
pub(crate) fn wants_terminal(target: Target) -> bool {
    let status = look(target, WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
    let signal = status.ok().flatten().and_then(|status| status.stopping_signal());
    matches!(signal, Some(libc::SIGTTIN | libc::SIGTTOU))
}

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reaped {
    pub(crate) status: Status,
    /// The largest it, or one of its own children, ever was.
    pub(crate) peak_bytes: u64,
}

/// Takes the process out of the table if it has ended. Where the parent of this process ignores
/// SIGCHLD, the system has done so already, and the exit status is not known.
pub(crate) fn reap(target: Target) -> io::Result<Option<Reaped>> {
    let mut status = 0;
    // SAFETY: a struct of numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let id = target.0.as_raw_nonzero().get();
    loop {
        // SAFETY: both places are ours and live as long as the call.
        match unsafe { libc::wait4(id, &raw mut status, libc::WNOHANG, &raw mut usage) } {
            0 => return Ok(None),
            -1 => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error if error.raw_os_error() == Some(libc::ECHILD) => {
                    return Ok(Some(Reaped { status: Status::Unknown, peak_bytes: 0 }));
                }
                error => return Err(error),
            },
            _ => break,
        }
    }
    let status = if libc::WIFSIGNALED(status) {
        Status::Signaled(libc::WTERMSIG(status))
    } else {
        Status::Exited(libc::WEXITSTATUS(status))
    };
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    let peak_bytes = u64::try_from(usage.ru_maxrss).unwrap_or_default() * unit;
    Ok(Some(Reaped { status, peak_bytes }))
}

/// Takes the process out of the table whenever it ends.
pub(crate) fn reap_later(target: Target) {
    let wait = move || {
        let ended = || rustix::process::waitpid(Some(target.0), WaitOptions::empty());
        while ended().is_err_and(|error| error == Errno::INTR) {}
    };
    // Without it, the process stays in the table until we end ourselves.
    let _ = std::thread::Builder::new().spawn(wait);
}

/// Lets this process receive the exit statuses of its children, also if its parent ignores SIGCHLD,
/// which is inherited. That is the decision of a whole program, so no call makes it: without it,
/// the status of each call is unknown there.
pub fn reset_sigchld() {
    // SAFETY: the default has no handler that could run at a bad moment.
    let was = unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    if was != libc::SIG_IGN && was != libc::SIG_ERR {
        // SAFETY: this is what was there before.
        unsafe { libc::signal(libc::SIGCHLD, was) };
    }
}

fn own(stream: Stream) -> BorrowedFd<'static> {
    match stream {
        Stream::Stdout => rustix::stdio::stdout(),
        Stream::Stderr => rustix::stdio::stderr(),
    }
}

/// Writes everything to a stream of this process, however slow the reader is and whatever interrupts.
pub(crate) fn write(stream: Stream, mut bytes: &[u8]) -> io::Result<()> {
    let to = own(stream);
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            // Another process that shares the descriptor made it non-blocking: wait until it takes
            // more.
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::new(&to, PollFlags::OUT)], None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Sends a file to our own stdout or stderr without copying it here, as far as the system can do that for what the
/// stream is; how many bytes were sent.
#[cfg(target_os = "linux")]
pub(crate) fn send_file(stream: Stream, file: &File, length: u64) -> io::Result<u64> {
    let to = own(stream);
    let mut at = 0;
    while at < length {
        let left = usize::try_from(length - at).unwrap_or(usize::MAX);
        match rustix::fs::sendfile(to, file, Some(&mut at), left) {
            Ok(0) | Err(Errno::INVAL | Errno::NOSYS) => break,
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::new(&to, PollFlags::OUT)], None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(at)
}

/// Sends nothing of it: the system has no call for that.
#[cfg(not(target_os = "linux"))]
pub(crate) fn send_file(_: Stream, _: &File, _: u64) -> io::Result<u64> {
    Ok(0)
}

/// What our own stdin is, as far as reading it again goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StdinKind {
    /// A file, and the byte that is read next.
    File(u64),
    /// A terminal or another device.
    Device,
    /// A pipe or a socket at its end, or nothing at all.
    Ended,
    /// A pipe or a socket that can be read once.
    Pipe,
}

/// What our own stdin is.
pub(crate) fn stdin_kind() -> StdinKind {
    let stdin = rustix::stdio::stdin();
    let Ok(stat) = rustix::fs::fstat(stdin) else { return StdinKind::Ended };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => match rustix::fs::tell(stdin) {
            Ok(offset) => StdinKind::File(offset),
            Err(_) => StdinKind::Pipe,
        },
        FileType::CharacterDevice => StdinKind::Device,
        _ => {
            let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
            let now = Timespec { tv_sec: 0, tv_nsec: 0 };
            let is_ended = poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
                && fds[0].revents().contains(PollFlags::HUP)
                && !fds[0].revents().contains(PollFlags::IN);
            if is_ended { StdinKind::Ended } else { StdinKind::Pipe }
        }
    }
}

/// Lets our own stdin be read from this byte on.
pub(crate) fn rewind_stdin(offset: u64) -> io::Result<()> {
    rustix::fs::seek(rustix::stdio::stdin(), rustix::fs::SeekFrom::Start(offset))?;
    Ok(())
}

/// Gives a file without a name one, that only its owner can read.
pub(crate) fn name_file(file: &File) -> io::Result<PathBuf> {
    let named = tempfile::Builder::new().prefix("manila-output-").tempfile()?;
    let mut from = file;
    io::Seek::rewind(&mut from)?;
    io::copy(&mut from, &mut named.as_file())?;
    let (_, path) = named.keep().map_err(|error| error.error)?;
    Ok(path)
}

/// The signals that a terminal sends for keys.
const TYPED: [i32; 2] = [libc::SIGINT, libc::SIGQUIT];

/// While this lives, interrupts from the keyboard are for the child in our process group alone: a
/// shell or an interpreter continues after them. Afterwards the signals have their previous
/// meaning.
pub(crate) struct TerminalSignals([libc::sigaction; TYPED.len()]);

impl TerminalSignals {
    pub(crate) fn leave_to_child() -> TerminalSignals {
        extern "C" fn nothing(_: i32) {}
        TerminalSignals(TYPED.map(|signal| {
            // SAFETY: structs of numbers, for which zero is a value. The handler does nothing, and a
            // program that is started has none of ours. One that is ignored stays so.
            unsafe {
                let mut before: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, std::ptr::null(), &raw mut before);
                if before.sa_sigaction != libc::SIG_IGN {
                    let mut ours: libc::sigaction = std::mem::zeroed();
                    ours.sa_sigaction = nothing as *const () as libc::sighandler_t;
                    ours.sa_flags = libc::SA_RESTART;
                    libc::sigaction(signal, &raw const ours, std::ptr::null_mut());
                }
                before
            }
        }))
    }
}

impl Drop for TerminalSignals {
    fn drop(&mut self) {
        for (signal, before) in TYPED.into_iter().zip(&self.0) {
            // SAFETY: this is what was there before.
            unsafe { libc::sigaction(signal, before, std::ptr::null_mut()) };
        }
    }
}

/// How a terminal was set, to be set so again after a program that died in the middle.
#[derive(Debug)]
pub struct TerminalMode(rustix::termios::Termios);

impl TerminalMode {
    /// The mode of the terminal on stdin, if it is one.
    pub fn of_stdin() -> Option<TerminalMode> {
        rustix::termios::tcgetattr(rustix::stdio::stdin()).ok().map(TerminalMode)
    }

    /// Sets the terminal as it was. One that is gone needs no mode.
    pub fn restore(&self) {
        let actions = rustix::termios::OptionalActions::Drain;
        let _ = rustix::termios::tcsetattr(rustix::stdio::stdin(), actions, &self.0);
    }
}

/// Ends this process as another one ended: with its status, or by the signal that killed it. No second
/// core file is written for the same death.
#[expect(
    clippy::disallowed_methods,
    reason = "it ends as another process ended, with everything handed on already"
)]
pub fn end_as(status: Status) -> ! {
    match status {
        Status::Exited(code) => std::process::exit(code),
        Status::Unknown => std::process::exit(1),
        Status::Signaled(signal) => {
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: plain calls about this process alone, which ends here in any case.
            unsafe {
                libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
                libc::signal(signal, libc::SIG_DFL);
                let mut only = std::mem::zeroed();
                libc::sigemptyset(&raw mut only);
                libc::sigaddset(&raw mut only, signal);
                libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const only, std::ptr::null_mut());
                libc::raise(signal);
            }
            // It is one that does not kill, such as SIGSTOP after it was continued.
            std::process::exit(signal.saturating_add(128))
        }
    }
}

/// What has happened while waiting.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ready {
    pub(crate) streams: [bool; 2],
    pub(crate) exited: bool,
}

/// Waits until a stream has something to read or is at its end, the process has ended, the time is
/// over or a signal came; whichever is first.
pub(crate) fn wait_for(
    streams: [Option<&PipeReader>; 2],
    exited: Option<&Exited>,
    limit: Option<Duration>,
) -> io::Result<Ready> {
    let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(3);
    for stream in streams.into_iter().flatten() {
        fds.push(PollFd::new(stream, PollFlags::IN));
    }
    if let Some(Exited(fd)) = exited {
        fds.push(PollFd::new(fd, PollFlags::IN));
    }
    let limit = limit.map(|limit| Timespec {
        tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: limit.subsec_nanos().into(),
    });
    match poll(&mut fds, limit.as_ref()) {
        Ok(_) => {}
        Err(Errno::INTR) => return Ok(Ready::default()),
        Err(error) => return Err(error.into()),
    }
    let mut reported = fds.iter().map(|fd| !fd.revents().is_empty());
    let mut next = |is_asked: bool| is_asked && reported.next().unwrap_or(false);
    let streams = streams.map(|stream| next(stream.is_some()));
    Ok(Ready { streams, exited: next(exited.is_some()) })
}

/// Reads what there is: nothing if there is nothing yet, and zero bytes at the end.
pub(crate) fn read_some(mut from: &PipeReader, into: &mut [u8]) -> io::Result<Option<usize>> {
    match io::Read::read(&mut from, into) {
        Ok(read) => Ok(Some(read)),
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(None),
            _ => Err(error),
        },
    }
}

/// Makes reading from a pipe never wait.
pub(crate) fn unblock(pipe: &PipeReader) -> io::Result<()> {
    let fd = pipe.as_fd();
    Ok(fcntl_setfl(fd, fcntl_getfl(fd)? | OFlags::NONBLOCK)?)
}

/// Makes a pipe hold much, where the system can. It only saves time: where the user has too many
/// large pipes already, a small one will do.
pub(crate) fn enlarge(pipe: &PipeReader) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe.as_fd(), PIPE);
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(program: &str) -> Target {
        let (_, stdout) = io::pipe().unwrap();
        let stderr = stdout.try_clone().unwrap();
        start(Launch {
            argv: vec![program.into()],
            environment: None,
            directory: None,
            stdin: None,
            stdout: Some(stdout.into()),
            stderr: stderr.into(),
            place: Place::OwnGroup,
            group: None,
        })
        .unwrap()
    }

    #[test]
    fn a_process_that_was_already_waited_for_has_ended() {
        let target = started("true");
        rustix::process::waitpid(Some(target.0), WaitOptions::empty()).unwrap();
        assert!(has_ended(target));
        assert_eq!(reap(target).unwrap().map(|reaped| reaped.status), Some(Status::Unknown));
    }

    #[test]
    fn one_that_ended_is_there_until_it_is_reaped() {
        let target = started("true");
        while !has_ended(target) {
            std::thread::yield_now();
        }
        assert!(!is_gone(target));
        assert_eq!(reap(target).unwrap().map(|reaped| reaped.status), Some(Status::Exited(0)));
    }
}
