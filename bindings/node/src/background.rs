//! Calls and checks: each waits on a thread of its own, invokes a callback when it is over, and can
//! be cancelled. The thread pool has four threads, which a few slow programs would block for all
//! other work.
#![allow(clippy::needless_pass_by_value, reason = "arguments are made for the call by the macros")]

use crate::outcome::{NativeOutcome, NativeReport};
use crate::to_napi;
use manila_bindings::{Call, CheckOptions, Error};
use manila_run::{Cancel, Policy};
use napi::bindgen_prelude::{Buffer, JsValuesTupleIntoVec};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Result, Status};
use napi_derive::napi;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const SIGTERM: i32 = 15;

/// A call under way.
#[napi]
pub struct Background(Arc<AtomicBool>);

#[napi]
impl Background {
    /// Ends the program: SIGTERM, then SIGKILL after the grace period.
    #[napi]
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Called with an error or nothing, and then with the answer.
type Done<T> = ThreadsafeFunction<T, (), T, Status, true>;

/// Works on a thread of its own.
fn start<T: 'static + Send + JsValuesTupleIntoVec>(
    done: Done<T>,
    work: impl FnOnce(Cancel) -> std::result::Result<T, Error> + Send + 'static,
) -> Result<Background> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&cancelled);
    let cancel = Cancel::when(move || asked.load(Ordering::Acquire).then_some(SIGTERM));
    let tell = move || {
        let made = catch_unwind(AssertUnwindSafe(|| work(cancel)));
        let made = made.unwrap_or_else(|_| Err(Error::internal("the call ended with a panic")));
        done.call(made.map_err(|error| to_napi(&error)), ThreadsafeFunctionCallMode::NonBlocking);
    };
    let started = thread::Builder::new().name("manila-run".to_owned()).spawn(tell);
    started.map_err(|error| to_napi(&Error::internal(format!("no thread: {error}"))))?;
    Ok(Background(cancelled))
}

/// Makes a call and settles it.
#[napi]
pub(crate) fn run(
    argv: Vec<String>,
    options: String,
    input: Option<Buffer>,
    done: Done<NativeOutcome>,
) -> Result<Background> {
    let argv = argv.into_iter().map(Into::into).collect();
    let call = Call::new(argv, &options, input.map(|bytes| bytes.to_vec()));
    let Call { invocation, policy } = call.map_err(|error| to_napi(&error))?;
    start(done, move |cancel| {
        Ok(NativeOutcome(manila_run::run(&invocation, &Policy { cancel, ..policy })))
    })
}

/// Checks a program.
#[napi]
pub(crate) fn check(
    argv: Vec<String>,
    options: String,
    done: Done<NativeReport>,
) -> Result<Background> {
    let options = CheckOptions::read(&options).map_err(|error| to_napi(&error))?;
    start(done, move |cancel| manila_bindings::check(&argv, options, cancel).map(NativeReport))
}
