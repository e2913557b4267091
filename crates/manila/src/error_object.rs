//! What went wrong: the error of an envelope, its issues, and what a caller may do about them.

use crate::json::{Members, Raw};
use crate::names::names;
use serde::Serialize;

/// What went wrong.
///
/// ```
/// use manila::ErrorObject;
///
/// let error = ErrorObject { retryable: Some(true), wait_ms: Some(500), ..ErrorObject::new("SLOW_DOWN", "too many calls") };
/// assert_eq!(error.code, "SLOW_DOWN");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrorObject {
    /// The stable identifier that callers branch on.
    pub code: String,
    /// For people; may change.
    pub message: String,
    /// Raw upstream text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Structured context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Raw>,
    /// Whether the same call may work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// How long to wait before it does, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
    /// How the waits should grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// How far it had come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The command that replaces this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect: Option<Redirect>,
    /// What failed: a system call or a method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// What it failed on: a path, an id, a server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What to correct before calling again.
    #[serde(skip_serializing_if = "Fix::is_empty")]
    pub fix: Fix,
    /// Members that belong to no field.
    #[serde(skip_serializing_if = "Members::is_empty")]
    pub extra: Members,
}

impl ErrorObject {
    /// A failure that says only what every dialect can.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        ErrorObject { code: code.into(), message: message.into(), ..ErrorObject::default() }
    }

    /// Whether it is exactly [`ErrorObject::new`] of these words.
    pub(crate) fn says_only(&self, (its_code, its_message): (&str, &str)) -> bool {
        #[rustfmt::skip]
        let ErrorObject {
            code, message, detail, details, retryable, wait_ms, strategy, phase, suggestion,
            redirect, operation, target, fix, extra,
        } = self;
        let texts = [detail, suggestion, operation, target];
        code == its_code
            && message == its_message
            && texts.iter().all(|text| text.is_none())
            && (details, retryable, wait_ms) == (&None, &None, &None)
            && (strategy, phase, redirect) == (&None, &None, &None)
            && fix.is_empty()
            && extra.is_empty()
    }
}

names! {
    /// How the waits between calls should grow.
    Strategy {
        /// Not at all: call again at once.
        Immediate = "immediate",
        /// By the same amount each time.
        Linear = "linear_backoff",
        /// By doubling.
        Exponential = "exponential_backoff",
    }
}

names! {
    /// How far a call had come when it failed.
    Phase {
        /// It was only being checked: nothing has changed.
        Validation = "validation",
        /// It was at work.
        Execution = "execution",
        /// The work was done and it was tidying up.
        Cleanup = "cleanup",
    }
}

names! {
    /// How bad an issue is.
    Severity {
        /// It must be corrected.
        Error = "error",
        /// It should be looked at.
        Warning = "warning",
        /// It is good to know.
        Info = "info",
    }
}

/// The command that replaces the one that was called.
///
/// ```
/// use manila::Redirect;
///
/// let redirect = Redirect { command: "tool list".to_owned(), permanent: true, ..Redirect::default() };
/// assert_eq!(redirect.reason, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Redirect {
    /// The exact invocation.
    pub command: String,
    /// Whether to remember it.
    pub permanent: bool,
    /// Why it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Members that belong to no field.
    #[serde(skip_serializing_if = "Members::is_empty")]
    pub extra: Members,
}

/// What to correct before calling again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What must be true, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<String>,
    /// A command that makes it true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl Fix {
    /// Nothing is stated.
    pub fn is_empty(&self) -> bool {
        self.required.is_none() && self.command.is_none()
    }
}

/// A finding with its own code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// The stable identifier.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where to read more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Members that belong to no field.
    #[serde(skip_serializing_if = "Members::is_empty")]
    pub extra: Members,
}
