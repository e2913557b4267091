//! Zstandard: frame after frame, those to be skipped skipped, checksums compared.

use super::compressed::{Format, Next, damaged, trailing, truncated, what_follows};
use crate::input::{abandoned, is_abandoned};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::io::{self, BufRead, Read};

/// The frames of a Zstandard file, one behind the other.
pub(crate) struct Frames<R> {
    stream: R,
    decoder: FrameDecoder,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    Done,
}

impl<R: BufRead> Frames<R> {
    pub(crate) fn new(stream: R) -> Frames<R> {
        Frames { stream, decoder: FrameDecoder::new(), state: State::Before }
    }

    /// Begins the next frame that has something in it; says whether there is one.
    fn begin(&mut self) -> io::Result<State> {
        loop {
            if what_follows(&mut self.stream)? == Next::End {
                return Ok(State::Done);
            }
            match self.decoder.reset(&mut self.stream) {
                Ok(()) => return Ok(State::Inside),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped =
                        io::copy(&mut self.stream.by_ref().take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(truncated(Format::Zstd));
                    }
                }
                Err(FrameDecoderError::ReadFrameHeaderError(
                    ReadFrameHeaderError::BadMagicNumber(_),
                )) => return Err(trailing(Format::Zstd)),
                Err(error) => return Err(in_words(&error)),
            }
        }
    }

    /// Ends a frame: what was read must be what was written.
    fn end(&mut self) -> io::Result<()> {
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(damaged(Format::Zstd, "the checksum is another"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            match self.state {
                State::Done => return Ok(0),
                // Reads after an error return nothing more.
                State::Before => {
                    self.state = State::Done;
                    self.state = self.begin()?;
                }
                State::Inside => {}
            }
            if self.state == State::Done {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.stream, one) {
                    self.state = State::Done;
                    return Err(in_words(&error));
                }
            }
            let read = self.decoder.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            self.state = State::Before;
            self.end().inspect_err(|_| self.state = State::Done)?;
        }
    }
}

/// What is wrong, from the cause that lies deepest.
fn in_words(error: &FrameDecoderError) -> io::Error {
    let mut next: Option<&dyn Error> = Some(error);
    while let Some(cause) = next {
        next = cause.source();
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            return match cause.kind() {
                _ if is_abandoned(cause) => abandoned(),
                io::ErrorKind::UnexpectedEof => truncated(Format::Zstd),
                kind => io::Error::new(kind, cause.to_string()),
            };
        }
    }
    damaged(Format::Zstd, error)
}
