//! Which bytes are compressed, by what they begin with and not by what the file is called.

use std::io::{self, BufRead};

/// How many bytes it takes to know a format.
pub(crate) const MARK: usize = 4;

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

/// That something else follows the last part.
pub(crate) fn trailing(format: Format) -> io::Error {
    let words = format!("bytes that are not {} follow the compressed data", format.name());
    io::Error::new(io::ErrorKind::InvalidData, words)
}
