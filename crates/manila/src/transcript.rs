//! What one run left behind, uninterpreted: arguments, both streams, how it ended.

use crate::names::names;
use std::fmt;

names! {
    /// One of the two streams a program writes to.
    #[derive(Hash, PartialOrd, Ord)]
    Stream {
        /// Stdout.
        Stdout = "stdout",
        /// Stderr.
        Stderr = "stderr",
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    /// With this exit status.
    Exited(i32),
    /// Killed by this signal.
    Signaled(i32),
    /// It was not recorded.
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
///
/// ```
/// use manila::{Status, Stream, Transcript};
///
/// let transcript = Transcript {
///     argv: vec!["td".into(), "list".into()],
///     stderr: b"td: no network\n".to_vec(),
///     status: Status::Exited(1),
///     ..Transcript::default()
/// };
/// assert_eq!(transcript.stream(Stream::Stderr), b"td: no network\n");
/// assert_eq!(transcript.status.code(), Some(1));
/// ```
///
/// ```
/// use manila::{Status, Transcript};
///
/// let transcript = Transcript {
///     argv: ["git", "status"].map(String::from).to_vec(),
///     stderr: b"fatal: not a git repository\n".to_vec(),
///     status: Status::Exited(128),
///     ..Transcript::default()
/// };
/// assert_eq!(transcript.status.code(), Some(128));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The program and its arguments, if they are known.
    pub argv: Vec<String>,
    /// Everything it wrote to stdout.
    pub stdout: Vec<u8>,
    /// Everything it wrote to stderr.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub status: Status,
    /// How long it ran.
    pub duration_ms: Option<u64>,
}

impl Transcript {
    /// Only the bytes of one stream of a run that ended in `status`.
    pub fn from_stdout(stdout: impl Into<Vec<u8>>, status: Status) -> Self {
        Transcript { stdout: stdout.into(), status, ..Transcript::default() }
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
    fn a_negative_number_is_a_signal() {
        assert_eq!(Status::from_recorded(Some(-9)), Status::Signaled(9));
        assert_eq!(Status::Signaled(9).code(), Some(137));
    }
}
