//! What a program writes to one stream: in memory while it is little, in a file while it is much, and
//! only counted when it is too much. What is passed on as it comes need not be kept whole.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::FileExt;

/// How much is kept in memory before a file is made.
const IN_MEMORY: usize = 1 << 20;
/// How much of the end is kept of what was too much.
const TAIL: usize = 16 << 10;
/// How large a file of what there is no room for may get.
const LARGEST_FILE: u64 = 256 << 20;
/// How much of a file is handed on at once.
const RELEASED: usize = 256 << 10;
/// How much of the end of held output is looked at.
const HELD_TAIL: u64 = 128 << 10;

/// How much of a stream is kept for those who read it after the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All of it, up to the limit.
    #[default]
    All,
    /// The beginning and the end: the whole goes to a sink.
    Ends,
}

/// One stream, as it comes.
pub(crate) struct Capture {
    head: Vec<u8>,
    /// Everything, once it did not fit into memory; the file has no name.
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
    keep: Keep,
    /// Whether all of it is handed on as it comes.
    is_released: bool,
    /// Whether what there is no room for is left in a file.
    spills_over: bool,
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
    /// A file without a name that holds more of it, up to a size.
    pub(crate) file: Option<File>,
    /// What is not handed on yet, if it is more than `bytes`.
    pub(crate) held: Option<Held>,
    /// Whether the rest is handed on, and only its end is here.
    pub(crate) is_partial: bool,
}

/// A part of a stream that is handed on.
pub(crate) enum Piece<'p> {
    Bytes(&'p [u8]),
    Held(&'p Held),
}

/// Output in a file without a name that is to be handed on once the attempt is settled.
#[derive(Debug)]
pub(crate) struct Held {
    file: File,
    length: u64,
}

impl Held {
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Passes on all of it from an offset on, piece by piece.
    pub(crate) fn pass_on(
        &self,
        mut at: u64,
        mut to: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        if at == self.length {
            return Ok(());
        }
        let mut chunk = vec![0; RELEASED];
        while at < self.length {
            let most = usize::try_from(self.length - at).unwrap_or(usize::MAX).min(RELEASED);
            match self.file.read_at(&mut chunk[..most], at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    to(&chunk[..read])?;
                    at += read as u64;
                }
            }
        }
        Ok(())
    }

    /// Its end, without the part that is kept already.
    fn tail(&self, kept: u64) -> io::Result<Vec<u8>> {
        let length = self.length.saturating_sub(kept).min(HELD_TAIL);
        let mut tail = vec![0; usize::try_from(length).unwrap_or_default()];
        self.file.read_exact_at(&mut tail, self.length - length)?;
        Ok(tail)
    }
}

impl Capture {
    /// Keeps so many bytes at most.
    pub(crate) fn new(limit: u64, keep: Keep) -> Capture {
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
            keep,
            is_released: false,
            spills_over: false,
        }
    }

    /// Leaves what there is no room for in a file, up to a size.
    #[must_use]
    pub(crate) fn spilling_over(self) -> Capture {
        Capture { spills_over: true, ..self }
    }

    /// Is handed on from the first byte on.
    #[must_use]
    pub(crate) fn released(self) -> Capture {
        Capture { is_released: true, ..self }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let room = usize::try_from(self.room()).unwrap_or(usize::MAX);
        self.total += bytes.len() as u64;
        let (kept, rest) = bytes.split_at(room.min(bytes.len()));
        if let Err(error) = self.keep(kept) {
            self.lost = Some(error);
            self.unsaved = kept.to_vec();
        }
        if !rest.is_empty() && self.spills_over && !self.is_released && self.lost.is_none() {
            self.spill_over(rest);
        }
        let rest = &rest[rest.len().saturating_sub(TAIL)..];
        let overflow = (self.tail.len() + rest.len()).saturating_sub(TAIL);
        self.tail.drain(..overflow);
        self.tail.extend(rest);
    }

    /// How many more bytes are kept.
    fn room(&self) -> u64 {
        match () {
            () if self.keeps_head_only() => (IN_MEMORY as u64).saturating_sub(self.total),
            () if self.lost.is_some() => 0,
            () => self.limit.saturating_sub(self.total),
        }
    }

    /// Whether what does not fit into memory is handed on and forgotten.
    fn keeps_head_only(&self) -> bool {
        self.is_released && self.keep == Keep::Ends
    }

    /// Leaves what there is no room for in the file, as far as a file may grow. What cannot be left there
    /// is counted all the same.
    fn spill_over(&mut self, bytes: &[u8]) {
        let room = usize::try_from(LARGEST_FILE.saturating_sub(self.spilled)).unwrap_or(usize::MAX);
        let bytes = &bytes[..room.min(bytes.len())];
        if self.spill.is_none() && self.spill_head().is_err() {
            return;
        }
        if let Some(file) = &mut self.spill
            && file.write_all(bytes).is_ok()
        {
            self.spilled += bytes.len() as u64;
        }
    }

    /// Begins the file with what is in memory.
    fn spill_head(&mut self) -> io::Result<()> {
        let mut file = tempfile::tempfile()?;
        file.write_all(&self.head)?;
        self.spilled = self.head.len() as u64;
        self.spill = Some(file);
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.spill.is_none() {
            if self.keeps_head_only() || self.head.len() + bytes.len() <= IN_MEMORY {
                self.head.extend_from_slice(bytes);
                return Ok(());
            }
            if bytes.is_empty() {
                return Ok(());
            }
            self.spill_head()?;
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

    /// Passes on all bytes so far, because what follows is handed on as it comes. Nothing may have been
    /// dropped before: it is for callers that check before each piece whether it will fit.
    pub(crate) fn release(
        &mut self,
        mut to: impl FnMut(Piece<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.is_released = true;
        match self.spill.take() {
            None => to(Piece::Bytes(&self.head))?,
            Some(file) => {
                let held = Held { file, length: self.spilled };
                to(Piece::Held(&held))?;
                self.spill = Some(held.file).filter(|_| self.keep == Keep::All);
            }
        }
        to(Piece::Bytes(&std::mem::take(&mut self.unsaved)))
    }

    /// What was kept.
    pub(crate) fn finish(self) -> Captured {
        match self.keep {
            Keep::All => self.finish_whole(),
            Keep::Ends => self.finish_ends(),
        }
    }

    fn finish_ends(self) -> Captured {
        let kept = self.head.len() as u64;
        let held = self.spill.map(|file| Held { file, length: self.spilled });
        // What cannot be read here cannot be handed on either, and that is reported then.
        let tail = held.as_ref().and_then(|held| held.tail(kept).ok());
        Captured {
            bytes: self.head,
            total: self.total,
            tail: tail.unwrap_or_else(|| self.tail.into()),
            cut: None,
            file: None,
            held,
            is_partial: self.total > kept,
        }
    }

    fn finish_whole(mut self) -> Captured {
        let total = self.total;
        let is_over = total > self.limit;
        let mut lost = self.lost.take().map(|error| format!("the rest could not be kept: {error}"));
        if let Some(file) = self.spill.as_mut() {
            let most = self.spilled.min(self.limit);
            self.head.clear();
            let read = file.rewind().and_then(|()| file.take(most).read_to_end(&mut self.head));
            if let Err(error) = read {
                lost = Some(format!("the rest cannot be read: {error}"));
            }
        }
        let kept = self.head.len();
        let cut = (is_over || lost.is_some()).then(|| {
            let why = lost.map(|why| format!("; {why}")).unwrap_or_default();
            format!("{total} bytes were written, and the first {kept} are kept{why}")
        });
        let file = self.spill.filter(|_| is_over && self.spills_over);
        Captured {
            bytes: self.head,
            total,
            tail: self.tail.into(),
            cut,
            file,
            held: None,
            is_partial: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(limit: u64, pieces: &[&[u8]]) -> Captured {
        let mut capture = Capture::new(limit, Keep::All).spilling_over();
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
        let (mut file, mut all) = (captured.file.expect("a file"), Vec::new());
        file.rewind().and_then(|()| file.read_to_end(&mut all)).unwrap();
        assert_eq!(all, b"0123456789abcdef");
    }

    #[test]
    fn what_is_handed_on_is_kept_at_its_ends_or_whole() {
        let piece: Vec<u8> = (0..100_003_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
        for released_at in [0, 3, 15] {
            for keep in [Keep::All, Keep::Ends] {
                let (mut capture, mut seen) = (Capture::new(u64::MAX, keep), Vec::new());
                for number in 0..20 {
                    if number == released_at {
                        let release = capture.release(|piece| match piece {
                            Piece::Bytes(bytes) => seen.write_all(bytes),
                            Piece::Held(held) => held.pass_on(0, |bytes| seen.write_all(bytes)),
                        });
                        release.unwrap();
                    }
                    capture.take(&piece);
                    if number >= released_at {
                        seen.extend_from_slice(&piece);
                    }
                }
                let all = piece.repeat(20);
                assert!(seen == all, "{released_at} {keep:?}");
                let captured = capture.finish();
                assert!(all.starts_with(&captured.bytes), "{released_at} {keep:?}");
                assert!(all.ends_with(&captured.tail), "{released_at} {keep:?}");
                assert_eq!(captured.bytes == all, keep == Keep::All, "{released_at}");
                assert!(captured.held.is_none());
            }
        }
    }

    #[test]
    fn held_output_is_whole_and_its_end_is_looked_at() {
        let mut capture = Capture::new(u64::MAX, Keep::Ends);
        let piece = vec![b'x'; 700 << 10];
        for _ in 0..3 {
            capture.take(&piece);
        }
        capture.take(b"the end");
        let captured = capture.finish();
        assert!(captured.is_partial && captured.tail.ends_with(b"xthe end"));
        let mut seen = Vec::new();
        captured.held.unwrap().pass_on(0, |bytes| seen.write_all(bytes)).unwrap();
        assert_eq!((seen.len(), &seen[seen.len() - 8..]), (3 * piece.len() + 7, &b"xthe end"[..]));
    }

    #[test]
    fn the_end_is_never_longer_than_it_may_be() {
        let captured =
            captured(0, &["a".repeat(TAIL - 1).as_bytes(), "b".repeat(3 * TAIL).as_bytes(), b"c"]);
        assert_eq!(captured.tail.len(), TAIL);
        assert_eq!(captured.tail.last(), Some(&b'c'));
    }
}
