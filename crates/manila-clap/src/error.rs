//! The error that a program reports: code, exit class, message, and advice for the caller.

use crate::classify::{Causes, Class};
use crate::declared::Declared;
use crate::redirect::Redirect;
use crate::reply::Reply;
use manila::json::Raw;
use manila::{Exit, Issue, Phase};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// What a handler came to.
pub(crate) type Outcome = Result<Box<dyn Reply>, Error>;

/// One reported error: a code, an exit class, a message, and what a caller should do about it.
///
/// [`Failure::into_error`](crate::Failure::into_error) makes it from an author's own type. It is a [`Failure`](crate::Failure) itself, for handlers
/// that have no type of their own yet; such a program cannot list its codes.
///
/// ```
/// use manila_clap::{Error, Exit};
/// use std::time::Duration;
///
/// let error = Error::new("SLOW_DOWN", Exit::RateLimited, "too many calls")
///     .wait(Duration::from_secs(30))
///     .suggestion("ask for fewer notes");
/// ```
pub struct Error {
    pub(crate) parts: Box<Parts>,
}

/// The parts of an error; behind a pointer, because results are passed around.
pub(crate) struct Parts {
    pub(crate) exit: Exit,
    pub(crate) failure: manila::ErrorObject,
    pub(crate) data: Option<Box<dyn Reply>>,
    pub(crate) missing: Option<String>,
    pub(crate) issues: Vec<Issue>,
    /// The signal that ended the run, if one did.
    pub(crate) signal: Option<i32>,
    /// The exit status, if it is not the one of the class.
    pub(crate) status: Option<u8>,
    /// What people get in place of `error[CODE]: message`; nothing if it is empty.
    pub(crate) shown: Option<String>,
    /// The error behind it, if its type was erased; see [`App::classify`](crate::App::classify).
    pub(crate) causes: Option<Box<dyn Causes>>,
}

impl Error {
    /// An error with its code, exit class and message.
    pub fn new(code: impl Into<String>, exit: Exit, message: impl Into<String>) -> Error {
        Error::from_texts(code.into(), exit, message.into())
    }

    #[inline(never)]
    fn from_texts(code: String, exit: Exit, message: String) -> Error {
        let failure = manila::ErrorObject::new(code, message);
        let parts = Parts {
            exit,
            failure,
            data: None,
            missing: None,
            issues: Vec::new(),
            signal: None,
            status: None,
            shown: None,
            causes: None,
        };
        Error { parts: Box::new(parts) }
    }

    /// What people get on stderr in place of `error[CODE]: message` and its hint, as it is: the text
    /// that the program printed before it had codes. The answer for programs stays the same.
    #[must_use]
    pub fn show(mut self, text: impl IntoText) -> Error {
        set(&mut self.parts.shown, text.into_text());
        self
    }

    /// People get no message: the exit status alone says it, as with `grep -q` and `fd -q`. The answer
    /// for programs is complete.
    #[must_use]
    pub fn silent(self) -> Error {
        self.show("")
    }

    /// The exit status, for a program whose numbers are older than its dialect: `grep` ends with 1
    /// when it found nothing, nextest with 100 when a test failed. The class of the failure stays what
    /// it is. 0 is not a failure and is ignored. Declare the number in [`Declared::status`], or with
    /// `#[failure(status = 100)]`, so that callers can look it up.
    #[must_use]
    pub fn status(mut self, status: u8) -> Error {
        self.parts.status = Some(status).filter(|status| *status != 0);
        self
    }

    /// What the caller should do next.
    #[must_use]
    pub fn suggestion(mut self, suggestion: impl IntoText) -> Error {
        set(&mut self.parts.failure.suggestion, suggestion.into_text());
        self
    }

    /// Whether the same call may work; without it, the exit class decides.
    #[must_use]
    pub fn retryable(mut self, retryable: bool) -> Error {
        self.parts.failure.retryable = Some(retryable);
        self
    }

    /// How long to wait before calling again, which says that calling again may work.
    #[must_use]
    pub fn wait(mut self, wait: impl Into<Option<Duration>>) -> Error {
        if let Some(wait) = wait.into() {
            self.parts.failure.wait_ms = Some(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
            self.parts.failure.retryable.get_or_insert(true);
        }
        self
    }

    /// How far the call had come. Unless this says otherwise, a failure of a handler is one of
    /// [`Phase::Execution`], whatever its class: only the handler knows that it changed nothing.
    #[must_use]
    pub fn phase(mut self, phase: Phase) -> Error {
        self.parts.failure.phase = Some(phase);
        self
    }

    /// The text of the underlying error, as it is.
    #[must_use]
    pub fn detail(mut self, detail: impl IntoText) -> Error {
        set(&mut self.parts.failure.detail, detail.into_text());
        self
    }

    /// Structured context. A value that does not serialise is left out.
    #[must_use]
    pub fn details(mut self, details: &impl Serialize) -> Error {
        self.parts.failure.details = Raw::from_serialize(details).ok();
        self
    }

    /// What failed: a system call or a method.
    #[must_use]
    pub fn operation(mut self, operation: impl IntoText) -> Error {
        set(&mut self.parts.failure.operation, operation.into_text());
        self
    }

    /// What it failed on: a path, an id, a server.
    #[must_use]
    pub fn target(mut self, target: impl IntoText) -> Error {
        set(&mut self.parts.failure.target, target.into_text());
        self
    }

    /// What must be true before calling again, in words.
    #[must_use]
    pub fn fix(mut self, required: impl IntoText) -> Error {
        set(&mut self.parts.failure.fix.required, required.into_text());
        self
    }

    /// A command that makes it true.
    #[must_use]
    pub fn fix_command(mut self, command: impl IntoText) -> Error {
        set(&mut self.parts.failure.fix.command, command.into_text());
        self
    }

    /// The name of the entity that was looked up and does not exist.
    #[must_use]
    pub fn missing(mut self, name: impl IntoText) -> Error {
        set(&mut self.parts.missing, name.into_text());
        self
    }

    /// A partial result, for dialects that have a place for it.
    #[must_use]
    pub fn data(mut self, data: impl Reply + 'static) -> Error {
        self.parts.data = Some(Box::new(data));
        self
    }

    pub(crate) fn into_parts(self) -> Parts {
        *self.parts
    }

    /// The exact call to make instead. Whatever its class was, it is [`Exit::Redirected`] now; a
    /// dialect that has no such class reports wrong arguments and suggests the call.
    #[must_use]
    pub fn redirect(mut self, redirect: Redirect) -> Error {
        self.parts.exit = Exit::Redirected;
        self.parts.failure.redirect = Some(redirect.into());
        self
    }

    /// Keeps the error behind it, so that the program's classes can recognise it.
    pub(crate) fn causes(mut self, causes: impl Causes + 'static) -> Error {
        self.parts.causes = Some(Box::new(causes));
        self
    }

    /// Takes over code, exit class and advice of the first class that recognises the error behind it.
    pub(crate) fn classify(&mut self, classes: &[Class]) {
        let Some(causes) = self.parts.causes.take() else { return };
        let Some(class) = classes.iter().find(|class| causes.any(&class.is)) else { return };
        let Declared { code, exit, retryable, suggestion, status, .. } = class.failure;
        code.clone_into(&mut self.parts.failure.code);
        self.parts.exit = exit;
        self.parts.failure.retryable = retryable;
        self.parts.failure.suggestion = suggestion.map(str::to_owned);
        self.parts.status = status;
    }

    pub(crate) fn issues(mut self, issues: Vec<Issue>) -> Error {
        self.parts.issues = issues;
        self
    }
}

/// In one place: dropping the text that was there before is most of it.
#[inline(never)]
fn set(place: &mut Option<String>, text: Option<String>) {
    *place = text;
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
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
