//! One call of the program, as its handler sees it: what it may ask, and what it may say beside its
//! answer.

pub(crate) mod setup;

use crate::code::Code;
use crate::contract::Spec;
use crate::declared::Declared;
use crate::error::Error;
use crate::failure::Failure;
use crate::flag::Flag;
use crate::global_flags::GlobalFlags;
use crate::mode::{Environment, Mode};
use crate::reply::Shape;
use crate::sink::{Frames, Sink};
use crate::sys;
use crate::variable::{TRACE_ID, variable_name};
use manila::json::{Members, Raw};
use manila::{DialectWriter, Exit, Issue, Meta, Phase};
use serde::Serialize;
use setup::Setup;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// One call of the program. Handlers get it beside their arguments.
///
/// ```
/// use manila_clap::{Call, Done, Effect, Error, Exit};
///
/// fn sync(call: &Call) -> Result<Done, Error> {
///     call.warn("the last copy is a week old");
///     for _step in 0..3 {
///         if call.check_cancelled().is_err() {
///             return Err(Error::new("STOPPED", Exit::General, "stopped between two steps"));
///         }
///     }
///     call.effect(Effect::Updated);
///     Ok(Done::new("synced"))
/// }
/// ```
pub struct Call {
    pub(crate) setup: Setup,
    pub(crate) environment: Environment,
    pub(crate) flags: GlobalFlags,
    pub(crate) program: Program,
    /// The name of the command, with those that lead to it.
    pub(crate) path: String,
    /// The same as it was typed, if a word of it is not a command.
    pub(crate) typed: Option<String>,
    pub(crate) mode: Mode,
    pub(crate) colour: [bool; 3],
    pub(crate) dialect: &'static dyn DialectWriter,
    pub(crate) shape: Shape,
    pub(crate) start: Instant,
    pub(crate) limit: Option<Duration>,
    pub(crate) max_bytes: Option<usize>,
    pub(crate) trace_id: Option<String>,
    /// What every answer of this call says about itself.
    pub(crate) meta: Mutex<Meta>,
    pub(crate) request_id: String,
    pub(crate) annotations: Mutex<Annotations>,
    pub(crate) frames: Frames,
    /// Where frames go before the answer is complete.
    pub(crate) sink: Arc<Sink>,
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) progress_shown: AtomicBool,
}

/// The program that is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
}

/// What a handler said beside its answer.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    pub(crate) warnings: Vec<String>,
    pub(crate) issues: Vec<Issue>,
    /// What the boundary adds to the answer's meta, and what the handler does.
    pub(crate) meta: Members,
    pub(crate) notes: Members,
    /// Why a part of the answer could not be written, if one could not.
    pub(crate) lost: Option<String>,
    /// The tag of the answer, if it is not simply that of its data.
    pub(crate) tag: Option<String>,
}

/// What a command did to the thing it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It is new.
    Created,
    /// It has changed.
    Updated,
    /// It is gone.
    Deleted,
    /// It already was as it should be.
    Noop,
}

impl Call {
    /// Takes what is known about the answer; code that takes it before there is one puts it back.
    pub(crate) fn take_meta(&self) -> Meta {
        std::mem::take(&mut *self.meta.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn put_meta(&self, meta: Meta) {
        *self.meta.lock().unwrap_or_else(PoisonError::into_inner) = meta;
    }

    pub(crate) fn annotations(&self) -> MutexGuard<'_, Annotations> {
        self.annotations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that something went not quite right. It becomes a warning of the answer.
    pub fn warn(&self, text: impl Into<String>) {
        // The conversion is foreign code: it runs before the lock is taken.
        let text = text.into();
        if !is_blank(&text) {
            self.annotations().warnings.push(text);
        }
    }

    /// Adds a finding with its own code. One without a code has the name of its severity.
    pub fn issue(&self, mut issue: Issue) {
        if is_blank(&issue.code) {
            issue.severity.as_str().clone_into(&mut issue.code);
        }
        issue.message = issue.message.filter(|message| !is_blank(message));
        self.annotations().issues.push(issue);
    }

    /// Says what the command did to the thing it is about.
    pub fn effect(&self, effect: Effect) {
        self.note("effect", &effect);
    }

    /// Adds something about the answer, for dialects that have room for it.
    pub fn note(&self, key: &str, value: &impl Serialize) {
        if let Ok(value) = Raw::from_serialize(value) {
            self.annotations().notes.push(key.to_owned(), value);
        }
    }

    /// The name of the command, with those that lead to it: `task list`.
    pub fn command(&self) -> &str {
        &self.path
    }

    /// How the answer will be given.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What to look for in logs; unique to this call.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// The caller's own id for everything this call is part of.
    pub fn trace_id(&self) -> Option<&str> {
        self.trace_id.as_deref()
    }

    /// How much time is left, if there is a limit.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.limit?.saturating_sub(self.start.elapsed()))
    }

    /// Fails once a signal asked the run to end. A handler that calls this between its steps has two
    /// seconds to tidy up from the moment of the signal; one that never does is ended at once.
    pub fn check_cancelled(&self) -> Result<(), Cancelled> {
        sys::watch().map_or(Ok(()), |signal| Err(Cancelled { signal }))
    }

    /// The same for code that must not hold on to the call: the signal that asked the run to end, as
    /// soon as one has.
    pub fn cancellation(&self) -> impl Fn() -> Option<i32> + Send + Sync + 'static {
        // From now on a signal waits to be asked for.
        let _ = sys::watch();
        sys::watch
    }

    /// The same for code that asks several times a second until the run ends. The two seconds begin when it
    /// first returns the signal, so that no thread has to wait for one.
    pub fn polled_cancellation(&self) -> impl Fn() -> Option<i32> + Send + Sync + 'static {
        sys::await_poll();
        sys::poll
    }

    /// A child process that behaves: nothing to ask, no pager, no colour, no local formats.
    ///
    /// What it writes to stdout is kept out of the answer.
    pub fn child(&self, program: impl AsRef<std::ffi::OsStr>) -> std::process::Command {
        let mut child = std::process::Command::new(program);
        child.stdin(Stdio::null());
        let cat = ["PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER"].map(|name| (name, "cat"));
        let quiet = [
            ("LESS", "-FRX"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("NO_COLOR", "1"),
            ("LC_ALL", "C"),
            ("NO_UPDATE_NOTIFIER", "1"),
        ];
        child.envs(cat).envs(quiet);
        if let Some(trace) = &self.trace_id {
            let name = std::path::Path::new(child.get_program()).file_stem();
            let name = name.unwrap_or_default().to_string_lossy().into_owned();
            child.env(variable_name(&name, TRACE_ID), trace).env(TRACE_ID, trace);
        }
        child
    }

    /// Whether a person is there to be asked: terminals on both ends, and no flag or variable says otherwise.
    pub fn is_interactive(&self) -> bool {
        let declined = self.flags.has(Flag::NoInput) || self.mode.is_json();
        let is_terminal = |stream| (self.environment.is_terminal)(stream);
        !declined && is_terminal(0) && is_terminal(2) && !self.environment.is_automatic()
    }

    /// Whether usage errors and panics are reported here and not as clap and the standard library do
    /// it: always in JSON, and for people if the program wants it.
    pub(crate) fn reports_itself(&self) -> bool {
        self.mode.is_json() || self.setup.unified_errors
    }

    /// Whether what the command prints is its answer.
    pub(crate) fn is_printing(&self) -> bool {
        self.setup.printed || self.spec().is_some_and(|spec| spec.printed)
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.flags.has(Flag::Quiet)
    }

    pub(crate) fn spec(&self) -> Option<&Spec> {
        self.setup.spec(&self.path)
    }

    pub(crate) fn error(&self, code: Code, message: impl Into<String>) -> Error {
        let phase = match code.exit() {
            // The arguments are read before the handler runs.
            Exit::ArgError | Exit::Redirected => Phase::Validation,
            _ => Phase::Execution,
        };
        Error::new(self.setup.name_of(code), code.exit(), message).phase(phase)
    }

    /// The class of a redirect: where the dialect has none, the arguments are wrong.
    pub(crate) fn redirect_class(&self) -> Exit {
        let mut rows = self.dialect.table().exits.rows.iter();
        let knows = rows.any(|row| row.exit == Exit::Redirected);
        if knows { Exit::Redirected } else { Exit::ArgError }
    }

    /// The milliseconds since the start.
    pub(crate) fn elapsed(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Whether a text says nothing.
#[inline(never)]
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// An id that no other call has: when it began, and who began it.
pub(crate) fn request_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nanos = u64::try_from(now.as_nanos()).unwrap_or_default();
    let mut id = String::with_capacity(28);
    id.push_str("req_");
    // Formatting would cost as much as the rest of the envelope.
    let mut hex = |number: u64, digits: u32| {
        for place in (0..digits).rev() {
            let digit = (number >> (4 * place)) & 0xf;
            id.push(char::from_digit(u32::try_from(digit).unwrap_or_default(), 16).unwrap_or('0'));
        }
    };
    hex(nanos, 16);
    hex(sys::process_id().into(), 8);
    id
}

/// A signal asked the run to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled {
    signal: i32,
}

impl Failure for Cancelled {
    fn into_error(self) -> Error {
        let code = Code::Cancelled;
        let mut error = Error::new(code.name(), code.exit(), self.to_string());
        error.parts.signal = Some(self.signal);
        error
    }

    fn declared(list: &mut Vec<Declared>) {
        list.push(Code::Cancelled.declared(Code::Cancelled.name()));
    }
}

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a signal ended the run")
    }
}

impl std::error::Error for Cancelled {}
