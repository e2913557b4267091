//! What came of a call; JSON is only written on demand.

use crate::error::raise;
use manila_bindings::{self as shared, Error};
use manila_run::{Detail, Stopped};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What came of a call.
#[pyclass(frozen, module = "manila._manila")]
pub(crate) struct Outcome(pub(crate) manila_run::Outcome);

#[pymethods]
impl Outcome {
    #[getter]
    fn ok(&self) -> bool {
        self.0.envelope.ok()
    }

    #[getter]
    fn stdout<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.output.stdout)
    }

    #[getter]
    fn stderr<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.output.stderr)
    }

    /// Why the program was ended, if it did not end by itself.
    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.0.output.stopped.map(Stopped::as_str)
    }

    /// The action, when to take it, and why.
    fn next(&self) -> (&'static str, Option<u64>, String) {
        let next = self.0.next();
        (next.action, next.after_ms, next.why)
    }

    /// The payload.
    fn data_json(&self) -> Option<&str> {
        self.0.envelope.content().data.as_ref().map(manila::json::Raw::as_str)
    }

    /// The envelope in its normal form, with the summary in `meta`.
    fn envelope_json(&self, py: Python<'_>) -> PyResult<String> {
        raise(py, shared::to_json(&self.0.with_summary(Detail::Summary)))
    }

    /// What a caller wants to know at a glance.
    fn summary_json(&self, py: Python<'_>) -> PyResult<String> {
        raise(py, shared::to_json(&self.0.summary()))
    }

    /// Every attempt and every decision.
    fn trace_json(&self, py: Python<'_>) -> PyResult<String> {
        raise(py, shared::to_json(&self.0.trace))
    }

    /// The envelope in another dialect.
    fn convert(&self, py: Python<'_>, to: &str) -> PyResult<String> {
        let converted: Result<String, Error> = shared::convert_envelope(&self.0.envelope, to);
        raise(py, converted)
    }
}
