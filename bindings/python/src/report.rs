//! What a check found; a format is only rendered on demand.

use crate::error::raise;
use manila_bindings::Checked;
use pyo3::prelude::*;

/// What a check found.
#[pyclass(frozen, module = "manila._manila")]
pub(crate) struct Report(pub(crate) Checked);

#[pymethods]
impl Report {
    #[getter]
    fn conforms(&self) -> bool {
        self.0.conforms()
    }

    /// The report in one of the formats of `manila check --format`.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        raise(py, self.0.render(format))
    }
}
