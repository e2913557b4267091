//! Attempts left on disk as recorded runs: a directory with `run.json`, `stdout` and `stderr`.

use crate::attempt::{Execution, millis};
use crate::usage::Cut;
use manila::record::{RUN_FILE, Recording, STDERR_FILE, STDOUT_FILE};
use manila_pack::{mask, mask_argv};
use serde::Serialize;
use std::borrow::Cow;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// What the `run.json` of an attempt says beside what every recorded run says.
#[derive(Serialize)]
struct Attempt<'r> {
    /// What of the streams is not whole.
    cut: &'r [Cut],
}

/// Leaves an attempt in a new directory below this one, without the secrets in it.
pub(crate) fn record(
    below: &Path,
    execution: &Execution,
    ended: SystemTime,
) -> io::Result<PathBuf> {
    let transcript = &execution.transcript;
    let recording = Recording {
        argv: mask_argv(&transcript.argv, None),
        ended_ms: ended.duration_since(UNIX_EPOCH).ok().map(millis),
        ..Recording::new(transcript, Attempt { cut: &execution.usage.cut })
    };
    let (stdout, stderr) = (masked(&transcript.stdout), masked(&transcript.stderr));
    write_recording(below, &recording, &stdout, &stderr)
}

/// Writes a recorded run into a new directory below this one. Nothing that is there is touched: if the
/// number is taken, by an earlier run or by one at the same time, the next one is tried.
#[doc(hidden)]
pub fn write_recording<M: Serialize>(
    below: &Path,
    recording: &Recording<M>,
    stdout: &[u8],
    stderr: &[u8],
) -> io::Result<PathBuf> {
    private_dir().recursive(true).create(below)?;
    let directory = (1..u32::MAX)
        .map(|number| below.join(format!("{number:04}")))
        .find_map(|directory| match private_dir().create(&directory) {
            Ok(()) => Some(Ok(directory)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
            Err(error) => Some(Err(error)),
        })
        .unwrap_or_else(|| Err(io::Error::other("there is no number left")))?;
    write(&directory.join(STDOUT_FILE), stdout)?;
    write(&directory.join(STDERR_FILE), stderr)?;
    write(&directory.join(RUN_FILE), &recording.to_json()?)?;
    Ok(directory)
}

/// Makes directories that only their owner can read: output may have secrets that have no known shape.
fn private_dir() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(bytes)
}

/// The bytes without the secrets in them; what is not text is left as it is.
fn masked(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Cow::Borrowed(bytes) };
    Cow::Owned(mask(text, None).into_bytes())
}
