//! Signals, the time limit and `exit`: the ends of a run that its handler does not choose.

use super::call::{file, pause, stderr, stdout};
use super::end::{
    ANSWERING, ASKED, BEFORE_END, GRACE, HURRIED, STATUS, call_once, die_of, end_of, exit_now,
    process_id,
};
use super::kernel;
use super::line::{self, close};
use super::output::{Guard, flush, write_all};
use super::signal_free::spawn;
use crate::sys::PreparedAnswer;
use manila::Stream;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// The signals that end a run with an answer.
pub(crate) const ENDING: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Everything that a handler of signals needs, behind a pointer that is never freed.
struct Armed {
    answer: Box<dyn PreparedAnswer>,
    stdout: RawFd,
    pid: u32,
    start: Instant,
}

/// The answers for a signal and for the end of the time limit.
static ARMED: [AtomicPtr<Armed>; 2] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 2];
const SIGNALLED: usize = 0;
const LIMITED: usize = 1;
/// Whether the outcome is fixed; from then on signals let the answer be written.
static FIXED: AtomicBool = AtomicBool::new(false);
/// The pipe that wakes the thread which limits how long a handler may tidy up.
static WATCHER: AtomicI32 = AtomicI32::new(-1);
/// Whether code of the program asks again and again whether a signal came, and whether one did that it has
/// not heard of yet.
static POLLED: AtomicBool = AtomicBool::new(false);
static UNHEARD: AtomicBool = AtomicBool::new(false);
/// Whether the program lives in another one, whose handlers are not its own.
static IN_ANOTHER: AtomicBool = AtomicBool::new(false);
/// Whether the signals of [`ENDING`] are handled here.
static HANDLING: AtomicBool = AtomicBool::new(false);

impl Armed {
    /// Puts an answer where handlers find it, for the rest of the process.
    fn ready(answer: Box<dyn PreparedAnswer>, guard: Option<&Guard>, start: Instant, place: usize) {
        let stdout = guard.map_or(stdout(), |guard| guard.real.as_fd());
        let armed = Armed { answer, stdout: stdout.as_raw_fd(), pid: process_id(), start };
        ARMED[place].store(Box::leak(Box::new(armed)), SeqCst);
    }
}

/// Answers signals, until the outcome is fixed.
pub(crate) fn arm(answer: Box<dyn PreparedAnswer>, guard: Option<&Guard>, start: Instant) {
    Armed::ready(answer, guard, start, SIGNALLED);
    become_first();
    handle_signals();
}

/// From now on the handlers of signals that are there are those of another program, around this one.
pub(crate) fn live_in_another() {
    IN_ANOTHER.store(true, SeqCst);
}

/// Handles the signals that end a run.
fn handle_signals() {
    if HANDLING.swap(true, SeqCst) {
        return;
    }
    for signal in ENDING {
        let now = disposition(signal);
        // A signal that is ignored from the start, as by nohup, stays ignored, and a handler that the program
        // has stays in place. That of an interpreter is not the program's.
        if now == libc::SIG_DFL || (now != libc::SIG_IGN && IN_ANOTHER.load(SeqCst)) {
            install(signal);
        }
    }
}

/// Ends the run with an answer when the time is over.
pub(crate) fn limit(
    answer: Box<dyn PreparedAnswer>,
    guard: Option<&Guard>,
    start: Instant,
    time: Duration,
) -> io::Result<()> {
    Armed::ready(answer, guard, start, LIMITED);
    let pid = process_id();
    spawn("time-limit", move || {
        std::thread::sleep(time.saturating_sub(start.elapsed()));
        if process_id() != pid {
            return;
        }
        if !FIXED.swap(true, SeqCst) {
            flush_soon();
            answer_and_end(LIMITED, 0);
        }
        // The answer is being written: its reader has a little longer.
        std::thread::sleep(GRACE);
        // SAFETY: it points to what is never freed, and only this thread uses it.
        if let Some(armed) = unsafe { ARMED[LIMITED].load(SeqCst).as_mut() } {
            let status = armed.answer.write(0, 0).2;
            exit_now(u8::try_from(status).unwrap_or(1));
        }
    })
}

/// Empties the buffers of stdout, for a line that was begun is not to be lost. Code of the program may hold
/// them, and is not waited for.
fn flush_soon() {
    let waiting = std::thread::current();
    let flushing = spawn("flush", move || {
        flush();
        waiting.unpark();
    });
    if flushing.is_ok() {
        std::thread::park_timeout(Duration::from_millis(100));
    }
}

/// Fixes the outcome: from here on the answer is written.
///
/// A signal that arrives now lets the writing continue for [`GRACE`], because a truncated document
/// is useless, and a second one ends the process at once. If a signal came first, its answer is the
/// one, and this waits for the end that is already on its way.
pub(crate) fn fix_outcome() {
    while FIXED.swap(true, SeqCst) {
        pause(None);
    }
    ANSWERING.store(HANDLING.load(SeqCst), SeqCst);
}

/// The process that is to answer; a child that was forked is not.
static FIRST: AtomicI32 = AtomicI32::new(0);
/// Whether there is an answer, in memory that all of them share.
static ANSWERED: AtomicPtr<AtomicBool> = AtomicPtr::new(std::ptr::null_mut());

/// Whether the answer is for this process to give. Of a process and those that were forked from it only one
/// does: the first, or a daemon if the first ended without a word.
pub(crate) fn is_to_answer() -> bool {
    let first = FIRST.load(SeqCst);
    let is_child_of_first = || kernel::parent_id() == first;
    // SAFETY: it is null or points to what is never freed.
    let answered = unsafe { ANSWERED.load(SeqCst).as_ref() };
    if first == 0 || first.cast_unsigned() == process_id() {
        return answered.is_none_or(|answered| !answered.swap(true, SeqCst));
    }
    !is_child_of_first() && answered.is_some_and(|answered| !answered.swap(true, SeqCst))
}

/// From now on this process is to answer, and none that is forked from it.
fn become_first() {
    FIRST.store(process_id().cast_signed(), SeqCst);
    // What the standard library calls, so that it is looked up anyway.
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    use libc::mmap as map;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    use libc::mmap64 as map;
    // SAFETY: a new page of memory, which is zero and never unmapped.
    let page = unsafe {
        map(
            std::ptr::null_mut(),
            size_of::<AtomicBool>(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANON,
            -1,
            0,
        )
    };
    if page != libc::MAP_FAILED {
        ANSWERED.store(page.cast(), SeqCst);
    }
}

/// Answers when the program calls `exit` before it has an answer, where the status can be known then.
pub(crate) fn at_exit(answer: fn(i32)) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::sync::OnceLock;
        static ANSWER: OnceLock<fn(i32)> = OnceLock::new();

        unsafe extern "C" {
            fn on_exit(
                function: extern "C" fn(libc::c_int, *mut libc::c_void),
                argument: *mut libc::c_void,
            ) -> libc::c_int;
        }

        extern "C" fn leave(status: libc::c_int, _: *mut libc::c_void) {
            let is_ours = FIRST.load(SeqCst).cast_unsigned() == process_id();
            let is_due = || is_ours && !FIXED.swap(true, SeqCst) && is_to_answer();
            if let Some(answer) = ANSWER.get().filter(|_| is_due()) {
                ANSWERING.store(HANDLING.load(SeqCst), SeqCst);
                answer(status & 0xff);
            }
        }

        if ANSWER.set(answer).is_ok() {
            // SAFETY: the function is there for as long as the process is.
            unsafe { on_exit(leave, std::ptr::null_mut()) };
        }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = answer;
}

/// The signal that asked the run to end, if one did. From the first call on, a signal leaves the
/// program [`GRACE`] to end in order.
pub(crate) fn watch() -> Option<i32> {
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if !WATCHED.swap(true, SeqCst) {
        watch_over();
        handle_signals();
    }
    Some(ASKED.load(SeqCst)).filter(|signal| *signal != 0)
}

/// From now on a signal waits to be asked for with [`poll`].
pub(crate) fn await_poll() {
    POLLED.store(true, SeqCst);
    handle_signals();
}

/// As [`watch`], for code that asks again and again: no thread waits for a signal that hardly ever comes, and
/// [`GRACE`] begins when this is asked next.
pub(crate) fn poll() -> Option<i32> {
    if UNHEARD.swap(false, SeqCst) {
        // Without it a second signal ends the run.
        let _ = spawn("cancellation", end_after_grace);
    }
    Some(ASKED.load(SeqCst)).filter(|signal| *signal != 0)
}

/// Starts the thread that ends the run [`GRACE`] after the first signal. Without it a second signal
/// does.
fn watch_over() {
    let Ok((mut read, write)) = io::pipe() else { return };
    let wait = move || {
        let _ = read.read_exact(&mut [0; 1]);
        end_after_grace();
    };
    if spawn("cancellation", wait).is_ok() {
        WATCHER.store(OwnedFd::from(write).into_raw_fd(), SeqCst);
    }
}

fn end_after_grace() {
    std::thread::sleep(GRACE);
    if !FIXED.swap(true, SeqCst) {
        answer_and_end(SIGNALLED, ASKED.load(SeqCst));
    }
}

extern "C" fn on_signal(signal: libc::c_int) {
    let errno = Preserved::errno();
    if is_ours(signal) {
        on_ending(signal);
    } else {
        // The program handles it, and passed it on.
        let _ = ASKED.compare_exchange(0, signal, SeqCst, SeqCst);
    }
    errno.restore();
}

/// The run is asked to end.
fn on_ending(signal: i32) {
    let is_first = ASKED.swap(signal, SeqCst) == 0;
    let watcher = WATCHER.load(SeqCst);
    if FIXED.load(SeqCst) {
        // The answer is being written, and there is time for that once.
        if HURRIED.swap(true, SeqCst) {
            end_of(signal);
        }
    } else if is_first && watcher >= 0 {
        // SAFETY: the descriptor is never closed once it is stored.
        let watcher = unsafe { BorrowedFd::borrow_raw(watcher) };
        let _ = file(watcher).write(b"!");
    } else if is_first && POLLED.load(SeqCst) {
        UNHEARD.store(true, SeqCst);
    } else if !FIXED.swap(true, SeqCst) {
        if line::is_being_written_here() {
            // It is written to its end, if its reader takes it soon.
            HURRIED.store(true, SeqCst);
            line::AFTERWARDS.store(end_after_line as *mut (), SeqCst);
        } else {
            answer_and_end(SIGNALLED, signal);
        }
    }
}

/// Ends the run after the line that a signal interrupted.
fn end_after_line() {
    answer_and_end(SIGNALLED, ASKED.load(SeqCst));
}

/// Writes the answer that was prepared for this end, if there is one, and ends the process.
fn answer_and_end(place: usize, signal: i32) -> ! {
    // SAFETY: it is null or points to what is never freed, and only the side that fixed the outcome comes
    // here.
    match unsafe { ARMED[place].load(SeqCst).as_mut() } {
        Some(armed) => armed.answer_and_end(signal),
        None => die_of(signal),
    }
}

impl Armed {
    /// Writes the answer and ends the process.
    fn answer_and_end(&mut self, signal: i32) -> ! {
        // A child between fork and exec has our handler but is not us.
        if process_id() != self.pid {
            exit_now(u8::MAX);
        }
        is_to_answer();
        let elapsed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (bytes, stream, status) = self.answer.write(elapsed, signal);
        STATUS.store(status, SeqCst);
        // A reader that does not read must not keep a run that is to end.
        HURRIED.store(true, SeqCst);
        let to = match stream {
            Stream::Stderr => stderr(),
            // SAFETY: the descriptor is open for as long as the process is.
            Stream::Stdout => unsafe { BorrowedFd::borrow_raw(self.stdout) },
        };
        // What the command printed as its answer is not lost with it.
        call_once(&BEFORE_END);
        let broken: &[u8] = if close(to) { b"" } else { b"\n" };
        // If it cannot be written, the status says the rest.
        let _ = write_all(to, broken).and_then(|()| write_all(to, bytes));
        exit_now(u8::try_from(status).unwrap_or(1))
    }
}

/// What happens on a signal: a handler, or one of the constants.
fn disposition(signal: i32) -> libc::sighandler_t {
    // SAFETY: the kernel fills in what the pointer leads to.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut now);
        now.sa_sigaction
    }
}

/// Whether the handler of a signal is still ours: a program, or a library such as tokio, may have
/// installed its own later.
fn is_ours(signal: i32) -> bool {
    disposition(signal) == on_signal as *const () as usize
}

/// Makes ours the handler of a signal.
fn install(signal: i32) {
    // SAFETY: the handler does only what is allowed in one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        // The calls of others are not interrupted: most programs do not expect it. Not on the alternate stack,
        // which is too small to write a document on. It may take as long as the reader does, and a second
        // signal must still end it.
        action.sa_flags = libc::SA_RESTART | libc::SA_NODEFER;
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
