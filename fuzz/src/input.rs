//! How fuzzed bytes become a transcript, and a transcript such bytes.

use manila::json::Limits;
use manila::{DIALECTS, Options, Status, Transcript};

const SIGNALS: u8 = 192;
const UNKNOWN: u8 = 224;

/// The transcript that bytes stand for: a byte for the status, stdout up to a NUL, stderr.
pub(super) fn transcript(bytes: &[u8]) -> Transcript {
    let (status, streams) = bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest));
    let end = streams.iter().position(|byte| *byte == 0).unwrap_or(streams.len());
    Transcript {
        stdout: streams[..end].to_vec(),
        stderr: streams.get(end + 1..).unwrap_or_default().to_vec(),
        status: status_of(status),
        ..Transcript::default()
    }
}

fn status_of(byte: u8) -> Status {
    match byte {
        ..SIGNALS => Status::Exited(byte.into()),
        SIGNALS..UNKNOWN => Status::Signaled((byte - SIGNALS + 1).into()),
        UNKNOWN.. => Status::Unknown,
    }
}

/// The bytes that stand for a transcript; a NUL in its stdout moves the rest to stderr.
#[must_use]
pub fn encode(transcript: &Transcript) -> Vec<u8> {
    let known = (0..UNKNOWN).find(|byte| status_of(*byte) == transcript.status);
    let mut bytes = vec![known.unwrap_or(UNKNOWN)];
    bytes.extend(&transcript.stdout);
    bytes.push(0);
    bytes.extend(&transcript.stderr);
    bytes
}

/// How a transcript is read: as most callers do, as one who names a dialect, and as one who fears
/// large documents.
pub(super) fn options(transcript: &Transcript) -> [Options; 3] {
    let length = transcript.stdout.len() + transcript.stderr.len();
    let named = DIALECTS[length % DIALECTS.len()];
    let narrow = Limits { bytes: length / 2, depth: 8 };
    [
        Options::default(),
        Options { dialect: Some(named), ..Options::default() },
        Options { limits: narrow, ..Options::default() },
    ]
}
