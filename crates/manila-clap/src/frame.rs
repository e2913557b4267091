//! Streams: typed frames, numbered, closed by exactly one envelope.
//!
//! A frame is one line and has no `ok`, so that it is never taken for an answer. Frames are
//! numbered from 1 and the closing envelope says in `meta.frames` how many there were: a stream
//! whose last line is not an envelope, or whose numbers have a gap, was truncated. One that a
//! signal or the time limit ended is closed by that failure, which does not count.

use crate::call::Call;
use crate::mode::{ColorChoice, Mode};
use crate::reply::Reply;
use crate::safe_text::visible;
use crate::screen::Screen;
use crate::secret;
use crate::sys;
use manila::Stream as Descriptor;
use manila::json::{Raw, SerializeError, append_text};
use serde::Serialize;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::JoinHandle;

/// How the frames begin, up to their number, and how they end.
const ITEM: &[u8] = br#"{"frame":"item","seq":"#;
const PROGRESS: &[u8] = br#"{"frame":"progress","seq":"#;
const HEARTBEAT: &[u8] = br#"{"frame":"heartbeat","seq":"#;
const END: &[u8] = b"}\n";

/// An answer that is given item by item; see [`Call::stream`].
///
/// ```
/// use manila_clap::{Call, Error, Reply, Screen, Streamed};
///
/// #[derive(serde::Serialize, Reply)]
/// #[reply(kind = "line", show = show)]
/// struct Line(u32);
///
/// fn show(line: &Line, screen: &mut Screen) {
///     screen.line(line.0);
/// }
///
/// fn count(call: &'static Call) -> Result<Streamed<Line>, Error> {
///     let mut stream = call.stream();
///     for number in 0..1_000_000 {
///         if !stream.item(Line(number)) {
///             break;
///         }
///     }
///     Ok(stream.finish())
/// }
/// ```
pub struct Stream<'c, T> {
    call: &'c Call,
    items: Vec<T>,
    count: usize,
    heart: Option<Heart>,
    is_read: bool,
    /// Whether lines for people are collected, as in a pipe; on a terminal each is shown at once.
    is_collected: bool,
    /// What people get of an item, and its frame; the memory of each serves the next item too.
    screen: Screen,
    data: Vec<u8>,
}

impl Call {
    /// Begins to answer item by item. With `--output jsonl` each is a frame, for people each is shown
    /// as it comes, and with `--json` they are all in the one document.
    ///
    /// On a terminal each item appears at once. In a pipe or a file, items that come faster than one in
    /// 20 ms are collected and written together; what a handler prints otherwise may overtake them.
    pub fn stream<T: Reply + Serialize>(&self) -> Stream<'_, T> {
        let heart = Heart::start(self);
        let is_collected = !self.mode.is_json() && !(self.environment.is_terminal)(1);
        let screen =
            Screen::new(self.mode.layout(), self.colour[1]).within(self.environment.width());
        let (items, data) = (Vec::new(), Vec::new());
        Stream { call: self, items, count: 0, heart, is_read: true, is_collected, screen, data }
    }

    /// Notes what became of a part of the answer; says whether there still is a reader.
    #[inline]
    fn note_write(&self, wrote: io::Result<()>) -> bool {
        match wrote {
            Ok(()) => true,
            Err(error) => self.note_error(error),
        }
    }

    #[cold]
    fn note_error(&self, error: io::Error) -> bool {
        if error.kind() != io::ErrorKind::BrokenPipe {
            let why = error.to_string();
            self.annotations().lost.get_or_insert(why);
        }
        false
    }
}

impl<T: Reply + Serialize> Stream<'_, T> {
    /// The next item. Says whether there still is a reader: without one, stop.
    pub fn item(&mut self, item: T) -> bool {
        let call = self.call;
        self.count += 1;
        match call.mode {
            Mode::Jsonl => match self.append_data(&item) {
                Ok(()) => {
                    let wrote = call.frames.write(&call.sink, ITEM, &self.data);
                    self.is_read &= call.note_write(wrote);
                }
                Err(error) => {
                    call.warn(format!("item {} has no JSON form: {error}", self.count));
                }
            },
            Mode::Json => self.items.push(item),
            Mode::Rich | Mode::Plain => {
                self.screen.clear();
                item.show(&mut self.screen);
                let wrote = self.write_shown();
                self.is_read &= call.note_write(wrote);
            }
        }
        self.is_read
    }

    /// Makes what comes after the number of a frame, before a lock is taken: code of the program does it.
    fn append_data(&mut self, item: &T) -> Result<(), SerializeError> {
        let (shape, frame) = (self.call.shape, &mut self.data);
        frame.clear();
        frame.extend_from_slice(b",\"kind\":");
        append_text(frame, item.kind());
        frame.extend_from_slice(b",\"data\":");
        if secret::is_any_known() {
            secret::scrub_payload(item.data(shape)?).append_to(frame);
        } else {
            item.append_data(shape, frame)?;
        }
        frame.extend_from_slice(END);
        Ok(())
    }

    /// Writes what people get of an item.
    fn write_shown(&self) -> io::Result<()> {
        let clean;
        let mut shown = self.screen.as_bytes();
        if secret::is_any_known() {
            clean = secret::scrub_bytes(shown.to_vec());
            shown = &clean;
        }
        let sink = &self.call.sink;
        if self.is_collected { sink.write_line(shown) } else { sink.write(shown) }
    }

    /// How far it has come.
    pub fn progress(&self, done: u64, total: Option<u64>, text: &str) {
        self.call.progress(done, total, text);
    }

    /// Ends the stream. The reply holds the items that were not sent before.
    pub fn finish(self) -> Streamed<T> {
        drop(self.heart);
        self.call.note_write(sys::flush_lines());
        Streamed { items: self.items, count: self.count }
    }
}

impl Call {
    /// Reports how far the call has come: a frame with `--output jsonl`; for people a line on
    /// stderr, while a terminal shows it that can erase it again.
    pub fn progress(&self, done: u64, total: Option<u64>, text: &str) {
        #[derive(Serialize)]
        struct Progress<'a> {
            done: u64,
            total: Option<u64>,
            text: &'a str,
        }
        if self.mode == Mode::Jsonl {
            let mut frame = b",\"data\":".to_vec();
            if let Ok(data) = Raw::from_serialize(&Progress { done, total, text }) {
                secret::scrub_payload(data).append_to(&mut frame);
                frame.extend_from_slice(END);
                self.note_write(self.frames.write(&self.sink, PROGRESS, &frame));
            }
        } else if self.shows_progress() {
            let of = total.map_or_else(String::new, |total| format!("/{total}"));
            let text = visible(&secret::scrub(text.to_owned())).replace('\n', " ");
            let line = format!("\r\u{1b}[K{done}{of} {text}");
            let _ = sys::write(Descriptor::Stderr, None, line.as_bytes());
            self.progress_shown.store(true, SeqCst);
        }
    }

    /// Whether a line of progress is shown.
    pub fn shows_progress(&self) -> bool {
        // Forced colour makes no terminal of a pipe.
        let can_be_taken_away =
            (self.environment.is_terminal)(2) && self.environment.colour(ColorChoice::Auto, 2);
        !self.mode.is_json() && !self.is_quiet() && can_be_taken_away
    }

    /// Takes the line of progress away.
    pub(crate) fn clear_progress(&self) {
        if self.progress_shown.swap(false, SeqCst) {
            let _ = sys::write(Descriptor::Stderr, None, "\r\u{1b}[K".as_bytes());
        }
    }
}

/// Signs of life from a thread of their own, until dropped. Only a program that streams has them:
/// starting threads links a good deal more.
struct Heart {
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Heart {
    /// Begins to beat, if that was asked for.
    fn start(call: &Call) -> Option<Heart> {
        let every = call.heartbeat.filter(|_| call.mode == Mode::Jsonl)?;
        let stopped = Arc::new(AtomicBool::new(false));
        let (watched, frames) = (Arc::clone(&stopped), call.frames.clone());
        let sink = Arc::clone(&call.sink);
        let beat = move || {
            loop {
                std::thread::park_timeout(every);
                if watched.load(SeqCst) || frames.write(&sink, HEARTBEAT, END).is_err() {
                    return;
                }
            }
        };
        // Without a thread there are no heartbeats, and the answer is still whole.
        let thread = std::thread::Builder::new().name("heartbeat".to_owned()).spawn(beat).ok();
        Some(Heart { stopped, thread })
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.stopped.store(true, SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// What closes a stream: how many items there were, and those that were not sent before.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Streamed<T> {
    /// The items; none when each was sent as a frame of its own.
    items: Vec<T>,
    /// How many there were in all.
    count: usize,
}

impl<T> Streamed<T> {
    /// How many items there were.
    pub fn count(&self) -> usize {
        self.count
    }
}
