//! Which bytes are compressed, by what they begin with and not by what the file is called.

use super::Meter;
use super::{gzip, zstd};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How many bytes it takes to know a format.
pub(crate) const MARK: usize = 4;
/// How much of a compressed file is read at a time.
const BLOCK: usize = 128 << 10;

/// A way to compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Gzip,
    Zstd,
}

impl Format {
    /// The format of bytes that begin so.
    pub(crate) fn of(beginning: &[u8]) -> Option<Format> {
        match beginning {
            [0x1f, 0x8b, 0x08, ..] => Some(Format::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some(Format::Zstd),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Gzip => "gzip",
            Format::Zstd => "zstd",
        }
    }

    /// The bytes that were compressed, and a note of how many there are of both.
    pub(crate) fn unpack(
        self,
        stream: impl Read + Send + 'static,
        meter: Arc<Meter>,
    ) -> Box<dyn Read + Send> {
        let packed = Packed { stream, meter: Arc::clone(&meter) };
        let packed = BufReader::with_capacity(BLOCK, packed);
        match self {
            Format::Gzip => Box::new(Unpacked { stream: gzip::Members::new(packed), meter }),
            Format::Zstd => Box::new(Unpacked { stream: zstd::Frames::new(packed), meter }),
        }
    }
}

/// Compressed bytes, counted.
struct Packed<R> {
    stream: R,
    meter: Arc<Meter>,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.meter.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// The same unpacked, counted.
struct Unpacked<R> {
    stream: R,
    meter: Arc<Meter>,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let given = self.stream.read(into)?;
        self.meter.given.fetch_add(given as u64, Ordering::Relaxed);
        Ok(given)
    }
}

/// What follows a part of a compressed file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    End,
    /// Another part, as it seems.
    More,
}

/// Looks for what follows; zeros up to the end are the padding of tapes and disks.
pub(crate) fn what_follows(stream: &mut impl BufRead) -> io::Result<Next> {
    let first = stream.fill_buf()?.first().copied();
    if first != Some(0) {
        return Ok(first.map_or(Next::End, |_| Next::More));
    }
    loop {
        let block = stream.fill_buf()?;
        match block.iter().position(|byte| *byte != 0) {
            Some(_) => return Ok(Next::More),
            None if block.is_empty() => return Ok(Next::End),
            None => {
                let length = block.len();
                stream.consume(length);
            }
        }
    }
}

/// That a compressed file stops in the middle.
pub(crate) fn truncated(format: Format) -> io::Error {
    let words = format!("the {} data stop before their end", format.name());
    io::Error::new(io::ErrorKind::UnexpectedEof, words)
}

/// That a compressed file is damaged.
pub(crate) fn damaged(format: Format, why: impl std::fmt::Display) -> io::Error {
    let words = format!("the {} data are damaged: {why}", format.name());
    io::Error::new(io::ErrorKind::InvalidData, words)
}

/// That something else stands behind the last part.
pub(crate) fn trailing(format: Format) -> io::Error {
    let words = format!("bytes that are not {} follow the compressed data", format.name());
    io::Error::new(io::ErrorKind::InvalidData, words)
}
