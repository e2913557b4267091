//! The result of a call: one envelope, and the trace behind it.

use crate::attempt::{Delivered, Execution};
use crate::event::Cause;
use crate::usage::{Stopped, Usage, exit_code_and_signal};
use manila::json::Raw;
use manila::{Action, Decision, Envelope, ErrorObject, Exit, Status};
use manila_pack::Effect;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// The result of a call.
///
/// ```
/// use manila_run::{Invocation, Policy, run};
///
/// let outcome = run(&Invocation::new("cat").arg("/no/such/file"), &Policy::default());
/// assert!(!outcome.envelope.ok());
/// assert_eq!(outcome.envelope.exit().name(), "NOT_FOUND");
/// assert_eq!(outcome.next().action, "give-up");
/// ```
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer in its normal form, from the program or from manila.
    pub envelope: Envelope,
    /// How it came about.
    pub trace: Trace,
    /// What the program itself wrote in the attempt that counts, and how it ended.
    pub output: Output,
}

/// What a program itself wrote in one attempt, and how it ended.
///
/// ```
/// use manila::Status;
/// use manila_run::{Invocation, Policy, run};
///
/// let output = run(&Invocation::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]), &Policy::default()).output;
/// assert_eq!(output.stdout, b"out\n");
/// assert_eq!(output.stderr, b"err\n");
/// assert_eq!(output.status, Status::Exited(3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Its stdout, up to the limit of the policy. Where it went to [`Policy::delivery`](crate::Policy::delivery) and is
    /// neither recorded nor logged, the first MiB at most.
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

    /// What to do next, by the rules.
    pub fn next(&self) -> Next {
        let last = self.trace.steps.iter().rev().find(|step| !step.cause.is_aside());
        match last.map(|step| &step.decision) {
            Some(verdict) => Next {
                action: verdict.action.name(),
                after_ms: match verdict.action {
                    Action::Retry { wait_ms, .. } => Some(wait_ms),
                    // A limit that lasts is not waited for, but the caller may come back after it.
                    Action::GiveUp if self.envelope.exit() == Exit::RateLimited => {
                        self.envelope.error().and_then(|error| error.wait_ms)
                    }
                    _ => None,
                },
                why: verdict.reason.clone(),
            },
            None => Next { action: "give-up", after_ms: None, why: "it was not called".to_owned() },
        }
    }

    /// What a caller wants to know at a glance.
    pub fn summary(&self) -> Summary<'_> {
        let (exit_code, signal) = exit_code_and_signal(self.output.status);
        let effect = self.trace.effect;
        let is_plain = self.is_accepted() && self.trace.steps.len() == 1;
        Summary {
            class: self.trace.class.unwrap_or_else(|| self.envelope.exit().name()),
            exit_code,
            signal,
            attempts: self.trace.attempts(),
            effects: (effect != Effect::Unknown && !is_plain).then(|| effect.as_str()),
            rule: self.trace.rule.as_deref().filter(|_| !self.envelope.ok()),
            next: (!self.is_accepted()).then(|| self.next()),
            dialect: self.trace.dialect,
            unknown: if is_plain && self.output.stopped.is_none() {
                &[]
            } else {
                &self.trace.unknown
            },
            trace: None,
        }
    }

    fn is_accepted(&self) -> bool {
        self.envelope.ok() && ["accept", "use-cache"].contains(&self.next().action)
    }

    /// The envelope with the summary in its `meta.run`, and with every step if that is asked for.
    pub fn with_summary(&self, detail: Detail) -> Envelope {
        let summary = self.summary();
        let trace = (detail == Detail::Steps).then_some(&self.trace);
        let summary =
            Raw::from_serialize(&Summary { trace, ..summary }).unwrap_or_else(|_| Raw::null());
        let envelope = self.envelope.clone().with_note("run", summary);
        let data = self.envelope.content().data.clone().filter(|_| !self.envelope.ok());
        // Not every dialect has a place for the data of a failure.
        data.into_iter().fold(envelope, |envelope, data| envelope.with_note("partial_data", data))
    }
}

/// How much `meta.run` says.
///
/// ```
/// use manila_run::{Detail, Invocation, Policy, run};
///
/// let outcome = run(&Invocation::new("true"), &Policy::default());
/// let meta = |detail| outcome.with_summary(detail).content().meta.clone();
/// assert_ne!(meta(Detail::Summary), meta(Detail::Steps));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What a caller wants to know at a glance.
    Summary,
    /// Every attempt and every decision too.
    Steps,
}

/// What to do next.
///
/// ```
/// use manila_run::{Invocation, Policy, run};
///
/// let next = run(&Invocation::new("ls").arg("/no/such/file"), &Policy::default()).next();
/// assert_eq!(next.action, "give-up");
/// assert_eq!(next.after_ms, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Next {
    /// The action, such as `accept`, `retry` or `give-up`.
    #[serde(rename = "do")]
    pub action: &'static str,
    /// When, if it is to be called again later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_ms: Option<u64>,
    /// Why.
    pub why: String,
}

/// What a caller wants to know at a glance.
///
/// ```
/// use manila_run::{Invocation, Policy, run};
///
/// let outcome = run(&Invocation::new("cat").arg("/no/such/file"), &Policy::default());
/// let summary = outcome.summary();
/// assert_eq!(summary.class, "NOT_FOUND");
/// assert_eq!(summary.exit_code, Some(1));
/// assert_eq!(summary.attempts, 1);
/// assert_eq!(summary.effects, Some("none"));
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Summary<'o> {
    /// The class of the outcome, or `UNKNOWN`.
    pub class: &'static str,
    /// The exit code of the program, if it ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that killed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// How many attempts were made.
    pub attempts: usize,
    /// What the call may change, if that is known; a success at the first attempt needs no word about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<&'static str>,
    /// The rule that determined the class of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'o str>,
    /// What to do next, unless it is to use the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
    /// The dialect of the program, if its answer is an envelope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<&'static str>,
    /// What could not be known.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub unknown: &'o [String],
    /// Every attempt and every decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<&'o Trace>,
}

/// Why there are no data.
///
/// ```
/// use manila_run::{Invocation, NoData, Policy, run};
///
/// let policy = Policy::default();
/// let failed = run(&Invocation::new("ls").arg("/no/such/file"), &policy).data::<String>();
/// assert!(matches!(failed, Err(NoData::Failed(_))));
/// let text = run(&Invocation::new("echo").arg("hello"), &policy).data::<Vec<u32>>();
/// assert!(matches!(text, Err(NoData::Other(_))));
/// ```
#[derive(Debug)]
pub enum NoData {
    /// The call failed.
    Failed(Box<ErrorObject>),
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
///
/// ```
/// use manila_run::{Invocation, Policy, run};
///
/// let trace = run(&Invocation::new("ls").arg("/no/such/file"), &Policy::default()).trace;
/// assert_eq!(trace.steps.len(), 1);
/// assert_eq!(trace.steps[0].argv, ["ls", "/no/such/file"]);
/// assert_eq!(trace.steps[0].decision.action.name(), "give-up");
/// ```
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
    /// Whether the data are the output of a program that has no envelope.
    pub plain: bool,
    /// What the call may change.
    pub effect: Effect,
    /// The rule that determined the class, where the program has no envelope that does.
    pub rule: Option<String>,
    /// The class that the rule determined; `UNKNOWN` where none did.
    #[serde(skip)]
    pub(crate) class: Option<&'static str>,
    /// What could not be known.
    pub unknown: Vec<String>,
}

impl Trace {
    /// How many times the program was called; what was called aside, to renew credentials or to carry
    /// out a fix, does not count.
    pub fn attempts(&self) -> usize {
        self.steps.iter().filter(|step| !step.cause.is_aside()).count()
    }
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
