//! A file that grows: whole lines as they come, and a new beginning when it is replaced or cut.
//!
//! The file is checked from time to time, which works everywhere and on every file system. An
//! incomplete line stays where it is: its writer is not done, and a record that is half written
//! breaks no rule.

use super::compressed::Format;
use super::find::FileId;
use super::{Over, beginning, in_words};
use crate::input::{Body, Input, InputError};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// By how many of its last bytes a file is known.
const MARK: usize = 64;

/// A file that is followed through all that becomes of it.
pub(crate) struct Followed {
    name: Arc<str>,
    path: PathBuf,
    every: Duration,
    over: Over,
    /// Whether the file was replaced or cut, and begins anew.
    begins_anew: Arc<AtomicBool>,
}

impl Followed {
    pub(crate) fn new(name: Arc<str>, path: PathBuf, every: Duration, over: Over) -> Followed {
        Followed { name, path, every, over, begins_anew: Arc::default() }
    }

    /// The file as it is now.
    pub(crate) fn open(&self) -> Result<Input, InputError> {
        let input_error = |error| {
            let error = in_words(error);
            InputError { name: Arc::clone(&self.name), offset: None, error }
        };
        let growing = self.growing().map_err(input_error)?;
        Ok(Input { name: Arc::clone(&self.name), body: Body::Live(Box::new(growing)) })
    }

    /// The file that took its place, if the one before ended because of that. It exists, or existed
    /// a moment ago: the rotation may not be finished.
    pub(crate) fn again(&self) -> Option<Result<Input, InputError>> {
        if !self.begins_anew.swap(false, Ordering::Relaxed) {
            return None;
        }
        loop {
            match self.open() {
                Err(input_error) if input_error.error.kind() == io::ErrorKind::NotFound => {
                    if (self.over)() {
                        return None;
                    }
                    std::thread::sleep(self.every);
                }
                opened => return Some(opened),
            }
        }
    }

    fn growing(&self) -> io::Result<Growing> {
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "only a file can be followed"));
        }
        if let Some(format) = Format::of(&beginning(&mut file)?) {
            let words = format!("{} data cannot be followed as they grow", format.name());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        Ok(Growing {
            id: FileId::of(&self.path, &metadata),
            file,
            path: self.path.clone(),
            position: 0,
            last: Vec::new(),
            every: self.every,
            over: Arc::clone(&self.over),
            begins_anew: Arc::clone(&self.begins_anew),
        })
    }
}

/// One file for as long as it is the one.
struct Growing {
    file: File,
    id: FileId,
    path: PathBuf,
    /// How much of it was given.
    position: u64,
    /// The end of that, by which a file is known to be the one that it was.
    last: Vec<u8>,
    every: Duration,
    over: Over,
    begins_anew: Arc<AtomicBool>,
}

/// What became of a file that has nothing more to give.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It may grow.
    Same,
    Cut,
    /// Another has its name.
    Replaced,
}

impl Growing {
    /// What is there from the position on, and how much of it is whole lines. A line that is longer
    /// than the room for it is given in pieces.
    fn look(&mut self, into: &mut [u8]) -> io::Result<(usize, usize)> {
        self.file.seek(SeekFrom::Start(self.position))?;
        let mut there = 0;
        while there < into.len() {
            match self.file.read(&mut into[there..]) {
                Ok(0) => break,
                Ok(read) => there += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let whole = memchr::memrchr(b'\n', &into[..there]).map_or(0, |last| last + 1);
        Ok((there, if whole == 0 && there == into.len() { there } else { whole }))
    }

    /// Reads the last bytes that were given again; whether others stand there now: between two looks the file was cut and has
    /// grown at least as long again.
    fn reread_differs(&mut self) -> io::Result<bool> {
        let mut now = Vec::with_capacity(self.last.len());
        self.file.seek(SeekFrom::Start(self.position - self.last.len() as u64))?;
        self.file.by_ref().take(self.last.len() as u64).read_to_end(&mut now)?;
        Ok(now != self.last)
    }

    /// These bytes are given.
    fn give(&mut self, given: &[u8]) {
        self.position += given.len() as u64;
        self.last.extend_from_slice(&given[given.len().saturating_sub(MARK)..]);
        self.last.drain(..self.last.len().saturating_sub(MARK));
    }

    fn fate(&self) -> io::Result<Fate> {
        if self.file.metadata()?.len() < self.position {
            return Ok(Fate::Cut);
        }
        // A name that is gone for a moment is about to come back.
        let other = fs::metadata(&self.path).is_ok_and(|it| FileId::of(&self.path, &it) != self.id);
        Ok(if other { Fate::Replaced } else { Fate::Same })
    }
}

impl Read for Growing {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            // First the fate, then the bytes: what came in between is not lost.
            let fate = self.fate()?;
            if fate == Fate::Cut {
                self.begins_anew.store(true, Ordering::Relaxed);
                return Ok(0);
            }
            let (there, whole) = self.look(into)?;
            // After the bytes: what was read before is of the same file as they are.
            if self.reread_differs()? {
                self.begins_anew.store(true, Ordering::Relaxed);
                return Ok(0);
            }
            // A line of a file that has been replaced will not be completed.
            let given = if fate == Fate::Replaced { there } else { whole };
            if given > 0 {
                self.give(&into[..given]);
                return Ok(given);
            }
            if fate == Fate::Replaced {
                self.begins_anew.store(true, Ordering::Relaxed);
                return Ok(0);
            }
            if (self.over)() {
                return Ok(0);
            }
            std::thread::sleep(self.every);
        }
    }
}
