//! What came of a call: one envelope, and the whole trace behind it.

use crate::attempt::{Delivered, Execution};
use crate::event::Cause;
use crate::usage::{Stopped, Usage};
use manila::json::Raw;
use manila::{Action, Decision, Envelope, Exit, Failure, Status};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer in its normal form, whoever wrote it.
    pub envelope: Envelope,
    /// How it came about.
    pub trace: Trace,
    /// What the program itself wrote in the attempt that counts, and how it ended.
    pub output: Output,
}

/// What a program itself wrote in one attempt, and how it ended.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Its stdout, up to the limit of the policy.
    pub stdout: Vec<u8>,
    /// Its stderr, likewise.
    pub stderr: Vec<u8>,
    /// How it ended; unknown if it could not be started.
    pub status: Status,
    /// Why we ended it, if we did.
    pub stopped: Option<Stopped>,
    /// Whether stdout was handed to [`Policy::delivery`](crate::Policy::delivery) while it ran.
    pub(crate) delivered: Delivered,
}

impl From<Execution> for Output {
    fn from(execution: Execution) -> Output {
        Output {
            stdout: execution.transcript.stdout,
            stderr: execution.transcript.stderr,
            status: execution.usage.status,
            stopped: execution.usage.stopped,
            delivered: execution.delivered,
        }
    }
}

impl Outcome {
    /// The data, if the call succeeded and they are what the caller takes them for.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, NoData> {
        if let Some(error) = self.envelope.error() {
            return Err(NoData::Failed(Box::new(error.clone())));
        }
        let data = self.envelope.content().data.as_ref().map_or("null", Raw::as_str);
        serde_json::from_str(data).map_err(NoData::Other)
    }

    /// The envelope with the trace in its meta, as it is handed on.
    pub fn with_trace(&self) -> Envelope {
        let trace = Raw::of(&self.trace).unwrap_or_else(|_| Raw::null());
        let envelope = self.envelope.clone().with_note("run", trace);
        let data = self.envelope.content().data.clone().filter(|_| !self.envelope.ok());
        // Not every dialect has a place for the data of a failure.
        data.into_iter().fold(envelope, |envelope, data| envelope.with_note("partial_data", data))
    }
}

/// Why there are no data.
#[derive(Debug)]
pub enum NoData {
    /// The call failed.
    Failed(Box<Failure>),
    /// They are something else.
    Other(serde_json::Error),
}

impl fmt::Display for NoData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoData::Failed(failure) => write!(f, "{}: {}", failure.code, failure.message),
            NoData::Other(error) => write!(f, "the data are something else: {error}"),
        }
    }
}

impl std::error::Error for NoData {}

/// How an answer came about.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trace {
    /// The dialect of the program, if its answer is an envelope.
    pub dialect: Option<&'static str>,
    /// What it is called there: kind, type or command.
    pub kind: Option<String>,
    /// How long all of it took.
    pub duration_ms: u64,
    /// Each attempt, and what was decided about it.
    pub steps: Vec<Step>,
    /// Whether the data are the words of a program that has no envelope.
    pub plain: bool,
    /// What could not be known.
    pub unknown: Vec<String>,
}

/// One attempt.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// When it began, from the beginning of the call.
    pub at_ms: u64,
    /// Why it was made.
    #[serde(flatten)]
    pub cause: Cause,
    /// What it took; nothing if it could not be started.
    pub usage: Option<Usage>,
    /// The dialect of its envelope, if it has one.
    pub dialect: Option<&'static str>,
    /// The class of its answer.
    pub exit: Exit,
    /// The code of its error, if it failed.
    pub code: Option<String>,
    /// What was decided, and why.
    pub decision: Verdict,
}

/// What was decided about an attempt, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// What to do.
    #[serde(flatten)]
    pub action: Action,
    /// Why.
    pub reason: String,
    /// The row of the decision table that says so.
    pub row: &'static str,
    /// What else there is to know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl From<Decision> for Verdict {
    fn from(Decision { action, reason, row, notes }: Decision) -> Verdict {
        Verdict { action, reason, row: row.id, notes }
    }
}
