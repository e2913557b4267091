//! Where there is no Unix: the answer is written whole, and nothing watches over the run.

use manila::Stream;
use manila::json::digits;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Nothing is put in the place of stdout here.
#[derive(Debug)]
pub(crate) struct Guard;

impl Guard {
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub(crate) fn raise() -> io::Result<Option<Guard>> {
        Ok(None)
    }

    pub(crate) fn lower(&self) {}
}

pub(crate) fn capture() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn captured() -> Option<Vec<u8>> {
    None
}

/// How wide a terminal is cannot be asked here.
pub(crate) fn terminal_width() -> Option<usize> {
    None
}

/// No signal ends a run with an answer here.
pub(crate) const ENDING: [i32; 0] = [];

/// Writes a line of a stream.
pub(crate) fn write_line(guard: Option<&Guard>, line: &[u8]) -> io::Result<()> {
    write(Stream::Stdout, guard, line)
}

/// Writes a line with its number in it, which is one more than that of the line before.
pub(crate) fn write_numbered_line(
    _: Option<&Guard>,
    before: &[u8],
    count: &AtomicU64,
    after: &[u8],
) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let number = count.fetch_add(1, SeqCst) + 1;
    stdout.write_all(before)?;
    stdout.write_all(digits(number, &mut [0; 20]))?;
    stdout.write_all(after)?;
    stdout.flush()
}

#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
pub(crate) fn flush_lines() -> io::Result<()> {
    Ok(())
}

pub(crate) fn write(stream: Stream, _: Option<&Guard>, bytes: &[u8]) -> io::Result<()> {
    match stream {
        Stream::Stdout => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(bytes)?;
            stdout.flush()
        }
        Stream::Stderr => io::stderr().write_all(bytes),
    }
}

#[expect(clippy::disallowed_methods, reason = "the answer is written, and nothing can unwind")]
pub(crate) fn exit_now(status: u8) -> ! {
    std::process::exit(status.into())
}

pub(crate) fn dismiss_guardian() {}

pub(crate) fn fix_outcome() {}

pub(crate) fn live_in_another() {}

pub(crate) fn is_to_answer() -> bool {
    true
}

pub(crate) fn at_exit(_: fn(i32)) {}

pub(crate) fn watch() -> Option<i32> {
    None
}

pub(crate) fn await_poll() {}

pub(crate) fn poll() -> Option<i32> {
    None
}

pub(crate) fn process_id() -> u32 {
    std::process::id()
}

pub(crate) fn flush() {
    let _ = io::stdout().flush();
}
