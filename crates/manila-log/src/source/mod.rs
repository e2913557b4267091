//! What a scan reads: files, directories, globs and stdin, compressed or not, each opened when
//! its turn comes.
//!
//! ```
//! use manila_log::source::{Hidden, Sources};
//!
//! let sources = Sources::find(&["Cargo.toml".into(), "no-such-file".into()], Hidden::Skip);
//! let opened: Vec<_> = sources.collect();
//! assert!(opened[0].is_ok());
//! assert_eq!(opened[1].as_ref().unwrap_err().to_string(), "no-such-file: there is no such file");
//! ```
//!
//! A directory is read with everything below it, in the order of the names. In directories, and
//! where a glob says nothing else, names that begin with a dot are passed over; links to files are
//! read and links to directories are not followed, so that no walk goes in a circle. A file that is
//! reached twice is read once.

mod compressed;
mod find;
mod follow;
mod glob;
mod gzip;
mod pipe;
mod unpack;
mod zstd;

pub use find::Hidden;

use crate::input::{Body, Input, InputError, is_abandoned};
use compressed::Format;
use find::{FileId, Place};
use follow::Followed;
use pipe::Pipe;
use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use unpack::unpack;

/// Whether those who read should stop, although there is more or may come more.
pub(crate) type Over = Arc<dyn Fn() -> bool + Send + Sync>;

/// How much of what was read was compressed.
#[derive(Debug, Default)]
pub struct Meter {
    read: AtomicU64,
    given: AtomicU64,
}

impl Meter {
    /// How many bytes of the files themselves were read when so many were judged.
    pub fn on_disk(&self, judged: u64) -> u64 {
        let (read, given) = (self.read.load(Ordering::Relaxed), self.given.load(Ordering::Relaxed));
        judged.saturating_sub(given) + read
    }
}

/// Everything that is to be read, in its order.
pub struct Sources {
    places: VecDeque<Place>,
    repeated: Vec<Arc<str>>,
    meter: Arc<Meter>,
    over: Over,
    /// How often a file that grows is looked at.
    every: Option<Duration>,
    followed: Option<Followed>,
}

impl Sources {
    /// Finds what these words name: files, directories, globs, `-` for stdin. What cannot be
    /// found becomes a [`InputError`] when its turn comes.
    pub fn find(words: &[PathBuf], hidden: Hidden) -> Sources {
        let (places, repeated) = find::find(words, hidden);
        Sources {
            places,
            repeated,
            meter: Arc::default(),
            over: Arc::new(|| false),
            every: None,
            followed: None,
        }
    }

    /// Lets whatever waits for more end once this says so.
    #[must_use]
    pub fn until(self, over: impl Fn() -> bool + Send + Sync + 'static) -> Sources {
        Sources { over: Arc::new(over), ..self }
    }

    /// Continues with the last of them as it grows, and looks for more that often. A file that is
    /// replaced or truncated begins anew, as an input of its own with the same name.
    #[must_use]
    pub fn follow(self, every: Duration) -> Sources {
        Sources { every: Some(every), ..self }
    }

    /// The names of files that were reached a second time, and are read once.
    pub fn repeated(&self) -> &[Arc<str>] {
        &self.repeated
    }

    /// How many bytes of files are to be read, if that is known.
    pub fn bytes(&self) -> Option<u64> {
        let sizes = self.places.iter().map(Place::size);
        if self.every.is_some() { None } else { sizes.sum() }
    }

    /// Reports how much of what was read was compressed.
    pub fn meter(&self) -> Arc<Meter> {
        Arc::clone(&self.meter)
    }

    /// The name under which this very file is among them.
    pub fn name_of(&self, path: &Path, metadata: &Metadata) -> Option<Arc<str>> {
        let sought = FileId::of(path, metadata);
        let is_it = |place: &&Place| place.id() == Some(&sought);
        self.places.iter().find(is_it).map(Place::name)
    }

    fn open(&mut self, place: Place) -> Result<Input, InputError> {
        let is_live = self.every.is_some() && self.places.is_empty();
        match place {
            Place::Nowhere(input_error) => Err(input_error),
            Place::StandardInput { .. } => self.standard_input(is_live),
            Place::File { name, path, .. } if is_live => {
                let every = self.every.unwrap_or_default();
                let followed = Followed::new(name, path, every, Arc::clone(&self.over));
                let input = followed.open();
                self.followed = Some(followed);
                input
            }
            Place::File { name, path, .. } => {
                let body = self.file(&path);
                body.map(|body| Input { name: Arc::clone(&name), body })
                    .map_err(|error| InputError { name, offset: None, error: in_words(error) })
            }
        }
    }

    fn file(&self, path: &Path) -> io::Result<Body> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            let pipe = Pipe::new(file, Arc::clone(&self.over));
            return Ok(Body::Stream(self.unpacked(pipe)?));
        }
        let format = Format::of(&beginning(&mut file)?);
        file.rewind()?;
        Ok(match format {
            None => Body::File(file),
            Some(format) => Body::Stream(unpack(format, file, Arc::clone(&self.meter))),
        })
    }

    fn standard_input(&self, is_live: bool) -> Result<Input, InputError> {
        let name: Arc<str> = "-".into();
        let stream = pipe::standard_input();
        let stream = stream.and_then(|file| self.unpacked(Pipe::new(file, Arc::clone(&self.over))));
        match stream {
            Ok(stream) if is_live => Ok(Input { name, body: Body::Live(stream) }),
            Ok(stream) => Ok(Input { name, body: Body::Stream(stream) }),
            Err(error) => Err(InputError { name, offset: None, error }),
        }
    }

    /// What comes through a pipe, unpacked if it is compressed.
    fn unpacked(&self, mut pipe: Pipe) -> io::Result<Box<dyn Read + Send>> {
        let beginning = beginning(&mut pipe)?;
        if beginning.is_empty() && !(self.over)() {
            // Most often the writer has failed, or there is none at all.
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "nothing came"));
        }
        let format = Format::of(&beginning);
        let whole = Cursor::new(beginning).chain(pipe);
        Ok(match format {
            None => Box::new(whole),
            Some(format) => unpack(format, whole, Arc::clone(&self.meter)),
        })
    }
}

impl Iterator for Sources {
    type Item = Result<Input, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if (self.over)() {
            return None;
        }
        if let Some(followed) = &self.followed {
            return followed.again();
        }
        let place = self.places.pop_front()?;
        Some(self.open(place))
    }
}

impl std::fmt::Debug for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").field("places", &self.places).finish_non_exhaustive()
    }
}

/// The first bytes, as many as it takes to know a format.
fn beginning(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(compressed::MARK);
    match stream.take(compressed::MARK as u64).read_to_end(&mut bytes) {
        // Later reads get the same error.
        Err(error) if !is_abandoned(&error) => Err(error),
        _ => Ok(bytes),
    }
}

/// The errors that are met most often, in words that need no number.
fn in_words(error: io::Error) -> io::Error {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file",
        io::ErrorKind::PermissionDenied => "it may not be read",
        _ => return error,
    };
    io::Error::new(error.kind(), words)
}
