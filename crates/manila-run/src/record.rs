//! Attempts left on disk as recorded runs: a folder with `run.json`, `stdout` and `stderr`.

use crate::attempt::Execution;
use crate::usage::{Cut, exit_code_and_signal};
use manila_pack::{mask, mask_argv};
use serde::Serialize;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The `run.json` of an attempt.
#[derive(Serialize)]
struct Run<'r> {
    argv: &'r [String],
    exit_code: Option<i32>,
    signal: Option<i32>,
    duration_ms: Option<u64>,
    recorded: bool,
    /// What of the streams is not whole.
    cut: &'r [Cut],
}

/// Leaves an attempt in a new folder below this one. Nothing that is there is touched: if the number
/// is taken, by an earlier call or by one at the same time, the next one is tried.
pub(crate) fn record(below: &Path, execution: &Execution) -> io::Result<PathBuf> {
    fs::create_dir_all(below)?;
    let folder = (1..u32::MAX)
        .map(|number| below.join(format!("{number:04}")))
        .find_map(|folder| match fs::create_dir(&folder) {
            Ok(()) => Some(Ok(folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
            Err(error) => Some(Err(error)),
        })
        .unwrap_or_else(|| Err(io::Error::other("there is no number left")))?;
    let (exit_code, signal) = exit_code_and_signal(execution.transcript.status);
    let run = Run {
        argv: &mask_argv(&execution.transcript.argv, None),
        exit_code,
        signal,
        duration_ms: execution.transcript.duration_ms,
        recorded: true,
        cut: &execution.usage.cut,
    };
    fs::write(folder.join("stdout"), masked(&execution.transcript.stdout))?;
    fs::write(folder.join("stderr"), masked(&execution.transcript.stderr))?;
    // Last, because a folder is a recorded run once it has this file.
    fs::write(folder.join("run.json"), serde_json::to_vec_pretty(&run)?)?;
    Ok(folder)
}

/// The bytes without the secrets in them; what is not text is left as it is.
fn masked(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Cow::Borrowed(bytes) };
    Cow::Owned(mask(text, None).into_bytes())
}
