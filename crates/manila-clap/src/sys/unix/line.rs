//! The lines of a stream: buffered, whole, and not lost to a signal.
//!
//! A line that comes some time after the last write goes out at once. Lines that come faster are
//! collected, and a thread writes what is left when they stop coming. While it is there, no line asks for
//! the time.

use super::call::{pause, stdout};
use super::end::GRACE;
use super::output::{Guard, write_all};
use super::signal_free::spawn;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU64, AtomicUsize,
    Ordering::{Release, SeqCst},
    compiler_fence,
};
use std::time::{Duration, Instant};

/// How many bytes are collected.
const CAPACITY: usize = 1 << 15;
/// How long a line may wait for others.
const SOON: Duration = Duration::from_millis(20);

/// The thread that is at the lines; 0 is none, and none may any more after [`CLOSED`].
static WRITER: AtomicUsize = AtomicUsize::new(0);
const CLOSED: usize = usize::MAX;
/// What is collected: the bytes up to the length are whole lines.
static BUFFER: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);
/// Where they go.
static TARGET: AtomicI32 = AtomicI32::new(1);
/// When lines were last written, in milliseconds since the first.
static WRITTEN: AtomicU64 = AtomicU64::new(0);
/// Whether a thread writes what is left.
static WATCHED: AtomicBool = AtomicBool::new(false);
/// What to do once the line is written that a signal interrupted.
pub(super) static AFTERWARDS: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// A number that no other thread has.
fn me() -> usize {
    thread_local! {
        static ME: u8 = const { 0 };
    }
    ME.with(|me| std::ptr::from_ref(me) as usize)
}

/// Whether this thread is at the lines.
pub(super) fn is_being_written_here() -> bool {
    WRITER.load(SeqCst) == me()
}

/// The right to write lines.
struct Turn;

impl Turn {
    /// Waits for it; nothing once the last words are being said.
    fn take() -> Option<Turn> {
        loop {
            match WRITER.compare_exchange(0, me(), SeqCst, SeqCst) {
                Ok(_) => return Some(Turn),
                Err(CLOSED) => return None,
                Err(_) => std::thread::yield_now(),
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // A signal on this thread is before this or after it: one before has left what to do.
        WRITER.store(0, Release);
        compiler_fence(SeqCst);
        if AFTERWARDS.load(SeqCst).is_null() {
            return;
        }
        let afterwards = AFTERWARDS.swap(std::ptr::null_mut(), SeqCst);
        if !afterwards.is_null() {
            // SAFETY: only functions of this type are stored.
            let afterwards: fn() = unsafe { std::mem::transmute(afterwards) };
            afterwards();
        }
    }
}

/// Writes a line of a stream, now or together with those that follow.
pub(crate) fn write_line(guard: Option<&Guard>, line: &[u8]) -> io::Result<()> {
    let Some(_turn) = Turn::take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let to = guard.map_or(stdout(), |guard| guard.real.as_fd());
    if TARGET.load(SeqCst) != to.as_raw_fd() {
        TARGET.store(to.as_raw_fd(), SeqCst);
    }
    if LENGTH.load(SeqCst) + line.len() > CAPACITY {
        write_collected(to)?;
    }
    if line.len() > CAPACITY {
        return write_all(to, line);
    }
    collect(line);
    if WATCHED.load(SeqCst) {
        return Ok(());
    }
    let since = now().saturating_sub(WRITTEN.load(SeqCst));
    if Duration::from_millis(since) >= SOON || !is_watched() {
        write_collected(to)?;
    }
    Ok(())
}

/// Writes the lines that are still collected.
pub(crate) fn flush_lines() -> io::Result<()> {
    if LENGTH.load(SeqCst) == 0 {
        return Ok(());
    }
    let Some(_turn) = Turn::take() else { return Ok(()) };
    write_collected(target())
}

/// The process whose lines they are: a child that was forked has a copy, which is not for it to write.
static OWNER: AtomicI32 = AtomicI32::new(0);

/// Writes what is left when the program calls `exit` in the middle of a stream.
extern "C" fn flush_at_exit() {
    if OWNER.load(SeqCst).cast_unsigned() == std::process::id() {
        let _ = flush_lines();
    }
}

/// A child that was forked has no other thread.
extern "C" fn leave_thread_behind() {
    WATCHED.store(false, SeqCst);
}

fn collect(line: &[u8]) {
    let mut buffer = BUFFER.load(SeqCst);
    if buffer.is_null() {
        buffer = Box::leak(vec![0; CAPACITY].into_boxed_slice()).as_mut_ptr();
        BUFFER.store(buffer, SeqCst);
        OWNER.store(std::process::id().cast_signed(), SeqCst);
        // SAFETY: the functions are there for as long as the process is, and store a value at most.
        unsafe {
            libc::atexit(flush_at_exit);
            libc::pthread_atfork(None, None, Some(leave_thread_behind));
        }
    }
    let length = LENGTH.load(SeqCst);
    // SAFETY: there is room for the line, and the thread that has the turn is alone with what is behind the
    // length.
    unsafe { std::ptr::copy_nonoverlapping(line.as_ptr(), buffer.add(length), line.len()) };
    LENGTH.store(length + line.len(), SeqCst);
}

fn write_collected(to: BorrowedFd<'_>) -> io::Result<()> {
    let (buffer, length) = (BUFFER.load(SeqCst), LENGTH.load(SeqCst));
    WRITTEN.store(now(), SeqCst);
    if buffer.is_null() {
        return Ok(());
    }
    // SAFETY: so many bytes are there, and they do not change while this has the turn.
    let wrote = write_all(to, unsafe { std::slice::from_raw_parts(buffer, length) });
    LENGTH.store(0, SeqCst);
    wrote
}

fn target<'fd>() -> BorrowedFd<'fd> {
    // SAFETY: the descriptor is open for as long as the process is.
    unsafe { BorrowedFd::borrow_raw(TARGET.load(SeqCst)) }
}

/// The milliseconds since the first line, and a little: the first is due.
fn now() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let since = START.get_or_init(Instant::now).elapsed() + SOON;
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Has a thread write what is left; false if there can be none.
fn is_watched() -> bool {
    WATCHED.swap(true, SeqCst) || {
        let watched = spawn("stream", watch).is_ok();
        WATCHED.store(watched, SeqCst);
        watched
    }
}

/// Writes what is left, until nothing comes any more.
fn watch() {
    loop {
        std::thread::sleep(SOON);
        if LENGTH.load(SeqCst) > 0 {
            // The next line reports that it cannot be written.
            let _ = flush_lines();
            continue;
        }
        WATCHED.store(false, SeqCst);
        if LENGTH.load(SeqCst) == 0 || WATCHED.swap(true, SeqCst) {
            return;
        }
    }
}

/// Lets no other line begin and writes those that are collected, for the last words to follow; false
/// if one may be broken off in the middle.
pub(super) fn close(to: BorrowedFd<'_>) -> bool {
    let deadline = Instant::now() + GRACE;
    loop {
        match WRITER.compare_exchange(0, CLOSED, SeqCst, SeqCst) {
            Ok(_) => return LENGTH.load(SeqCst) == 0 || write_collected(to).is_ok(),
            Err(_) if Instant::now() > deadline => return false,
            // Another thread is at it.
            Err(_) => pause(Some(Duration::from_millis(1))),
        }
    }
}
