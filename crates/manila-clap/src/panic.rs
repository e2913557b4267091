//! Panics: told in the answer, not on a stream of their own.

use crate::call::Call;
use crate::code::Code;
use crate::failure::Problem;
use crate::process::deliver;
use crate::seal::seal;
use crate::secret;
use crate::sys::{self, Guard, Stray};
use manila::Stream;
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
static CALL: OnceLock<(Arc<Call>, Option<Arc<Guard>>)> = OnceLock::new();

/// From now on a panic is quiet: of this thread it is kept for the answer, of any other it becomes a
/// warning.
pub(crate) fn hush() {
    IS_HANDLER.set(true);
    panic::set_hook(Box::new(|info| {
        let message = describe(info);
        if cfg!(panic = "abort")
            && let Some((call, guard)) = CALL.get()
        {
            // Nothing unwinds, so this is the last chance to answer.
            sys::fix_outcome();
            let emission = seal(call, Err(problem(call, &message)), &Stray::default());
            sys::exit_now(deliver(call, &emission, guard.as_deref()));
        }
        if cfg!(panic = "abort") {
            let _ = sys::write(Stream::Stderr, None, format!("{message}\n").as_bytes());
        }
        if IS_HANDLER.get() {
            *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
        } else if let Some((call, _)) = CALL.get() {
            call.warn(format!("a thread panicked: {message}"));
        }
    }));
}

/// The call that panics belong to.
pub(crate) fn watch(call: &Arc<Call>, guard: Option<&Arc<Guard>>) {
    let _ = CALL.set((Arc::clone(call), guard.cloned()));
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
