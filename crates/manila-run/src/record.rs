//! Attempts left on disk as recorded runs: a directory with `run.json`, `stdout` and `stderr`.

use crate::attempt::Execution;
use crate::usage::Cut;
use manila::record::{RUN_FILE, Recording, STDERR_FILE, STDOUT_FILE};
use manila_pack::{mask, mask_argv};
use serde::Serialize;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the `run.json` of an attempt says beside what every recorded run says.
#[derive(Serialize)]
struct Attempt<'r> {
    /// What of the streams is not whole.
    cut: &'r [Cut],
}

/// Leaves an attempt in a new directory below this one, without the secrets in it.
pub(crate) fn record(below: &Path, execution: &Execution) -> io::Result<PathBuf> {
    let transcript = &execution.transcript;
    let recording = Recording {
        argv: mask_argv(&transcript.argv, None),
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
    fs::create_dir_all(below)?;
    let directory = (1..u32::MAX)
        .map(|number| below.join(format!("{number:04}")))
        .find_map(|directory| match fs::create_dir(&directory) {
            Ok(()) => Some(Ok(directory)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
            Err(error) => Some(Err(error)),
        })
        .unwrap_or_else(|| Err(io::Error::other("there is no number left")))?;
    fs::write(directory.join(STDOUT_FILE), stdout)?;
    fs::write(directory.join(STDERR_FILE), stderr)?;
    fs::write(directory.join(RUN_FILE), recording.to_json()?)?;
    Ok(directory)
}

/// The bytes without the secrets in them; what is not text is left as it is.
fn masked(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Cow::Borrowed(bytes) };
    Cow::Owned(mask(text, None).into_bytes())
}
