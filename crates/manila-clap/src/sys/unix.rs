//! Unix: the guard of standard output, signals, the time limit, and writing that loses nothing.
//!
//! There is no thread here. What others write to descriptor 1 goes into a pipe that the kernel
//! reports with SIGIO; the handler empties it into a small buffer. Signals and the time limit are
//! answered by their handler itself, with words that were prepared before. A thread would cost a
//! short run more than everything else in this crate.
#![expect(unsafe_code, reason = "signal handlers and descriptors have no safe interface")]

use super::{LastWords, Stray};
use manila::Stream;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use rustix::fs::FileType;
use rustix::io::Errno;
use std::io;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// How much of what others wrote is kept to be shown.
const KEPT: usize = 256;
/// How long a run that was asked to end may take to do so.
const GRACE: Duration = Duration::from_secs(2);
/// The signals that end a run with an answer.
pub(crate) const ENDING: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Writes to a stream of the process, to the real one where a guard stands before it.
pub(crate) fn write(stream: Stream, guard: Option<&Guard>, bytes: &[u8]) -> io::Result<()> {
    match (stream, guard) {
        (Stream::Stderr, _) => write_all(rustix::stdio::stderr(), bytes),
        (Stream::Stdout, Some(guard)) => write_all(guard.real.as_fd(), bytes),
        (Stream::Stdout, None) => write_all(rustix::stdio::stdout(), bytes),
    }
}

/// Writes everything, however slow the reader is and whatever interrupts.
fn write_all(to: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            // Whoever shares the descriptor made it non-blocking: wait until it takes more.
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::new(&to, PollFlags::OUT)], None);
            }
            // A terminal that is gone is a reader that hung up.
            Err(Errno::IO) if is_device(to) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Whether it is, or was, a terminal: one that is gone no longer says so.
fn is_device(fd: BorrowedFd<'_>) -> bool {
    let mode = rustix::fs::fstat(fd).map(|stat| stat.st_mode);
    mode.is_ok_and(|mode| FileType::from_raw_mode(mode).is_char_device())
}

/// Empties the buffers of this process before descriptor 1.
pub(crate) fn flush() {
    let _ = io::Write::flush(&mut io::stdout());
    // SAFETY: flushing every stream of C is always allowed.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Standard output with the real one put aside, so that only the answer reaches it.
#[derive(Debug)]
pub(crate) struct Guard {
    real: OwnedFd,
}

static PIPE: AtomicI32 = AtomicI32::new(-1);
static KEPT_BYTES: [AtomicU8; KEPT] = [const { AtomicU8::new(0) }; KEPT];
static TOTAL: AtomicU64 = AtomicU64::new(0);
static DRAINING: AtomicBool = AtomicBool::new(false);
static MISSED: AtomicBool = AtomicBool::new(false);

impl Guard {
    /// Puts a pipe in the place of descriptor 1.
    pub(crate) fn raise() -> io::Result<Option<Guard>> {
        let real = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
        let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let fd = read.as_raw_fd();
        // SAFETY: plain calls on a descriptor that stays open for the rest of the process.
        unsafe {
            install(libc::SIGIO, on_stray, libc::SA_RESTART);
            unblock(libc::SIGIO);
            if libc::fcntl(fd, libc::F_SETOWN, process_id()) == -1
                || libc::fcntl(fd, libc::F_SETFL, libc::O_ASYNC | libc::O_NONBLOCK) == -1
            {
                return Err(io::Error::last_os_error());
            }
        }
        PIPE.store(read.into_raw_fd(), SeqCst);
        rustix::stdio::dup2_stdout(&write)?;
        Ok(Some(Guard { real }))
    }

    /// Puts the real standard output back, for a command that turned out to have no JSON form.
    pub(crate) fn lower(&self) {
        flush();
        let _ = rustix::stdio::dup2_stdout(&self.real);
    }

    /// What was written to descriptor 1 so far.
    pub(crate) fn stray() -> Stray {
        flush();
        drain();
        let total = TOTAL.load(SeqCst);
        let kept = usize::try_from(total).unwrap_or(KEPT).min(KEPT);
        let beginning = KEPT_BYTES[..kept].iter().map(|byte| byte.load(SeqCst)).collect();
        Stray { beginning, total }
    }
}

extern "C" fn on_stray(_: libc::c_int) {
    let errno = Preserved::errno();
    drain();
    errno.restore();
}

/// Empties the pipe. One thread at a time; whoever comes in between makes the other look again.
fn drain() {
    loop {
        if DRAINING.swap(true, SeqCst) {
            MISSED.store(true, SeqCst);
            return;
        }
        // SAFETY: the descriptor is never closed once it is stored.
        let pipe = unsafe { BorrowedFd::borrow_raw(PIPE.load(SeqCst)) };
        let mut chunk = [0; 1024];
        // A pipe's worth and no more: who writes faster than this reads would never let it end, and
        // whoever waits for room is woken and reports itself again.
        for _ in 0..64 {
            match rustix::io::read(pipe, &mut chunk[..]) {
                Ok(0) => break,
                Ok(read) => keep(&chunk[..read]),
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        DRAINING.store(false, SeqCst);
        if !MISSED.swap(false, SeqCst) {
            return;
        }
    }
}

fn keep(bytes: &[u8]) {
    let start = TOTAL.fetch_add(bytes.len() as u64, SeqCst);
    let start = usize::try_from(start).unwrap_or(KEPT);
    for (place, byte) in KEPT_BYTES.iter().skip(start).zip(bytes) {
        place.store(*byte, SeqCst);
    }
}

pub(crate) fn process_id() -> u32 {
    rustix::process::getpid().as_raw_nonzero().get().cast_unsigned()
}

/// Everything that a handler of signals needs, behind a pointer that is never freed.
struct Armed {
    words: Box<dyn LastWords>,
    stdout: RawFd,
    pid: u32,
    start: Instant,
}

/// What to say when a signal ends the run, and when the time is over.
static ARMED: [AtomicPtr<Armed>; 2] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 2];
const SIGNALLED: usize = 0;
const LIMITED: usize = 1;
/// Whether the outcome is fixed; from then on signals let the answer be written.
static FIXED: AtomicBool = AtomicBool::new(false);
/// The signal that asked the run to end.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// The status that goes with the last words, once they are being said.
static STATUS: AtomicI32 = AtomicI32::new(0);
/// Whether the answer has only so much time left to be written in.
static HURRIED: AtomicBool = AtomicBool::new(false);
/// Whether the handler said that it watches for that.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// The thread that writes a line of a stream; nobody is 0, and nobody may after -1.
static WRITER: AtomicI32 = AtomicI32::new(0);
const CLOSED: i32 = -1;

/// A line of a stream that is being written. Last words wait for it, or break it off.
pub(crate) struct Line;

impl Line {
    /// Begins one, unless the last words are being said.
    pub(crate) fn begin() -> Option<Line> {
        let me = rustix::thread::gettid().as_raw_nonzero().get();
        loop {
            match WRITER.compare_exchange(0, me, SeqCst, SeqCst) {
                Ok(_) => return Some(Line),
                Err(CLOSED) => return None,
                Err(_) => std::thread::yield_now(),
            }
        }
    }

    /// Lets no other begin; says whether one was broken off in the middle.
    fn close() -> bool {
        let me = rustix::thread::gettid().as_raw_nonzero().get();
        loop {
            match WRITER.compare_exchange(0, CLOSED, SeqCst, SeqCst) {
                Ok(_) => return false,
                Err(writer) if writer == me => return true,
                // Another thread is at it. It gets as much time as there is.
                Err(_) => {
                    let moment = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
                    let _ = poll(&mut [], Some(&moment));
                }
            }
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        WRITER.store(0, SeqCst);
    }
}

impl Armed {
    /// Puts last words where handlers find them, for the rest of the process.
    fn ready(words: Box<dyn LastWords>, guard: Option<&Guard>, start: Instant, place: usize) {
        let stdout = guard.map_or(rustix::stdio::stdout(), |guard| guard.real.as_fd());
        let armed = Armed { words, stdout: stdout.as_raw_fd(), pid: process_id(), start };
        ARMED[place].store(Box::leak(Box::new(armed)), SeqCst);
    }
}

/// Answers signals with last words, until the outcome is fixed.
pub(crate) fn arm(words: Box<dyn LastWords>, guard: Option<&Guard>, start: Instant) {
    Armed::ready(words, guard, start, SIGNALLED);
    listen();
}

/// Takes over the signals that end a run.
fn listen() {
    static LISTENING: AtomicBool = AtomicBool::new(false);
    if LISTENING.swap(true, SeqCst) {
        return;
    }
    for signal in ENDING {
        // SAFETY: the handler does only what is allowed in one.
        unsafe {
            // Whoever started us with it ignored, such as nohup, wants it ignored.
            let mut now: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &raw mut now);
            if now.sa_sigaction != libc::SIG_IGN {
                install(signal, on_signal, 0);
            }
        }
    }
}

/// Ends the run with last words when the time is over.
pub(crate) fn limit(
    words: Box<dyn LastWords>,
    guard: Option<&Guard>,
    start: Instant,
    time: Duration,
) {
    Armed::ready(words, guard, start, LIMITED);
    // SAFETY: as above, and a timer that this process has to itself.
    unsafe {
        install(libc::SIGALRM, on_signal, 0);
        unblock(libc::SIGALRM);
        set_timer(time);
    }
}

/// Has SIGALRM sent once, after a time.
unsafe fn set_timer(time: Duration) {
    let value = libc::timeval {
        tv_sec: libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_usec: libc::suseconds_t::from(time.subsec_micros().max(1).cast_signed()),
    };
    // SAFETY: the kernel reads what the pointer leads to and keeps nothing of it.
    unsafe {
        let once = libc::itimerval { it_interval: std::mem::zeroed(), it_value: value };
        // By its number where that is possible: a name must be looked up at the start of every run.
        #[cfg(target_os = "linux")]
        libc::syscall(libc::SYS_setitimer, libc::ITIMER_REAL, &raw const once, 0);
        #[cfg(not(target_os = "linux"))]
        libc::setitimer(libc::ITIMER_REAL, &raw const once, std::ptr::null_mut());
    }
}

/// Fixes the outcome: from here on the answer is written, whatever comes.
///
/// A signal that arrives now lets the writing go on for [`GRACE`], because a torn document helps
/// nobody, and a second one ends the process at once. If a signal came first, its answer is the one,
/// and this waits for the end that is already on its way.
pub(crate) fn fix_outcome() {
    while FIXED.swap(true, SeqCst) {
        let _ = poll(&mut [], None);
    }
}

/// The signal that asked the run to end, if one did; whoever looks has time to tidy up.
pub(crate) fn watch() -> Option<i32> {
    WATCHED.store(true, SeqCst);
    listen();
    Some(ASKED.load(SeqCst)).filter(|signal| *signal != 0)
}

extern "C" fn on_signal(signal: libc::c_int) {
    let errno = Preserved::errno();
    match signal {
        libc::SIGALRM => on_alarm(),
        signal => on_ending(signal),
    }
    errno.restore();
}

/// Somebody wants the run to end.
fn on_ending(signal: i32) {
    let is_first = ASKED.swap(signal, SeqCst) == 0;
    if is_first && WATCHED.load(SeqCst) && !FIXED.load(SeqCst) {
        grace();
    } else if !FIXED.swap(true, SeqCst) {
        speak(SIGNALLED, signal);
    } else if HURRIED.swap(true, SeqCst) {
        end_of(signal);
    } else {
        // The answer is being written, and there is time for that once.
        grace();
    }
}

/// The time is over: that of the run, or that of whoever was asked to end it.
fn on_alarm() {
    let asked = ASKED.load(SeqCst);
    if !FIXED.swap(true, SeqCst) {
        speak(if asked == 0 { LIMITED } else { SIGNALLED }, asked);
    } else if HURRIED.swap(true, SeqCst) {
        end_of(if asked == 0 { libc::SIGALRM } else { asked });
    } else {
        grace();
    }
}

/// Ends the process although not everything is written: with the status of the last words, or else
/// as the signal does.
fn end_of(signal: i32) -> ! {
    match STATUS.load(SeqCst) {
        0 => die_of(signal),
        status => exit_now(u8::try_from(status).unwrap_or(1)),
    }
}

/// Leaves some time, and then none.
fn grace() {
    // SAFETY: plain calls that are allowed in handlers.
    unsafe {
        install(libc::SIGALRM, on_signal, 0);
        set_timer(GRACE);
    }
}

/// Says the last words of a kind, if there are any.
fn speak(place: usize, signal: i32) -> ! {
    // SAFETY: it is null or points to what is never freed, and only whoever fixed the outcome comes
    // here.
    match unsafe { ARMED[place].load(SeqCst).as_mut() } {
        Some(words) => words.speak(signal),
        None => die_of(signal),
    }
}

impl Armed {
    /// Writes the last words and ends the process.
    fn speak(&mut self, signal: i32) -> ! {
        // A child between fork and exec has our handler but is not us.
        if process_id() != self.pid {
            exit_now(u8::MAX);
        }
        let elapsed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (words, stream, status) = self.words.tell(elapsed, signal);
        STATUS.store(status, SeqCst);
        // A reader that does not read must not keep a run that somebody wants to end.
        HURRIED.store(true, SeqCst);
        grace();
        let to = match stream {
            Stream::Stderr => rustix::stdio::stderr(),
            // SAFETY: the descriptor is open for as long as the process is.
            Stream::Stdout => unsafe { BorrowedFd::borrow_raw(self.stdout) },
        };
        let broken: &[u8] = if Line::close() { b"\n" } else { b"" };
        // Nobody is left to tell that it could not be written; the status says the rest.
        let _ = write_all(to, broken).and_then(|()| write_all(to, words));
        exit_now(u8::try_from(status).unwrap_or(1))
    }
}

/// Ends the process without running anything else.
pub(crate) fn exit_now(status: u8) -> ! {
    // SAFETY: nothing runs after it.
    unsafe {
        #[cfg(target_os = "linux")]
        libc::syscall(libc::SYS_exit_group, libc::c_int::from(status));
        #[cfg(not(target_os = "linux"))]
        libc::_exit(status.into());
        #[cfg(target_os = "linux")]
        loop {
            let _ = poll(&mut [], None);
        }
    }
}

/// Ends the process as if the signal had never been caught.
fn die_of(signal: i32) -> ! {
    // SAFETY: plain calls that are allowed in handlers; none of ours blocks its own signal.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, &raw const default, std::ptr::null_mut());
    }
    if let Some(signal) = rustix::process::Signal::from_named_raw(signal) {
        let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
    }
    exit_now(u8::MAX)
}

/// Lets a signal through that whoever started us had blocked.
unsafe fn unblock(signal: i32) {
    // SAFETY: the set is one signal, and the old one is not asked for.
    unsafe {
        #[cfg(target_os = "linux")]
        {
            let set: u64 = 1 << (signal - 1);
            let null = std::ptr::null::<u64>();
            libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_UNBLOCK, &raw const set, null, 8);
        }
        #[cfg(not(target_os = "linux"))]
        {
            let mut set = std::mem::zeroed();
            libc::sigemptyset(&raw mut set);
            libc::sigaddset(&raw mut set, signal);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
        }
    }
}

/// Makes a function the handler of a signal.
unsafe fn install(signal: i32, handler: extern "C" fn(libc::c_int), flags: i32) {
    // SAFETY: the caller passes a handler that does only what is allowed in one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        // Not on the alternate stack: it is too small to write a document on.
        action.sa_flags = flags;
        if signal == libc::SIGIO {
            // It is short, and nothing may pile up on it.
            std::ptr::write_bytes(&raw mut action.sa_mask, 0xff, 1);
        } else {
            // It may take as long as the reader does, and a second signal must still end it.
            action.sa_flags |= libc::SA_NODEFER;
        }
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

/// The error number that a handler must leave as it found it.
struct Preserved(io::Error);

impl Preserved {
    fn errno() -> Preserved {
        Preserved(io::Error::last_os_error())
    }

    fn restore(self) {
        if let Some(code) = self.0.raw_os_error() {
            // SAFETY: the number belongs to this thread.
            unsafe { *errno_place() = code };
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "hurd", target_os = "redox"))]
unsafe fn errno_place() -> *mut i32 {
    // SAFETY: a plain call.
    unsafe { libc::__errno_location() }
}

#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
unsafe fn errno_place() -> *mut i32 {
    // SAFETY: a plain call.
    unsafe { libc::__error() }
}

#[cfg(any(target_os = "openbsd", target_os = "netbsd", target_os = "android"))]
unsafe fn errno_place() -> *mut i32 {
    // SAFETY: a plain call.
    unsafe { libc::__errno() }
}
