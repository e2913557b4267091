//! Our own failures as exceptions: `ValueError` for an option, `manila.Error` for everything else.

use manila_bindings::Error;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The value, or the exception.
pub(crate) fn raise<T>(py: Python<'_>, result: Result<T, Error>) -> PyResult<T> {
    result.map_err(|error| exception(py, &error))
}

pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    if error.kind() == Error::INVALID_OPTION {
        return PyValueError::new_err(error.message().to_owned());
    }
    let made = py
        .import("manila._error")
        .and_then(|module| module.getattr("Error"))
        .and_then(|class| class.call1((error.message(), error.kind(), error.hint())));
    made.map_or_else(|failed| failed, PyErr::from_value)
}
