//! gzip: one member after the other, as `cat a.gz b.gz` and loggers that append write them.

use super::compressed::{Format, Next, damaged, trailing, truncated, what_follows};
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// The members of a gzip file, one behind the other.
pub(crate) enum Members<R> {
    Inside(Box<GzDecoder<R>>),
    Done,
}

impl<R: BufRead> Members<R> {
    pub(crate) fn new(stream: R) -> Members<R> {
        Members::Inside(Box::new(GzDecoder::new(stream)))
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let Members::Inside(decoder) = self else { return Ok(0) };
            match decoder.read(into) {
                Ok(0) if !into.is_empty() => {}
                Ok(read) => return Ok(read),
                Err(error) => return Err(in_words(error)),
            }
            let Members::Inside(decoder) = std::mem::replace(self, Members::Done) else {
                return Ok(0);
            };
            let mut stream = decoder.into_inner();
            if what_follows(&mut stream)? == Next::End {
                return Ok(0);
            }
            if stream.fill_buf()?.first() != Some(&0x1f) {
                return Err(trailing(Format::Gzip));
            }
            *self = Members::new(stream);
        }
    }
}

fn in_words(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => truncated(Format::Gzip),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => damaged(Format::Gzip, error),
        // Not what was compressed is wrong, but what it is read from.
        _ => error,
    }
}
