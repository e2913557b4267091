//! What one run left behind, uninterpreted: arguments, both streams, how it ended.

use crate::error::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two streams a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        })
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    /// With this exit status.
    Exited(i32),
    /// Killed by this signal.
    Signaled(i32),
    /// Nobody recorded it.
    #[default]
    Unknown,
}

impl Status {
    /// The number a shell would show: the status itself, or 128 and the signal.
    pub fn code(self) -> Option<i32> {
        match self {
            Status::Exited(code) => Some(code),
            Status::Signaled(signal) => Some(signal.saturating_add(128)),
            Status::Unknown => None,
        }
    }

    /// From a recorded number, where a negative one is a signal as Python writes it.
    pub fn from_recorded(code: Option<i32>) -> Status {
        match code {
            Some(code) if code < 0 => Status::Signaled(code.saturating_neg()),
            Some(code) => Status::Exited(code),
            None => Status::Unknown,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Exited(code) => write!(f, "exit status {code}"),
            Status::Signaled(signal) => write!(f, "killed by signal {signal}"),
            Status::Unknown => f.write_str("exit status unknown"),
        }
    }
}

/// What one run left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The program and its arguments, if they are known.
    pub argv: Vec<String>,
    /// Everything it wrote to standard output.
    pub stdout: Vec<u8>,
    /// Everything it wrote to standard error.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub status: Status,
    /// How long it ran.
    pub duration_ms: Option<u64>,
}

/// The `run.json` of a recorded run; what else it may carry is for people.
#[derive(Deserialize)]
struct RunFile {
    #[serde(default)]
    argv: Vec<String>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    duration_ms: Option<u64>,
}

impl Transcript {
    /// Only the bytes of one stream of a run that ended in `status`.
    pub fn of_stdout(stdout: impl Into<Vec<u8>>, status: Status) -> Self {
        Transcript { stdout: stdout.into(), status, ..Transcript::default() }
    }

    /// A recorded run: the bytes of its `run.json`, `stdout` and `stderr`.
    pub fn from_recorded(run: &[u8], stdout: Vec<u8>, stderr: Vec<u8>) -> Result<Self, Error> {
        let run: RunFile = serde_json::from_slice(run).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            let message = "run.json is not an object with argv and exit_code";
            Error::new(ErrorKind::BadRecording, format!("{message} ({place})"))
        })?;
        let status = match run.signal {
            Some(signal) => Status::Signaled(signal),
            None => Status::from_recorded(run.exit_code),
        };
        Ok(Transcript { argv: run.argv, stdout, stderr, status, duration_ms: run.duration_ms })
    }

    /// The bytes of that stream.
    pub fn stream(&self, stream: Stream) -> &[u8] {
        match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_run_may_say_more_than_is_read() {
        let run = br#"{"argv":["td","ls"],"exit_code":1,"source":"x","recorded":true}"#;
        let transcript = Transcript::from_recorded(run, vec![], b"x".to_vec()).expect("a run");
        assert_eq!(transcript.argv, ["td", "ls"]);
        assert_eq!(transcript.status, Status::Exited(1));
        assert_eq!(transcript.stream(Stream::Stderr), b"x");
    }

    #[test]
    fn a_negative_number_is_a_signal() {
        assert_eq!(Status::from_recorded(Some(-9)), Status::Signaled(9));
        assert_eq!(Status::Signaled(9).code(), Some(137));
    }

    #[test]
    fn a_broken_run_file_says_why() {
        let error = Transcript::from_recorded(b"[", vec![], vec![]).expect_err("no run");
        assert_eq!(error.kind(), ErrorKind::BadRecording);
    }
}
