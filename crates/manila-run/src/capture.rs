//! What a program writes to one stream: in memory while it is little, in a file while it is much, and
//! only counted when it is too much.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// How much is kept in memory before a file is made.
const IN_MEMORY: usize = 1 << 20;
/// How much of the end is kept of what was too much.
const TAIL: usize = 16 << 10;
/// How much of a file is handed on at once.
const RELEASED: usize = 256 << 10;

/// One stream, as it comes.
pub(crate) struct Capture {
    head: Vec<u8>,
    /// What did not fit into memory; its name is gone from the folder already.
    spill: Option<File>,
    /// The end of what did not fit anywhere.
    tail: VecDeque<u8>,
    total: u64,
    limit: u64,
    /// How much of the file is known to be written.
    spilled: u64,
    /// Why nothing more is kept, although there is room.
    lost: Option<io::Error>,
    /// The piece that could not be written to the file.
    unsaved: Vec<u8>,
    /// Whether all of it is handed on as it comes, so that nothing need be kept.
    is_released: bool,
}

/// One stream, as it was.
#[derive(Debug, Default)]
pub(crate) struct Captured {
    /// All of it, or what there is room for.
    pub(crate) bytes: Vec<u8>,
    pub(crate) total: u64,
    /// The end of what there was no room for.
    pub(crate) tail: Vec<u8>,
    /// Why it is not whole, if it is not.
    pub(crate) cut: Option<String>,
    /// Whether the rest was handed on as it came, and only its end is here.
    pub(crate) is_partial: bool,
}

impl Capture {
    /// Keeps so many bytes at most.
    pub(crate) fn new(limit: u64) -> Capture {
        let (head, tail) = (Vec::new(), VecDeque::new());
        Capture {
            head,
            spill: None,
            tail,
            total: 0,
            limit,
            spilled: 0,
            lost: None,
            unsaved: Vec::new(),
            is_released: false,
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let room = usize::try_from(self.limit.saturating_sub(self.total)).unwrap_or(usize::MAX);
        self.total += bytes.len() as u64;
        let room = if self.lost.is_some() { 0 } else { room };
        let (kept, rest) = bytes.split_at(room.min(bytes.len()));
        if let Err(error) = self.keep(kept) {
            self.lost = Some(error);
            self.unsaved = kept.to_vec();
        }
        let rest = &rest[rest.len().saturating_sub(TAIL)..];
        let overflow = (self.tail.len() + rest.len()).saturating_sub(TAIL);
        self.tail.drain(..overflow);
        self.tail.extend(rest);
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.spill.is_none() {
            if self.head.len() + bytes.len() <= IN_MEMORY {
                self.head.extend_from_slice(bytes);
                return Ok(());
            }
            if bytes.is_empty() {
                return Ok(());
            }
            self.spill = Some(tempfile::tempfile()?);
        }
        if let Some(file) = &mut self.spill {
            file.write_all(bytes)?;
            self.spilled += bytes.len() as u64;
        }
        Ok(())
    }

    /// Whether so many more bytes would not fit.
    pub(crate) fn is_full_with(&self, more: usize) -> bool {
        self.total.saturating_add(more as u64) > self.limit
    }

    /// Whether something could not be kept although there is room.
    pub(crate) fn has_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Hands on all bytes so far, and keeps only the end of what follows. Nothing may have been
    /// dropped before: it is for whoever asks before each piece whether it will fit.
    pub(crate) fn release(
        &mut self,
        mut to: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        to(&self.head)?;
        if let Some(mut file) = self.spill.take() {
            file.rewind()?;
            let mut file = file.take(self.spilled);
            let mut chunk = vec![0; RELEASED];
            loop {
                match file.read(&mut chunk)? {
                    0 => break,
                    read => to(&chunk[..read])?,
                }
            }
        }
        to(&std::mem::take(&mut self.unsaved))?;
        self.lost = None;
        self.limit = self.head.len() as u64;
        self.is_released = true;
        Ok(())
    }

    /// All that was kept.
    pub(crate) fn finish(mut self) -> Captured {
        let (total, kept) = (self.total, self.head.len());
        let mut cut = (total > self.limit && !self.is_released)
            .then(|| format!("{total} bytes were written, and the first {kept} are kept"));
        if let Some(error) = &self.lost {
            let why = format!("only the first {kept} could be kept: {error}");
            cut = Some(format!("{total} bytes were written, and {why}"));
        }
        // What is not whole is not opened, so it need not come back into memory.
        if cut.is_none()
            && let Some(file) = &mut self.spill
        {
            let read = file.rewind().and_then(|()| file.read_to_end(&mut self.head));
            if let Err(error) = read {
                cut =
                    Some(format!("{} bytes were written, and cannot be read: {error}", self.total));
            }
        }
        let is_partial = self.is_released && self.total > self.head.len() as u64;
        Captured { bytes: self.head, total: self.total, tail: self.tail.into(), cut, is_partial }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(limit: u64, pieces: &[&[u8]]) -> Captured {
        let mut capture = Capture::new(limit);
        for piece in pieces {
            capture.take(piece);
        }
        capture.finish()
    }

    #[test]
    fn little_and_much_come_back_as_they_were() {
        for size in [0, 1, IN_MEMORY - 1, IN_MEMORY, IN_MEMORY + 1, 3 * IN_MEMORY + 7] {
            let bytes: Vec<u8> = (0..size).map(|at| u8::try_from(at % 251).unwrap()).collect();
            let pieces: Vec<&[u8]> = bytes.chunks(100_003).collect();
            let captured = captured(u64::MAX, &pieces);
            assert!(captured.bytes == bytes, "{size}");
            assert_eq!((captured.total, captured.cut), (size as u64, None));
        }
    }

    #[test]
    fn too_much_is_counted_and_its_end_is_kept() {
        let captured = captured(10, &[b"0123456", b"789abc", b"def"]);
        assert_eq!(captured.bytes, b"0123456789");
        assert_eq!(captured.tail, b"abcdef");
        assert_eq!(captured.total, 16);
        assert_eq!(
            captured.cut.as_deref(),
            Some("16 bytes were written, and the first 10 are kept")
        );
    }

    #[test]
    fn the_end_is_never_longer_than_it_may_be() {
        let captured =
            captured(0, &["a".repeat(TAIL - 1).as_bytes(), "b".repeat(3 * TAIL).as_bytes(), b"c"]);
        assert_eq!(captured.tail.len(), TAIL);
        assert_eq!(captured.tail.last(), Some(&b'c'));
    }
}
