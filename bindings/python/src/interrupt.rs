//! Signals of the interpreter while a call works without its lock: Ctrl-C ends the call, and is raised after it.

use manila_run::Cancel;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// What a terminal sends on Ctrl-C.
const SIGINT: i32 = 2;

/// The exception that a signal raised, if one did.
#[derive(Clone)]
pub(crate) struct Interrupt {
    raised: Arc<Mutex<Option<PyErr>>>,
    /// Handlers run in the main thread alone; another has nothing to ask.
    is_main_thread: bool,
}

impl Interrupt {
    pub(crate) fn new(is_main_thread: bool) -> Interrupt {
        Interrupt { raised: Arc::default(), is_main_thread }
    }

    /// Ends a call as soon as a handler raises.
    pub(crate) fn cancel(&self) -> Cancel {
        if !self.is_main_thread {
            return Cancel::never();
        }
        let raised = Arc::clone(&self.raised);
        Cancel::when(move || {
            let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
            if raised.is_none() {
                *raised = Python::try_attach(|py| py.check_signals().err()).flatten();
            }
            raised.is_some().then_some(SIGINT)
        })
    }

    /// Raises it, now that the call has ended.
    pub(crate) fn raise(&self) -> PyResult<()> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(Ok(()), Err)
    }
}
