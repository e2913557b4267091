//! What went wrong, typed: a trait for error enums, and what the boundary makes of them.

use crate::call::Cancelled;
use crate::input::InputRequired;
use crate::redirect::Redirect;
use crate::reply::Reply;
use manila::json::Raw;
use manila::{Exit, Issue, Phase};
use serde::Serialize;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// An error type whose every value has a stable code and an exit class.
///
/// Derive it on an enum: each variant has `#[failure(exit = NotFound, message = "no task {id}")]`,
/// and with it the derive can list them all.
pub trait Failure {
    /// What the boundary reports.
    fn problem(self) -> Problem
    where
        Self: Sized;

    /// Adds every failure that a value of this type can be.
    fn declared(list: &mut Vec<Declared>)
    where
        Self: Sized;
}

/// One failure that a program can report, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Declared {
    /// The stable code.
    pub code: &'static str,
    /// The exit class.
    pub exit: Exit,
    /// What it means, or its message before anything is filled in.
    pub meaning: &'static str,
    /// What the error itself says about calling again; nothing leaves it to the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// What to do next, before anything is filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<&'static str>,
}

/// A failure on its way out.
pub struct Problem {
    pub(crate) parts: Box<Parts>,
}

/// What a failure has to say; behind a pointer, because results are passed around.
pub(crate) struct Parts {
    pub(crate) exit: Exit,
    pub(crate) failure: manila::Failure,
    pub(crate) data: Option<Box<dyn Reply>>,
    pub(crate) missing: Option<String>,
    pub(crate) issues: Vec<Issue>,
    /// The signal that ended the run, if one did.
    pub(crate) signal: Option<i32>,
}

impl Problem {
    /// A failure with its code, class and message.
    pub fn new(code: impl Into<String>, exit: Exit, message: impl Into<String>) -> Problem {
        Problem::of(code.into(), exit, message.into())
    }

    #[inline(never)]
    fn of(code: String, exit: Exit, message: String) -> Problem {
        let failure = manila::Failure::new(code, message);
        let parts =
            Parts { exit, failure, data: None, missing: None, issues: Vec::new(), signal: None };
        Problem { parts: Box::new(parts) }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn suggestion(mut self, suggestion: impl IntoText) -> Problem {
        self.parts.failure.suggestion = suggestion.into_text();
        self
    }

    /// Whether the same call may work; without it, the exit class decides.
    #[must_use]
    pub fn retryable(mut self, retryable: bool) -> Problem {
        self.parts.failure.retryable = Some(retryable);
        self
    }

    /// How long to wait before calling again, which says that calling again may work.
    #[must_use]
    pub fn wait(mut self, wait: impl Into<Option<Duration>>) -> Problem {
        if let Some(wait) = wait.into() {
            self.parts.failure.wait_ms = Some(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
            self.parts.failure.retryable.get_or_insert(true);
        }
        self
    }

    /// How far the call had come. Unless this says otherwise, a failure of a handler is one of
    /// [`Phase::Execution`], whatever its class: only the handler knows that it changed nothing.
    #[must_use]
    pub fn phase(mut self, phase: Phase) -> Problem {
        self.parts.failure.phase = Some(phase);
        self
    }

    /// The raw text of whoever failed upstream.
    #[must_use]
    pub fn detail(mut self, detail: impl IntoText) -> Problem {
        self.parts.failure.detail = detail.into_text();
        self
    }

    /// Structured context. What does not serialise is left out.
    #[must_use]
    pub fn details(mut self, details: &impl Serialize) -> Problem {
        self.parts.failure.details = Raw::of(details).ok();
        self
    }

    /// What failed: a system call or a method.
    #[must_use]
    pub fn operation(mut self, operation: impl IntoText) -> Problem {
        self.parts.failure.operation = operation.into_text();
        self
    }

    /// What it failed on: a path, an id, a server.
    #[must_use]
    pub fn target(mut self, target: impl IntoText) -> Problem {
        self.parts.failure.target = target.into_text();
        self
    }

    /// What must be true before calling again, in words.
    #[must_use]
    pub fn fix(mut self, required: impl IntoText) -> Problem {
        self.parts.failure.fix.required = required.into_text();
        self
    }

    /// A command that makes it true.
    #[must_use]
    pub fn fix_command(mut self, command: impl IntoText) -> Problem {
        self.parts.failure.fix.command = command.into_text();
        self
    }

    /// The name of the entity that was looked up and does not exist.
    #[must_use]
    pub fn missing(mut self, name: impl IntoText) -> Problem {
        self.parts.missing = name.into_text();
        self
    }

    /// What there is to show although it failed, for dialects that can.
    #[must_use]
    pub fn data(mut self, data: impl Reply + 'static) -> Problem {
        self.parts.data = Some(Box::new(data));
        self
    }

    pub(crate) fn into_parts(self) -> Parts {
        *self.parts
    }

    /// The exact call to make instead. Whatever its class was, it is [`Exit::Redirected`] now; a
    /// dialect that has no such class reports wrong arguments and suggests the call.
    #[must_use]
    pub fn redirect(mut self, redirect: Redirect) -> Problem {
        self.parts.exit = Exit::Redirected;
        self.parts.failure.redirect = Some(redirect.into());
        self
    }

    pub(crate) fn issues(mut self, issues: Vec<Issue>) -> Problem {
        self.parts.issues = issues;
        self
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("exit", &self.parts.exit)
            .field("failure", &self.parts.failure)
            .field("missing", &self.parts.missing)
            .field("data", &self.parts.data.as_ref().map(|data| data.kind()))
            .finish_non_exhaustive()
    }
}

/// Text that may be absent, so that the same method takes `"…"`, a `String` and an `Option` of one.
pub trait IntoText {
    /// The text, if there is one.
    fn into_text(self) -> Option<String>;
}

impl IntoText for &str {
    fn into_text(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl IntoText for String {
    fn into_text(self) -> Option<String> {
        Some(self)
    }
}

impl IntoText for &String {
    fn into_text(self) -> Option<String> {
        Some(self.clone())
    }
}

impl IntoText for Cow<'_, str> {
    fn into_text(self) -> Option<String> {
        Some(self.into_owned())
    }
}

impl<T: IntoText + Clone> IntoText for &Option<T> {
    fn into_text(self) -> Option<String> {
        self.clone().into_text()
    }
}

impl<T: IntoText> IntoText for Option<T> {
    fn into_text(self) -> Option<String> {
        self.and_then(T::into_text)
    }
}

/// A handler that cannot fail.
impl Failure for std::convert::Infallible {
    fn problem(self) -> Problem {
        match self {}
    }

    fn declared(_: &mut Vec<Declared>) {}
}

/// Any error, for programs that have no codes yet: all of them are `GENERAL_ERROR`.
impl Failure for Box<dyn Error + Send + Sync> {
    fn problem(self) -> Problem {
        // The boundary's own failures are what they are, however they travelled.
        let error = match self.downcast::<Cancelled>() {
            Ok(cancelled) => return cancelled.problem(),
            Err(error) => error,
        };
        let error = match error.downcast::<InputRequired>() {
            Ok(required) => return required.problem(),
            Err(error) => error,
        };
        let causes: Vec<String> = std::iter::successors(error.source(), |error| (*error).source())
            .map(ToString::to_string)
            .collect();
        let detail = (!causes.is_empty()).then(|| causes.join(": "));
        Problem::new(Exit::General.name(), Exit::General, error.to_string()).detail(detail)
    }

    fn declared(list: &mut Vec<Declared>) {
        list.push(Declared {
            code: Exit::General.name(),
            exit: Exit::General,
            meaning: Exit::General.meaning(),
            retryable: None,
            suggestion: None,
        });
    }
}
