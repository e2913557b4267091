//! Unpacks compressed bytes, and counts both sides.

use super::Meter;
use super::compressed::Format;
use super::{gzip, zstd};
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How much of a compressed file is read at a time.
const BLOCK: usize = 128 << 10;

/// The bytes that were compressed, and a note of how many there are of both.
pub(crate) fn unpack(
    format: Format,
    stream: impl Read + Send + 'static,
    meter: Arc<Meter>,
) -> Box<dyn Read + Send> {
    let packed = Packed { stream, meter: Arc::clone(&meter) };
    let packed = BufReader::with_capacity(BLOCK, packed);
    match format {
        Format::Gzip => Box::new(Unpacked { stream: gzip::Members::new(packed), meter }),
        Format::Zstd => Box::new(Unpacked { stream: zstd::Frames::new(packed), meter }),
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
