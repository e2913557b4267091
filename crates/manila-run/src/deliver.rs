//! A program's own bytes handed on while it runs: when its stdout may appear, and what a closed reader means.

use crate::capture::{Capture, Held, Piece};
use crate::sys;
use manila::Stream;
use std::fmt;
use std::io;
use std::sync::Arc;

/// How much of a document is held back to see whether it is an answer that leads to another attempt.
const HELD_DOCUMENT: u64 = 1 << 20;

/// Receives the bytes of the attempt that is delivered, in order, and of no other attempt.
///
/// An error means that the reader is gone: the program's pipe is closed too, so that it learns of it
/// as it would without anything in between.
#[derive(Clone)]
pub struct Sink(Receiver);

#[derive(Clone)]
enum Receiver {
    Stdio,
    Function(Arc<Receive>),
}

type Receive = dyn Fn(Stream, &[u8]) -> io::Result<()> + Send + Sync;

impl Sink {
    /// A sink that calls this with each piece.
    pub fn new(receive: impl Fn(Stream, &[u8]) -> io::Result<()> + Send + Sync + 'static) -> Sink {
        Sink(Receiver::Function(Arc::new(receive)))
    }

    /// A sink that writes to the stdout and stderr of this process, past every buffer.
    pub fn stdio() -> Sink {
        Sink(Receiver::Stdio)
    }

    pub(crate) fn send(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match &self.0 {
            _ if bytes.is_empty() => Ok(()),
            Receiver::Stdio => sys::write(stream, bytes),
            Receiver::Function(receive) => receive(stream, bytes),
        }
    }

    pub(crate) fn send_held(&self, stream: Stream, held: &Held) -> io::Result<()> {
        let sent = match self.0 {
            Receiver::Stdio => sys::send_file(stream, held.file(), held.length())?,
            Receiver::Function(_) => 0,
        };
        held.pass_on(sent, |bytes| self.send(stream, bytes))
    }
}

/// What a settled attempt has not handed on yet, beside what is kept of its streams.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    pub(crate) stdout: Option<Held>,
    pub(crate) stderr: Option<Held>,
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sink(…)")
    }
}

/// Where a program's own bytes go, and when.
///
/// Memory is bounded, and the envelope of a program that has none of its own has no data: its output is in the sink.
/// Both are otherwise where the call is recorded or logged, or has a classifier.
///
/// ```
/// use manila::Stream;
/// use manila_run::{Delivery, Invocation, Policy, Sink, run};
/// use std::sync::{Arc, Mutex};
///
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let ours = Arc::clone(&seen);
/// let sink = Sink::new(move |stream, bytes| {
///     if stream == Stream::Stdout {
///         ours.lock().expect("not poisoned").extend_from_slice(bytes);
///     }
///     Ok(())
/// });
/// let delivery = Some(Delivery { sink, live_stderr: false });
/// run(&Invocation::new("echo").arg("hello"), &Policy { delivery, ..Policy::default() });
/// assert_eq!(*seen.lock().expect("not poisoned"), b"hello\n");
/// ```
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Receives them.
    pub sink: Sink,
    /// Whether stderr is shown as it comes, whatever becomes of the attempt.
    pub live_stderr: bool,
}

/// How long the stdout of one attempt is held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Until the attempt is settled, because another one may take its place.
    UntilSettled,
    /// While it may be one document that asks for another attempt.
    WhileDocument,
}

/// The path of output from a running program to the sink.
#[derive(Debug)]
pub(crate) struct Gate {
    delivery: Delivery,
    hold: Hold,
    document: DocumentPrefix,
    /// Whether stdout and stderr are handed on as they come.
    is_open: [bool; 2],
}

impl Gate {
    pub(crate) fn new(delivery: Delivery, hold: Hold) -> Gate {
        let stderr = delivery.live_stderr || hold == Hold::WhileDocument;
        Gate { delivery, hold, document: DocumentPrefix::default(), is_open: [false, stderr] }
    }

    /// Whether this stream is handed on as it comes.
    pub(crate) fn is_open(&self, stream: Stream) -> bool {
        self.is_open[index(stream)]
    }

    /// Handles a piece before it is captured; an error means that the reader is gone.
    pub(crate) fn pass(
        &mut self,
        stream: Stream,
        bytes: &[u8],
        capture: &mut Capture,
    ) -> io::Result<()> {
        if !self.is_open(stream) && self.must_open(stream, bytes, capture) {
            self.open(stream, capture)?;
        }
        if self.is_open(stream) { self.delivery.sink.send(stream, bytes) } else { Ok(()) }
    }

    /// Hands on what is held of a stream, and from now on everything as it comes.
    pub(crate) fn open(&mut self, stream: Stream, capture: &mut Capture) -> io::Result<()> {
        self.is_open[index(stream)] = true;
        capture.release(|piece| match piece {
            Piece::Bytes(bytes) => self.delivery.sink.send(stream, bytes),
            Piece::Held(held) => self.delivery.sink.send_held(stream, held),
        })
    }

    fn must_open(&mut self, stream: Stream, bytes: &[u8], capture: &Capture) -> bool {
        if capture.is_full_with(bytes.len()) {
            return true;
        }
        match (stream, self.hold) {
            // The attempt is delivered, so what it says beside its output is too.
            (Stream::Stderr, _) => self.is_open(Stream::Stdout),
            (Stream::Stdout, Hold::UntilSettled) => false,
            (Stream::Stdout, Hold::WhileDocument) => {
                capture.total() > HELD_DOCUMENT || !self.document.continues_with(bytes)
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

/// Whether some bytes may be the beginning of one JSON object and nothing else.
#[derive(Debug, Default)]
struct DocumentPrefix {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    has_begun: bool,
}

impl DocumentPrefix {
    fn continues_with(&mut self, bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| self.step(*byte))
    }

    fn step(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return true;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => true,
            b'{' if !self.has_begun => {
                self.has_begun = true;
                self.depth = 1;
                true
            }
            _ if self.depth == 0 => false,
            b'{' | b'[' => {
                self.depth += 1;
                true
            }
            b'}' | b']' => {
                self.depth -= 1;
                true
            }
            b'"' => {
                self.in_string = true;
                true
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Keep;
    use std::sync::Mutex;

    fn may_be_document(pieces: &[&str]) -> bool {
        let mut prefix = DocumentPrefix::default();
        pieces.iter().all(|piece| prefix.continues_with(piece.as_bytes()))
    }

    #[test]
    fn one_object_is_a_document_wherever_it_is_cut() {
        let text = " {\"a\":[{\"b\":\"}\\\"{\"}]}\n";
        for at in 0..text.len() {
            assert!(may_be_document(&[&text[..at], &text[at..]]), "{at}");
        }
    }

    #[test]
    fn text_lists_and_lines_of_documents_are_none() {
        for text in ["hello", "[1]", "{}{}", "{\"a\":1}\n{\"b\":2}", "\u{1b}[1m{}"] {
            assert!(!may_be_document(&[text]), "{text}");
        }
    }

    fn gate(hold: Hold) -> (Gate, Arc<Mutex<Vec<u8>>>) {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&seen);
        let sink = Sink::new(move |_, bytes| {
            to.lock().unwrap().extend_from_slice(bytes);
            Ok(())
        });
        (Gate::new(Delivery { sink, live_stderr: false }, hold), seen)
    }

    fn feed(hold: Hold, limit: u64, pieces: &[&str]) -> String {
        let (mut gate, seen) = gate(hold);
        let mut capture = Capture::new(limit, Keep::All);
        for piece in pieces {
            gate.pass(Stream::Stdout, piece.as_bytes(), &mut capture).unwrap();
            capture.take(piece.as_bytes());
        }
        let seen = seen.lock().unwrap();
        String::from_utf8_lossy(&seen).into_owned()
    }

    #[test]
    fn text_passes_at_once_and_documents_wait() {
        assert_eq!(feed(Hold::WhileDocument, 100, &["one ", "two"]), "one two");
        assert_eq!(feed(Hold::WhileDocument, 100, &["{\"ok\":", "false}\n"]), "");
        assert_eq!(feed(Hold::WhileDocument, 100, &["{}\n", "{}\n"]), "{}\n{}\n");
    }

    #[test]
    fn what_may_be_repeated_waits_until_it_is_too_much_to_hold() {
        assert_eq!(feed(Hold::UntilSettled, 100, &["one ", "two"]), "");
        assert_eq!(feed(Hold::UntilSettled, 5, &["one ", "two ", "three"]), "one two three");
    }
}
