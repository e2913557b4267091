//! What is kept of a stream, and how much was written to it.

use super::stdio::Source;
use std::fs::{self, File};
use std::io::Read;

/// How much is kept of a run that wrote too much.
const KEPT_OF_OVERSIZED: usize = 1 << 20;

/// A stream of a run.
#[derive(Debug)]
pub(super) struct Captured {
    pub(super) source: Source,
    pub(super) bytes: Vec<u8>,
    pub(super) written: u64,
    /// Whether only the beginning is kept.
    pub(super) is_short: bool,
}

impl Captured {
    pub(super) fn new(source: Source) -> Captured {
        Captured { source, bytes: Vec::new(), written: 0, is_short: false }
    }

    /// Takes what was read, or only counts it.
    pub(super) fn take(&mut self, read: &[u8]) {
        self.written += read.len() as u64;
        if !self.is_short {
            self.bytes.extend_from_slice(read);
        }
    }

    /// Takes no more than this of a file, if it is one; whether it is.
    pub(super) fn take_file(&mut self, most: u64) -> bool {
        let Source::File(path) = &self.source else { return false };
        self.written = fs::metadata(path).map_or(0, |it| it.len());
        if let Ok(file) = File::open(path) {
            let _ = file.take(most).read_to_end(&mut self.bytes);
        }
        true
    }

    /// Keeps the beginning alone.
    pub(super) fn shorten(&mut self, allowance: u64) {
        let most = usize::try_from(allowance).unwrap_or(usize::MAX);
        self.bytes.truncate(KEPT_OF_OVERSIZED.min(most));
        self.bytes.shrink_to_fit();
        self.is_short = true;
    }

    /// How much was written so far.
    pub(super) fn size(&self) -> u64 {
        match &self.source {
            Source::File(path) => fs::metadata(path).map_or(0, |it| it.len()),
            _ => self.written,
        }
    }

    pub(super) fn is_file(&self) -> bool {
        matches!(self.source, Source::File(_))
    }

    pub(super) fn is_pipe(&self) -> bool {
        matches!(self.source, Source::Pipe(_))
    }
}
