//! Recorded runs: a directory with `run.json`, `stdout` and `stderr`, as types and as bytes.
//!
//! This is the only reader and the only writer of `run.json`. Callers access the files.

use crate::error::{Error, ErrorKind};
use crate::transcript::{Status, Transcript};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The file that says what was run and how it ended. It is written last: a directory is a recorded run
/// once it has this file.
pub const RUN_FILE: &str = "run.json";
/// The file with the bytes of stdout.
pub const STDOUT_FILE: &str = "stdout";
/// The file with the bytes of stderr.
pub const STDERR_FILE: &str = "stderr";

/// The content of `run.json`.
///
/// `M` is what the writer says beside the members that every recorded run has; other members are ignored
/// when it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording<M = NoMore> {
    /// The program and its arguments.
    #[serde(default)]
    pub argv: Vec<String>,
    /// The exit status; a negative one is a signal, as Python writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that killed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// How long it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// When it ended, in milliseconds after 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<u64>,
    /// Whether a program wrote these bytes, or a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<bool>,
    /// Where bytes come from that were not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The version of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_version: Option<String>,
    /// What else its writer says.
    #[serde(flatten)]
    pub more: M,
}

/// Nothing beside the members that every recorded run has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoMore {}

impl<M> Recording<M> {
    /// Describes a run that was just made.
    pub fn new(transcript: &Transcript, more: M) -> Self {
        let (exit_code, signal) = match transcript.status {
            Status::Exited(code) => (Some(code), None),
            Status::Signaled(signal) => (None, Some(signal)),
            Status::Unknown => (None, None),
        };
        Recording {
            argv: transcript.argv.clone(),
            exit_code,
            signal,
            duration_ms: transcript.duration_ms,
            ended_ms: None,
            recorded: Some(true),
            source: None,
            program_version: None,
            more,
        }
    }

    /// How the run ended.
    pub fn status(&self) -> Status {
        match self.signal {
            Some(signal) => Status::Signaled(signal),
            None => Status::from_recorded(self.exit_code),
        }
    }

    /// The run, with the bytes of its streams.
    pub fn into_transcript(self, stdout: Vec<u8>, stderr: Vec<u8>) -> Transcript {
        let status = self.status();
        Transcript { argv: self.argv, stdout, stderr, status, duration_ms: self.duration_ms }
    }
}

impl<M: DeserializeOwned> Recording<M> {
    /// Reads a `run.json`.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Error> {
        serde_json::from_slice(bytes).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            let message = "run.json is not an object with argv and exit_code";
            Error::new(ErrorKind::BadRecording, format!("{message} ({place})"))
        })
    }
}

impl<M: Serialize> Recording<M> {
    /// Writes a `run.json`, indented and with a line feed at its end.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl Transcript {
    /// Reads a recorded run from the bytes of its three files.
    pub fn from_recorded(run: &[u8], stdout: Vec<u8>, stderr: Vec<u8>) -> Result<Self, Error> {
        Ok(Recording::<NoMore>::from_json(run)?.into_transcript(stdout, stderr))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Stream;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct More {
        left: u32,
    }

    #[test]
    fn a_recorded_run_may_say_more_than_is_read() {
        let run = br#"{"argv":["td","ls"],"exit_code":1,"source":"x","recorded":true,"left":3}"#;
        let transcript = Transcript::from_recorded(run, vec![], b"x".to_vec()).expect("a run");
        assert_eq!(transcript.argv, ["td", "ls"]);
        assert_eq!(transcript.status, Status::Exited(1));
        assert_eq!(transcript.stream(Stream::Stderr), b"x");
        let recording = Recording::<More>::from_json(run).expect("a run");
        assert_eq!((recording.source.as_deref(), recording.more), (Some("x"), More { left: 3 }));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let statuses = [Status::Exited(3), Status::Signaled(9), Status::Unknown];
        for status in statuses {
            let run = Transcript {
                argv: vec!["td".to_owned()],
                duration_ms: Some(4),
                ..Transcript::from_stdout("x", status)
            };
            let bytes = Recording::new(&run, More { left: 1 }).to_json().expect("JSON");
            let read = Transcript::from_recorded(&bytes, run.stdout.clone(), vec![]);
            assert_eq!(read.expect("a run"), run);
        }
    }

    #[test]
    fn a_broken_run_file_says_why_and_where() {
        for (bytes, place) in [("{", "line 1, column 1"), ("{\n\"argv\":5}", "line 2, column 8")] {
            let error = Transcript::from_recorded(bytes.as_bytes(), vec![], vec![]);
            let error = error.expect_err("no run");
            assert_eq!(error.kind(), ErrorKind::BadRecording);
            assert!(error.to_string().contains(place), "{error}");
        }
    }
}
