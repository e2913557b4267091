//! Where there is no Unix: the answer is written whole, and nothing watches over the run.

use super::Stray;
use manila::Stream;
use std::io::{self, Write};

/// Nothing is put in the place of standard output here.
#[derive(Debug)]
pub(crate) struct Guard;

impl Guard {
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub(crate) fn raise() -> io::Result<Option<Guard>> {
        Ok(None)
    }

    pub(crate) fn lower(&self) {}

    pub(crate) fn stray() -> Stray {
        Stray::default()
    }
}

/// No signal ends a run with an answer here.
pub(crate) const ENDING: [i32; 0] = [];

/// A line of a stream; nothing comes between here.
pub(crate) struct Line;

impl Line {
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it may be too late")]
    pub(crate) fn begin() -> Option<Line> {
        Some(Line)
    }
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

pub(crate) fn fix_outcome() {}

pub(crate) fn watch() -> Option<i32> {
    None
}

pub(crate) fn process_id() -> u32 {
    std::process::id()
}

pub(crate) fn flush() {
    let _ = io::stdout().flush();
}
