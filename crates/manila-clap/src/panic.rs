//! Panics: told in the answer, not on a stream of their own.

use crate::app::deliver;
use crate::call::Call;
use crate::code::Code;
use crate::failure::Problem;
use crate::seal::seal;
use crate::secret;
use crate::sys::{self, Guard, Stray};
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, PanicHookInfo};
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// Whether this thread runs the handler.
    static IS_HANDLER: Cell<bool> = const { Cell::new(false) };
}

/// What the handler's thread panicked with first.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// From now on a panic is quiet: of the handler's thread it is kept for the answer, of any other it
/// becomes a warning.
pub(crate) fn watch(call: &Arc<Call>, guard: Option<&Arc<Guard>>) {
    IS_HANDLER.set(true);
    let call = Arc::clone(call);
    let guard = guard.cloned();
    panic::set_hook(Box::new(move |info| {
        let message = describe(info);
        if cfg!(panic = "abort") {
            // Nothing unwinds, so this is the last chance to answer.
            if let Some(meta) = sys::fix_outcome() {
                call.put_meta(meta);
            }
            let emission = seal(&call, Err(problem(&call, &message)), &Stray::default());
            sys::exit_now(deliver(&emission, guard.as_deref()));
        }
        if IS_HANDLER.get() {
            KEPT.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
        } else {
            call.warn(format!("a thread panicked: {message}"));
        }
    }));
}

/// The failure that a caught panic is.
pub(crate) fn caught(call: &Call, payload: &(dyn Any + Send)) -> Problem {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take();
    let kept = kept.filter(|_| IS_HANDLER.get());
    let message = kept.unwrap_or_else(|| words(payload).to_owned());
    problem(call, &message)
}

fn problem(call: &Call, message: &str) -> Problem {
    call.problem(Code::Panicked, format!("{} panicked: {message}", call.program.name))
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
