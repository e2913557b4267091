//! Streams: typed frames, numbered, closed by exactly one envelope.
//!
//! A frame is one line and has no `ok`, so that nobody takes it for an answer. Frames are numbered
//! from 1 and the closing envelope says in `meta.frames` how many there were: a stream whose last
//! line is no envelope, or whose numbers have a gap, was cut. One that a signal or the time limit
//! ended is closed by that failure, which does not count.

use crate::call::Call;
use crate::mode::{Mode, When};
use crate::reply::Reply;
use crate::screen::{Screen, visible};
use crate::secret;
use crate::sys::{self, Guard};
use manila::Stream as Descriptor;
use manila::json::{Raw, Style, Writer};
use schemars::JsonSchema;
use serde::Serialize;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

/// Where frames go: to the real standard output, or into memory when a call is only tried.
pub(crate) enum Outlet {
    Process(OnceLock<Arc<Guard>>),
    #[cfg(feature = "testing")]
    Memory(Mutex<Vec<u8>>),
}

impl Outlet {
    /// Goes where a guard keeps the real standard output.
    pub(crate) fn stand_behind(&self, guard: Arc<Guard>) {
        match self {
            Outlet::Process(place) => {
                let _ = place.set(guard);
            }
            #[cfg(feature = "testing")]
            Outlet::Memory(_) => {}
        }
    }

    /// Writes to standard output.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Outlet::Process(guard) => {
                sys::write(Descriptor::Stdout, guard.get().map(AsRef::as_ref), bytes)
            }
            #[cfg(feature = "testing")]
            Outlet::Memory(memory) => {
                memory.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
                Ok(())
            }
        }
    }
}

/// The frames of one call so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames(Arc<Mutex<u64>>);

impl Frames {
    /// How many there were, if there were any.
    pub(crate) fn count(&self) -> u64 {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the next frame.
    fn write(
        &self,
        outlet: &Outlet,
        frame: &str,
        kind: Option<&str>,
        data: Option<&Raw>,
    ) -> io::Result<()> {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        let line = Writer::new(Style::COMPACT).document(|line| {
            line.scalar("frame", frame);
            line.scalar("seq", &*count);
            line.scalar_if_some("kind", kind);
            if let Some(data) = data {
                line.raw("data", data);
            }
        });
        // Once the last words are being said there is nothing to add.
        let Some(_line) = sys::Line::begin() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        outlet.write(&line)
    }
}

/// An answer that is given item by item; see [`Call::stream`].
pub struct Stream<'c, T> {
    call: &'c Call,
    items: Vec<T>,
    count: usize,
    heart: Option<Heart>,
    is_read: bool,
}

impl Call {
    /// Begins to answer item by item. With `--output jsonl` each goes out as a frame at once, for
    /// people each is shown at once, and with `--output json` they are all in the one document.
    pub fn stream<T: Reply + Serialize>(&self) -> Stream<'_, T> {
        let heart = Heart::start(self);
        Stream { call: self, items: Vec::new(), count: 0, heart, is_read: true }
    }

    /// Notes what became of a part of the answer; says whether anybody still reads.
    fn is_read(&self, wrote: io::Result<()>) -> bool {
        let Err(error) = wrote else { return true };
        if error.kind() != io::ErrorKind::BrokenPipe {
            let why = error.to_string();
            self.said().lost.get_or_insert(why);
        }
        false
    }
}

impl<T: Reply + Serialize> Stream<'_, T> {
    /// The next item. Says whether anybody still reads: if not, there is no point in going on.
    pub fn item(&mut self, item: T) -> bool {
        let call = self.call;
        self.count += 1;
        match call.mode {
            Mode::Jsonl => match item.data(call.shape) {
                Ok(data) => {
                    let (kind, data) = (Some(item.kind()), secret::scrub_payload(data));
                    let wrote = call.frames.write(&call.outlet, "item", kind, Some(&data));
                    self.is_read &= call.is_read(wrote);
                }
                Err(error) => {
                    call.warn(format!("item {} has no JSON form: {error}", self.count));
                }
            },
            Mode::Json => self.items.push(item),
            Mode::Rich | Mode::Plain => {
                let mut screen = Screen::new(call.mode.layout(), call.colour[1]);
                item.show(&mut screen);
                self.is_read &= call.is_read(call.outlet.write(screen.into_text().as_bytes()));
            }
        }
        self.is_read
    }

    /// How far it has come.
    pub fn progress(&self, done: u64, total: Option<u64>, text: &str) {
        self.call.progress(done, total, text);
    }

    /// Ends the stream. The reply holds the items that were not sent before.
    pub fn finish(self) -> Streamed<T> {
        drop(self.heart);
        Streamed { items: self.items, count: self.count }
    }
}

impl Call {
    /// Tells how far the call has come: a frame with `--output jsonl`; for people a line on standard
    /// error, while a terminal shows it that can take it away again.
    pub fn progress(&self, done: u64, total: Option<u64>, text: &str) {
        #[derive(Serialize)]
        struct Progress<'a> {
            done: u64,
            total: Option<u64>,
            text: &'a str,
        }
        if self.mode == Mode::Jsonl {
            let data = Raw::of(&Progress { done, total, text }).ok().map(secret::scrub_payload);
            let wrote = self.frames.write(&self.outlet, "progress", None, data.as_ref());
            self.is_read(wrote);
        } else if self.shows_progress() {
            let of = total.map_or_else(String::new, |total| format!("/{total}"));
            let text = visible(&secret::scrub(text.to_owned())).replace('\n', " ");
            let line = format!("\r\u{1b}[K{done}{of} {text}");
            let _ = sys::write(Descriptor::Stderr, None, line.as_bytes());
            self.progress_shown.store(true, SeqCst);
        }
    }

    /// Whether somebody watches who is not spared a line of progress.
    pub fn shows_progress(&self) -> bool {
        // Forced colour makes no terminal of a pipe.
        let can_be_taken_away = (self.world.is_terminal)(2) && self.world.colour(When::Auto, 2);
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
/// whoever starts threads carries a good deal more.
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
        let outlet = Arc::clone(&call.outlet);
        let beat = move || {
            loop {
                std::thread::park_timeout(every);
                if watched.load(SeqCst) || frames.write(&outlet, "heartbeat", None, None).is_err() {
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
