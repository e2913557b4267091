//! The extension module of the package `manila`: every call works without the interpreter's lock.
#![allow(clippy::needless_pass_by_value, reason = "arguments are made for the call by the macros")]

mod background;
mod error;
mod interrupt;
mod outcome;
mod report;

use error::raise;
use interrupt::Interrupt;
use manila_bindings::{self as shared, Call, CheckOptions};
use manila_run::Policy;
use outcome::Outcome;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use report::Report;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;

/// What only the package itself calls; `_manila.pyi` describes it.
#[pymodule]
mod _manila {
    #[pymodule_export]
    use super::background::{Background, start};
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::report::Report;
    #[pymodule_export]
    use super::{check, convert, decide, effects, effects_of_line, main, open, run};
}

pub(crate) fn words(argv: &[PyBackedBytes]) -> Vec<OsString> {
    argv.iter().map(|word| OsString::from_vec(word.to_vec())).collect()
}

/// Makes a call and settles it; a signal that the interpreter handles with an exception ends it.
#[pyfunction]
fn run(
    py: Python<'_>,
    argv: Vec<PyBackedBytes>,
    options: &str,
    input: Option<PyBackedBytes>,
    is_main_thread: bool,
) -> PyResult<Outcome> {
    let input = input.map(|bytes| bytes.to_vec());
    let Call { invocation, policy } = raise(py, Call::new(words(&argv), options, input))?;
    let interrupt = Interrupt::new(is_main_thread);
    let policy = Policy { cancel: interrupt.cancel(), ..policy };
    let outcome = py.detach(|| manila_run::run(&invocation, &policy));
    interrupt.raise()?;
    Ok(Outcome(outcome))
}

/// Opens what a program wrote.
#[pyfunction]
fn open(py: Python<'_>, stdout: &[u8], stderr: &[u8], options: &str) -> PyResult<String> {
    raise(py, py.detach(|| shared::open(stdout, stderr, options)))
}

/// Decides what to do about what a program wrote.
#[pyfunction]
fn decide(py: Python<'_>, stdout: &[u8], stderr: &[u8], options: &str) -> PyResult<String> {
    raise(py, py.detach(|| shared::decide(stdout, stderr, options)))
}

/// Writes what a program wrote in another dialect.
#[pyfunction]
fn convert(
    py: Python<'_>,
    stdout: &[u8],
    stderr: &[u8],
    to: &str,
    options: &str,
) -> PyResult<String> {
    raise(py, py.detach(|| shared::convert(stdout, stderr, to, options)))
}

/// What a call would change.
#[pyfunction]
fn effects(py: Python<'_>, argv: Vec<String>) -> PyResult<String> {
    raise(py, py.detach(|| shared::effects(&argv)))
}

/// What a command line of a shell would change.
#[pyfunction]
fn effects_of_line(py: Python<'_>, line: &str) -> PyResult<String> {
    raise(py, py.detach(|| shared::effects_of_line(line)))
}

/// Checks a program.
#[pyfunction]
fn check(
    py: Python<'_>,
    argv: Vec<String>,
    options: &str,
    is_main_thread: bool,
) -> PyResult<Report> {
    let options = raise(py, CheckOptions::read(options))?;
    let interrupt = Interrupt::new(is_main_thread);
    let cancel = interrupt.cancel();
    let checked = py.detach(|| shared::check(&argv, options, cancel));
    interrupt.raise()?;
    Ok(Report(raise(py, checked)?))
}

/// Runs the program `manila`. It may end the process.
#[pyfunction]
fn main(py: Python<'_>, argv: Vec<PyBackedBytes>) -> u8 {
    py.detach(|| {
        let status = manila_cli::main_from(words(&argv));
        // The Rust runtime flushes at the end of `main`, which does not run here.
        let _ = std::io::stdout().flush();
        status
    })
}
