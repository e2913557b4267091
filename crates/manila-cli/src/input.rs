//! Where a transcript comes from: a file, stdin, or a recorded run.

use crate::error::CliError;
use crate::known::known_dialect;
use clap::Args;
use manila::json::Limits;
use manila::record::{NoMore, RUN_FILE, Recording, STDERR_FILE, STDOUT_FILE};
use manila::{Dialect, Options, Status, Transcript};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// What to read, and how.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// What the program wrote to stdout; - or nothing is our stdin
    #[arg(value_name = "FILE", conflicts_with = "run")]
    stdout: Option<PathBuf>,

    /// A recorded run: a directory with run.json, stdout and stderr
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,

    /// What the program wrote to stderr
    #[arg(long, value_name = "FILE", conflicts_with = "run")]
    stderr: Option<PathBuf>,

    /// The program that was called: its pack settles a dialect in doubt, and a redirect must name it
    #[arg(long, value_name = "NAME")]
    program: Option<String>,

    /// The status the program ended with; negative for death by that signal
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    exit_code: Option<i32>,

    /// The dialect, if you know it: its id, or a file that describes it
    #[arg(long, value_name = "DIALECT", value_parser = known_dialect())]
    dialect: Option<&'static dyn Dialect>,

    /// The largest stream to read, in bytes
    #[arg(long, value_name = "N", default_value_t = Limits::default().bytes)]
    #[arg(allow_negative_numbers = true)]
    max_bytes: usize,

    /// The deepest nesting to read
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    #[arg(allow_negative_numbers = true)]
    max_depth: usize,
}

/// A recorded run, within the usual limits.
pub(crate) fn recorded(dir: &Path) -> Result<Transcript, CliError> {
    let limits = Limits::default();
    let input = Input {
        stdout: None,
        run: None,
        stderr: None,
        program: None,
        exit_code: None,
        dialect: None,
        max_bytes: limits.bytes,
        max_depth: limits.depth,
    };
    input.recorded(dir)
}

impl Input {
    pub(crate) fn options(&self) -> Options {
        let limits = Limits { bytes: self.max_bytes, depth: self.max_depth };
        Options { limits, dialect: self.dialect, ..Options::default() }
    }

    pub(crate) fn transcript(&self) -> Result<Transcript, CliError> {
        let mut transcript = match &self.run {
            Some(dir) => self.recorded(dir)?,
            None => Transcript {
                stdout: self.read_stdout()?,
                stderr: self.stderr.as_deref().map_or(Ok(Vec::new()), |path| self.read(path))?,
                ..Transcript::default()
            },
        };
        if self.exit_code.is_some() {
            transcript.status = Status::from_recorded(self.exit_code);
        }
        if let Some(program) = &self.program {
            transcript.argv.splice(..transcript.argv.len().min(1), [program.clone()]);
        }
        Ok(transcript)
    }

    /// When the recorded run ended, if it says so.
    pub(crate) fn ended_ms(&self) -> Result<Option<u64>, CliError> {
        let Some(dir) = &self.run else { return Ok(None) };
        Ok(Recording::<NoMore>::from_json(&self.read(&dir.join(RUN_FILE))?)?.ended_ms)
    }

    fn recorded(&self, dir: &Path) -> Result<Transcript, CliError> {
        for name in [RUN_FILE, STDOUT_FILE, STDERR_FILE] {
            let path = dir.join(name);
            if path.exists() && !path.is_file() {
                return Err(no_recording(dir, &format!("a {name} that is not a file")));
            }
        }
        let read_or_empty = |name: &str| match self.read(&dir.join(name)) {
            Err(CliError::FileNotFound { .. }) => Ok(Vec::new()),
            other => other,
        };
        let run = match self.read(&dir.join(RUN_FILE)) {
            Err(_) if dir.exists() && !dir.join(RUN_FILE).is_file() => {
                return Err(no_recording(dir, "no run.json"));
            }
            other => other?,
        };
        let (stdout, stderr) = (read_or_empty(STDOUT_FILE)?, read_or_empty(STDERR_FILE)?);
        let transcript = Transcript::from_recorded(&run, stdout, stderr)?;
        if !dir.join(STDOUT_FILE).exists() && !dir.join(STDERR_FILE).exists() {
            return Err(no_recording(dir, "neither stdout nor stderr"));
        }
        Ok(transcript)
    }

    fn read_stdout(&self) -> Result<Vec<u8>, CliError> {
        match self.stdout.as_deref() {
            Some(path) => self.read(path),
            // The bytes may all be on the other stream.
            None if self.stderr.is_some() => Ok(Vec::new()),
            None if io::stdin().is_terminal() => {
                Err(CliError::empty("stdin is a terminal".to_owned()))
            }
            None => self.read(Path::new("-")),
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, CliError> {
        if path == Path::new("-") {
            return self.read_from(io::stdin().lock(), Path::new("stdin"));
        }
        let file =
            File::open(path).map_err(|error| CliError::unreadable(path.to_owned(), error))?;
        self.read_from(file, path)
    }

    /// Reads a whole stream, but never more than the limit and one byte.
    fn read_from(&self, stream: impl Read, name: &Path) -> Result<Vec<u8>, CliError> {
        let mut bytes = Vec::new();
        let limit = self.max_bytes.saturating_add(1) as u64;
        let read = stream.take(limit).read_to_end(&mut bytes);
        read.map_err(|error| CliError::unreadable(name.to_owned(), error))?;
        if bytes.len() > self.max_bytes {
            let message = format!("{} is larger than {} bytes", name.display(), self.max_bytes);
            return Err(CliError::OverLimit { message, hint: "raise --max-bytes" });
        }
        Ok(bytes)
    }
}

fn no_recording(dir: &Path, lacking: &str) -> CliError {
    CliError::BadRecording(format!("{} holds {lacking}", dir.display()))
}
