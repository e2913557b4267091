//! The lines of a stream: buffered, whole, and not lost to a signal.
//!
//! A line that comes some time after the last write goes out at once. Lines that come faster are
//! collected, and a thread writes what is left when they stop coming. While it is there, no line asks for
//! the time.

use super::call::{pause, stdout};
use super::end::{GRACE, call_once};
use super::kernel;
use super::output::{Guard, write_all};
use super::signal_free::spawn;
use manila::json::digits;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
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
/// What is collected, whole lines whenever a turn ends: the bytes up to the length, of which those before the start
/// are written.
static BUFFER: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);
static START: AtomicUsize = AtomicUsize::new(0);
/// The thread that adds lines of text without a turn, which would take a tenth of the time that a plain program takes
/// for a line. It only adds behind the length; what is before that is written by the thread that has the turn. Lines
/// of other threads are not collected meanwhile.
static OWNER: AtomicUsize = AtomicUsize::new(0);
/// Where they go.
static TARGET: AtomicI32 = AtomicI32::new(1);
/// When lines were last written, in milliseconds since the first.
static WRITTEN: AtomicU64 = AtomicU64::new(0);
/// Whether a thread writes what is left, and whether there is one that can.
static WATCHED: AtomicBool = AtomicBool::new(false);
static HAS_THREAD: AtomicBool = AtomicBool::new(false);
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
    /// Waits for it; nothing once the prepared answer is being written.
    fn take() -> Option<Turn> {
        loop {
            match WRITER.compare_exchange(0, me(), Acquire, Relaxed) {
                Ok(_) => return Some(Turn),
                Err(CLOSED) => return None,
                Err(_) => kernel::yield_now(),
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
        call_once(&AFTERWARDS);
    }
}

/// Writes a line of a stream, now or together with those that follow.
pub(crate) fn write_line(guard: Option<&Guard>, line: &[u8]) -> io::Result<()> {
    let is_owner = OWNER.load(Relaxed) == me();
    if is_owner && WATCHED.load(Relaxed) && LENGTH.load(Relaxed) + line.len() <= CAPACITY {
        add(BUFFER.load(Relaxed), line);
        return Ok(());
    }
    let Some(_turn) = Turn::take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let _ = OWNER.compare_exchange(0, me(), Relaxed, Relaxed);
    write_pieces(guard, &[line])
}

/// The same with its number in it, which is one more than that of the line before.
pub(crate) fn write_numbered_line(
    guard: Option<&Guard>,
    before: &[u8],
    count: &AtomicU64,
    after: &[u8],
) -> io::Result<()> {
    let Some(_turn) = Turn::take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let number = count.load(Relaxed) + 1;
    count.store(number, Relaxed);
    write_pieces(guard, &[before, digits(number, &mut [0; 20]), after])
}

/// Writes a line in pieces.
fn write_pieces(guard: Option<&Guard>, line: &[&[u8]]) -> io::Result<()> {
    let to = guard.map_or(stdout(), |guard| guard.real.as_fd());
    TARGET.store(to.as_raw_fd(), Relaxed);
    let length: usize = line.iter().map(|piece| piece.len()).sum();
    if LENGTH.load(Relaxed) + length > CAPACITY || !may_add() {
        write_collected(to)?;
    }
    if length > CAPACITY || !may_add() {
        return line.iter().try_for_each(|piece| write_all(to, piece));
    }
    line.iter().for_each(|piece| collect(piece));
    if WATCHED.load(Relaxed) {
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
    let _ = OWNER.compare_exchange(me(), 0, Release, Relaxed);
    if is_written() {
        return Ok(());
    }
    let Some(_turn) = Turn::take() else { return Ok(()) };
    write_collected(target())
}

/// Whether nothing is left to write.
fn is_written() -> bool {
    LENGTH.load(Acquire) == START.load(Relaxed)
}

/// Whether the thread that has the turn may add to what is collected.
fn may_add() -> bool {
    let owner = OWNER.load(Acquire);
    owner == 0 || owner == me()
}

/// Writes what is left when the program calls `exit` in the middle of a stream.
extern "C" fn flush_at_exit() {
    let _ = flush_lines();
}

/// A child that was forked has no other thread, and the lines that are collected are its parent's.
extern "C" fn begin_anew() {
    WATCHED.store(false, SeqCst);
    HAS_THREAD.store(false, SeqCst);
    START.store(LENGTH.load(SeqCst), SeqCst);
    OWNER.store(0, SeqCst);
    WRITER.store(0, SeqCst);
}

fn collect(piece: &[u8]) {
    let mut buffer = BUFFER.load(Relaxed);
    if buffer.is_null() {
        buffer = Box::leak(vec![0; CAPACITY].into_boxed_slice()).as_mut_ptr();
        BUFFER.store(buffer, SeqCst);
        // SAFETY: the functions are there for as long as the process is, and store a value at most.
        unsafe {
            libc::atexit(flush_at_exit);
            libc::pthread_atfork(None, None, Some(begin_anew));
        }
    }
    add(buffer, piece);
}

/// Adds to what is collected, where there is room for it.
fn add(buffer: *mut u8, piece: &[u8]) {
    let length = LENGTH.load(Relaxed);
    // SAFETY: there is room for the piece, and only this thread adds: it is the owner, or has the turn while there is
    // none.
    unsafe { std::ptr::copy_nonoverlapping(piece.as_ptr(), buffer.add(length), piece.len()) };
    LENGTH.store(length + piece.len(), Release);
}

fn write_collected(to: BorrowedFd<'_>) -> io::Result<()> {
    // Before the length is read: an owner that leaves meanwhile may have added something.
    let is_alone = may_add();
    let (buffer, length) = (BUFFER.load(SeqCst), LENGTH.load(Acquire));
    WRITTEN.store(now(), SeqCst);
    if buffer.is_null() {
        return Ok(());
    }
    // SAFETY: so many bytes are there, and they do not change while this has the turn.
    let collected = unsafe { std::slice::from_raw_parts(buffer, length) };
    let wrote = write_all(to, &collected[START.load(Relaxed)..]);
    if is_alone {
        START.store(0, Relaxed);
        LENGTH.store(0, Relaxed);
    } else {
        START.store(length, Relaxed);
    }
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
    if !HAS_THREAD.swap(true, SeqCst) && spawn("stream", watch).is_err() {
        HAS_THREAD.store(false, SeqCst);
        return false;
    }
    WATCHED.store(true, SeqCst);
    true
}

/// Writes what is left, until nothing comes any more.
fn watch() {
    loop {
        std::thread::sleep(SOON);
        let Some(_turn) = Turn::take() else { return };
        if is_written() {
            // A line that the owner adds at the same time is seen when this is looked at once more.
            if !WATCHED.swap(false, SeqCst) {
                HAS_THREAD.store(false, SeqCst);
                return;
            }
            continue;
        }
        // The next line reports that it cannot be written.
        let _ = write_collected(target());
    }
}

/// Lets no other line begin and writes those that are collected, for the prepared answer to follow; false
/// if one may be broken off in the middle.
pub(super) fn close(to: BorrowedFd<'_>) -> bool {
    let deadline = Instant::now() + GRACE;
    loop {
        match WRITER.compare_exchange(0, CLOSED, SeqCst, SeqCst) {
            Ok(_) => return is_written() || write_collected(to).is_ok(),
            Err(_) if Instant::now() > deadline => return false,
            // Another thread is at it.
            Err(_) => pause(Some(Duration::from_millis(1))),
        }
    }
}
