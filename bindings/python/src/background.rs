//! A call on a thread of its own, which invokes a callback when it is over and can be cancelled.
#![allow(clippy::needless_pass_by_value, reason = "arguments are made for the call by the macros")]

use crate::error::{exception, raise};
use crate::outcome::Outcome;
use crate::words;
use manila_bindings::{Call, Error};
use manila_run::{Cancel, Policy};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const SIGTERM: i32 = 15;

/// A call under way.
#[pyclass(frozen, module = "manila._manila")]
pub(crate) struct Background(Arc<AtomicBool>);

#[pymethods]
impl Background {
    /// Ends the program: SIGTERM, then SIGKILL after the grace period.
    fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Makes a call on a thread of its own, and then calls `done` there with the outcome and nothing, or with
/// nothing and an exception.
#[pyfunction]
pub(crate) fn start(
    py: Python<'_>,
    argv: Vec<PyBackedBytes>,
    options: &str,
    input: Option<PyBackedBytes>,
    done: Py<PyAny>,
) -> PyResult<Background> {
    let input = input.map(|bytes| bytes.to_vec());
    let Call { invocation, policy } = raise(py, Call::new(words(&argv), options, input))?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&cancelled);
    let cancel = Cancel::when(move || asked.load(Ordering::Acquire).then_some(SIGTERM));
    let policy = Policy { cancel, ..policy };
    let work = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| manila_run::run(&invocation, &policy)));
        // An interpreter that is about to end runs no more callbacks.
        Python::try_attach(|py| {
            let called = match outcome {
                Ok(outcome) => done.call1(py, (Outcome(outcome), py.None())),
                Err(_) => {
                    let error = Error::internal("the call ended with a panic");
                    done.call1(py, (py.None(), exception(py, &error)))
                }
            };
            if let Err(error) = called {
                error.write_unraisable(py, None);
            }
        });
    };
    let started = thread::Builder::new().name("manila-run".to_owned()).spawn(work);
    let started = started.map_err(|error| Error::internal(format!("no thread: {error}")));
    raise(py, started.map(|_| Background(cancelled)))
}
