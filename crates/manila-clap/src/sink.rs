//! Where the lines of a stream go, and how many there were.

use crate::sys::{self, Guard};
use manila::Stream as Descriptor;
#[cfg(feature = "testing")]
use manila::json::digits;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
#[cfg(feature = "testing")]
use std::sync::{Mutex, PoisonError};

/// Where frames go: to the real stdout, or into memory when a call is only tried.
pub(crate) enum Sink {
    Process(OnceLock<Arc<Guard>>),
    #[cfg(feature = "testing")]
    Memory(Mutex<Vec<u8>>),
}

impl Sink {
    /// Writes to the stdout that a guard keeps from now on.
    pub(crate) fn set_guard(&self, guard: Arc<Guard>) {
        match self {
            Sink::Process(place) => {
                let _ = place.set(guard);
            }
            #[cfg(feature = "testing")]
            Sink::Memory(_) => {}
        }
    }

    /// Writes a line of a stream to stdout, perhaps together with those that follow.
    pub(crate) fn write_line(&self, line: &[u8]) -> io::Result<()> {
        match self {
            Sink::Process(guard) => sys::write_line(guard.get().map(AsRef::as_ref), line),
            #[cfg(feature = "testing")]
            Sink::Memory(_) => self.write(line),
        }
    }

    /// Writes to stdout.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Sink::Process(guard) => {
                sys::write(Descriptor::Stdout, guard.get().map(AsRef::as_ref), bytes)
            }
            #[cfg(feature = "testing")]
            Sink::Memory(memory) => {
                memory.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
                Ok(())
            }
        }
    }
}

/// How many frames there were so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames(Arc<AtomicU64>);

impl Frames {
    /// How many there were, if there were any.
    pub(crate) fn count(&self) -> u64 {
        self.0.load(SeqCst)
    }

    /// Writes the next frame: what comes before its number, and what comes after it.
    pub(crate) fn write(&self, sink: &Sink, before: &[u8], after: &[u8]) -> io::Result<()> {
        match sink {
            Sink::Process(guard) => {
                let guard = guard.get().map(AsRef::as_ref);
                sys::write_numbered_line(guard, before, &self.0, after)
            }
            #[cfg(feature = "testing")]
            Sink::Memory(memory) => {
                let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
                let number = self.0.fetch_add(1, SeqCst) + 1;
                memory.extend_from_slice(before);
                memory.extend_from_slice(digits(number, &mut [0; 20]));
                memory.extend_from_slice(after);
                Ok(())
            }
        }
    }
}
