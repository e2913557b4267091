//! A call to await, on any runtime: it is made on a thread of its own.

use crate::cancel::Cancel;
use crate::invocation::Invocation;
use crate::outcome::{Outcome, Output, Trace};
use crate::policy::Policy;
use crate::spawn_error::SpawnError;
use manila::Envelope;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

/// A call under way. Dropping it ends the call: the program is asked to end, and killed if it does
/// not.
///
/// ```
/// use manila_run::{Invocation, Policy, run_async};
///
/// async fn version(program: &str) -> Vec<u8> {
///     run_async(Invocation::new(program).arg("--version"), Policy::default()).await.output.stdout
/// }
/// ```
#[must_use = "a call is ended unless it is awaited"]
#[derive(Debug)]
pub struct Running(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    outcome: Option<thread::Result<Outcome>>,
    waker: Option<Waker>,
    is_dropped: bool,
}

fn with<T>(state: &Mutex<State>, change: impl FnOnce(&mut State) -> T) -> T {
    change(&mut state.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Makes a call and settles it, while others do something else.
pub fn run_async(call: Invocation, policy: Policy) -> Running {
    let state = Arc::new(Mutex::new(State::default()));
    let (ours, watched) = (Arc::clone(&state), Arc::clone(&state));
    let asked = policy.cancel.clone();
    let cancel = Cancel::when(move || {
        let dropped = with(&watched, |state| state.is_dropped).then_some(libc::SIGTERM);
        asked.signal().or(dropped)
    });
    let policy = Policy { cancel, ..policy };
    let make = move || {
        // A panic, for instance of an observer, must reach the task that awaits the call.
        let outcome = catch_unwind(AssertUnwindSafe(|| crate::run(&call, &policy)));
        let waker = with(&ours, |state| {
            state.outcome = Some(outcome);
            state.waker.take()
        });
        if let Some(waker) = waker {
            waker.wake();
        }
    };
    if let Err(error) = thread::Builder::new().spawn(make) {
        let spawn_error = SpawnError::of_system(&error);
        let envelope = Envelope::failure(spawn_error.exit(), spawn_error.failure());
        let outcome = Outcome { envelope, trace: Trace::default(), output: Output::default() };
        with(&state, |state| state.outcome = Some(Ok(outcome)));
    }
    Running(state)
}

impl Future for Running {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let outcome = with(&self.0, |state| {
            state.waker = Some(context.waker().clone());
            state.outcome.take()
        });
        match outcome {
            None => Poll::Pending,
            Some(outcome) => Poll::Ready(outcome.unwrap_or_else(|panic| resume_unwind(panic))),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        with(&self.0, |state| state.is_dropped = true);
    }
}
