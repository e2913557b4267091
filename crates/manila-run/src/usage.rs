//! What one run took, and how it came to its end.

use manila::{Status, Stream};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// What one run took, and how it came to its end.
///
/// ```
/// use manila_run::{Invocation, Policy, run};
///
/// let outcome = run(&Invocation::new("echo").arg("hello"), &Policy::default());
/// let usage = outcome.trace.steps[0].usage.as_ref().expect("it was started");
/// assert_eq!(usage.stdout_bytes, 6);
/// assert!(usage.cut.is_empty());
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct Usage {
    /// How it ended.
    #[serde(flatten, serialize_with = "status_as_two")]
    pub status: Status,
    /// Its number as a process.
    pub pid: u32,
    /// How long it ran.
    pub duration_ms: u64,
    /// The largest it ever was. The system counts from our own size.
    pub peak_memory_bytes: u64,
    /// How much it wrote to stdout.
    pub stdout_bytes: u64,
    /// How much it wrote to stderr.
    pub stderr_bytes: u64,
    /// What of its output is not whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<Cut>,
    /// Why it was ended, if it did not end by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
}

/// A stream that is not whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cut {
    /// Which one.
    pub stream: Stream,
    /// Why, and how much there is.
    pub why: String,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.stream, self.why)
    }
}

impl Usage {
    /// Whether a stream is not whole.
    pub fn is_cut(&self, stream: Stream) -> bool {
        self.cut.iter().any(|cut| cut.stream == stream)
    }
}

/// Why a program was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// It ran longer than it may.
    TimeLimit,
    /// The caller wants the call to end.
    Cancelled,
    /// It had ended, but others it started kept its output open.
    HeldOpen,
    /// It wants to use the terminal, which stops processes that are not in the foreground.
    Terminal,
}

impl Stopped {
    /// Its name, as in the JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Stopped::TimeLimit => "time-limit",
            Stopped::Cancelled => "cancelled",
            Stopped::HeldOpen => "held-open",
            Stopped::Terminal => "terminal",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn status_as_two<S: Serializer>(status: &Status, serializer: S) -> Result<S::Ok, S::Error> {
    let (exit_code, signal) = exit_code_and_signal(*status);
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("exit_code", &exit_code)?;
    map.serialize_entry("signal", &signal)?;
    map.end()
}

/// A status as two numbers, of which there is one at most.
pub(crate) fn exit_code_and_signal(status: Status) -> (Option<i32>, Option<i32>) {
    match status {
        Status::Exited(code) => (Some(code), None),
        Status::Signaled(signal) => (None, Some(signal)),
        Status::Unknown => (None, None),
    }
}
