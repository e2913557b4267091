//! The output of a program line by line, while it runs.

use crate::deliver::{Delivery, Sink};
use crate::invocation::Invocation;
use crate::outcome::Outcome;
use crate::policy::Policy;
use manila::Stream;
use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// A longer line is handed on in parts, so that memory stays bounded.
const LONGEST: usize = 1 << 20;

/// A line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'l> {
    /// Where the program wrote it.
    pub stream: Stream,
    /// Its bytes, without the line feed.
    pub bytes: &'l [u8],
    /// Whether a line feed follows: not in the last line of some programs, and not in a part of a line of
    /// more than 1 MiB.
    pub is_ended: bool,
}

impl<'l> Line<'l> {
    /// The line as text; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self) -> Cow<'l, str> {
        String::from_utf8_lossy(self.bytes)
    }
}

/// Makes a call as [`run`](crate::run) does, and hands on each line of the delivered attempt.
///
/// A call that may be repeated is held back until its attempt is settled, as with any
/// [`Delivery`]; every other one is handed on as it comes. `Break` closes the pipe of the program, as a
/// reader does that wants no more.
///
/// ```
/// use manila_run::{Invocation, Policy, run_lines};
/// use std::ops::ControlFlow;
/// use std::sync::mpsc::channel;
///
/// let (sender, lines) = channel();
/// let outcome = run_lines(&Invocation::new("seq").arg("3"), &Policy::default(), move |line| {
///     match sender.send(line.text().into_owned()) {
///         Ok(()) => ControlFlow::Continue(()),
///         Err(_) => ControlFlow::Break(()),
///     }
/// });
/// assert!(outcome.envelope.ok());
/// assert_eq!(lines.iter().collect::<Vec<_>>(), ["1", "2", "3"]);
/// ```
pub fn run_lines(
    call: &Invocation,
    policy: &Policy,
    receive: impl Fn(Line<'_>) -> ControlFlow<()> + Send + Sync + 'static,
) -> Outcome {
    let splitter = Arc::new(Splitter { pending: Mutex::default(), receive });
    let ours = Arc::clone(&splitter);
    let sink = Sink::new(move |stream, bytes| ours.take(stream, bytes));
    let delivery = Some(Delivery { sink, live_stderr: false });
    let outcome = crate::run(call, &Policy { delivery, ..policy.clone() });
    splitter.finish();
    outcome
}

struct Splitter<F> {
    /// The beginnings of lines on stdout and stderr.
    pending: Mutex<[Vec<u8>; 2]>,
    receive: F,
}

impl<F: Fn(Line<'_>) -> ControlFlow<()>> Splitter<F> {
    fn take(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = &mut pending[index(stream)];
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            for part in part.chunks(LONGEST) {
                begun.extend(part);
                let is_ended = begun.ends_with(b"\n");
                if !is_ended && begun.len() < LONGEST {
                    continue;
                }
                let line = begun.strip_suffix(b"\n").unwrap_or(begun);
                let flow = (self.receive)(Line { stream, bytes: line, is_ended });
                begun.clear();
                if flow.is_break() {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
        Ok(())
    }

    /// Hands on what has no line feed at its end.
    fn finish(&self) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        for stream in [Stream::Stdout, Stream::Stderr] {
            let bytes = std::mem::take(&mut pending[index(stream)]);
            if !bytes.is_empty()
                && (self.receive)(Line { stream, bytes: &bytes, is_ended: false }).is_break()
            {
                return;
            }
        }
    }
}

fn index(stream: Stream) -> usize {
    match stream {
        Stream::Stdout => 0,
        Stream::Stderr => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(pieces: &[&[u8]]) -> Vec<(usize, bool)> {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let receive = move |line: Line<'_>| {
            log.lock().unwrap().push((line.bytes.len(), line.is_ended));
            ControlFlow::Continue(())
        };
        let splitter = Splitter { pending: Mutex::default(), receive };
        for piece in pieces {
            splitter.take(Stream::Stdout, piece).unwrap();
        }
        splitter.finish();
        let seen = seen.lock().unwrap();
        seen.clone()
    }

    #[test]
    fn lines_are_whole_wherever_the_stream_is_cut() {
        assert_eq!(
            split(&[b"ab\nc", b"d\n\n", b"e"]),
            [(2, true), (2, true), (0, true), (1, false)]
        );
        assert_eq!(split(&[]), []);
    }

    #[test]
    fn a_line_without_end_is_handed_on_in_parts() {
        let long = vec![b'x'; LONGEST * 2 + 1];
        assert_eq!(split(&[&long, b"\n"]), [(LONGEST, false), (LONGEST, false), (1, true)]);
    }

    #[test]
    fn a_receiver_that_breaks_closes_the_pipe() {
        let splitter =
            Splitter { pending: Mutex::default(), receive: |_: Line<'_>| ControlFlow::Break(()) };
        let error = splitter.take(Stream::Stdout, b"a\nb\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
