//! Panics: reported in the answer.

use crate::call::Call;
use crate::code::Code;
use crate::deliver::deliver;
use crate::error::Error;
use crate::respond::respond;
use crate::secret;
use crate::sys::{self, Guard};
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, PanicHookInfo};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

thread_local! {
    /// Whether this thread runs the handler.
    static IS_HANDLER: Cell<bool> = const { Cell::new(false) };
}

/// What the handler's thread panicked with last: it may have got over what was before.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// The call that the process answers, once it is known.
static CALL: OnceLock<(&'static Call, Option<Arc<Guard>>)> = OnceLock::new();

/// From now on a panic of this thread is kept for the answer, and that of any other becomes a
/// warning. The hook that was there before is still called, unless the process knows a secret: the
/// message of a panic may contain it.
pub(crate) fn hook() {
    IS_HANDLER.set(true);
    let earlier = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = describe(info);
        if !secret::is_any_known() {
            earlier(info);
        }
        if cfg!(panic = "abort")
            && let Some((call, guard)) = CALL.get()
        {
            // Nothing unwinds, so this is the last chance to answer.
            sys::fix_outcome();
            let output = respond(call, Err(panicked(call, &message)));
            sys::exit_now(deliver(call, &output, guard.as_deref()));
        }
        if IS_HANDLER.get() {
            *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
        } else if let Some((call, _)) = CALL.get() {
            call.warn(format!("a thread panicked: {message}"));
        }
    }));
}

/// The call that panics belong to.
pub(crate) fn watch(call: &'static Call, guard: Option<&Arc<Guard>>) {
    let _ = CALL.set((call, guard.cloned()));
}

/// The call that the process answers.
pub(crate) fn current() -> Option<&'static (&'static Call, Option<Arc<Guard>>)> {
    CALL.get()
}

/// The failure that a caught panic is.
pub(crate) fn caught(call: &Call, payload: &(dyn Any + Send)) -> Error {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take();
    let kept = kept.filter(|_| IS_HANDLER.get());
    let message = kept.unwrap_or_else(|| words(payload).to_owned());
    panicked(call, &message)
}

fn panicked(call: &Call, message: &str) -> Error {
    call.error(Code::Panicked, format!("{} panicked: {message}", call.program.name))
        .suggestion("this is a bug: report it with the call that led to it")
}

fn words(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no words")
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let text = words(info.payload());
    let place = info.location().map_or_else(String::new, |at| format!(" at {at}"));
    secret::scrub(format!("{text}{place}"))
}
