//! Where the lines of a stream go, and how many there were.

use crate::sys::{self, Guard};
use manila::Stream as Descriptor;
use manila::json::{append_number, append_text};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Where frames go: to the real stdout, or into memory when a call is only tried.
pub(crate) enum Outlet {
    Process(OnceLock<Arc<Guard>>),
    #[cfg(feature = "testing")]
    Memory(Mutex<Vec<u8>>),
}

impl Outlet {
    /// Goes where a guard keeps the real stdout.
    pub(crate) fn stand_behind(&self, guard: Arc<Guard>) {
        match self {
            Outlet::Process(place) => {
                let _ = place.set(guard);
            }
            #[cfg(feature = "testing")]
            Outlet::Memory(_) => {}
        }
    }

    /// Writes a line of a stream to stdout, perhaps together with those that follow.
    pub(crate) fn write_line(&self, line: &[u8]) -> io::Result<()> {
        match self {
            Outlet::Process(guard) => sys::write_line(guard.get().map(AsRef::as_ref), line),
            #[cfg(feature = "testing")]
            Outlet::Memory(_) => self.write(line),
        }
    }

    /// Writes to stdout.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<()> {
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

/// How many frames there were so far, and the memory of the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames(Arc<Mutex<(u64, Vec<u8>)>>);

impl Frames {
    /// How many there were, if there were any.
    pub(crate) fn count(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Writes the next frame. Its data are JSON on one line. Nothing is allocated for a frame that is no
    /// longer than those before it.
    pub(crate) fn write(
        &self,
        outlet: &Outlet,
        frame: &str,
        kind: Option<&str>,
        data: Option<&[u8]>,
    ) -> io::Result<()> {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, line) = &mut *frames;
        *count += 1;
        line.clear();
        line.extend_from_slice(b"{\"frame\":\"");
        line.extend_from_slice(frame.as_bytes());
        line.extend_from_slice(b"\",\"seq\":");
        append_number(line, *count);
        if let Some(kind) = kind {
            line.extend_from_slice(b",\"kind\":");
            append_text(line, kind);
        }
        if let Some(data) = data {
            line.extend_from_slice(b",\"data\":");
            line.extend_from_slice(data);
        }
        line.extend_from_slice(b"}\n");
        outlet.write_line(line)
    }
}
