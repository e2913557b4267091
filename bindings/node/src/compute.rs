//! What can be said without running anything: a task of the thread pool each.
#![allow(clippy::needless_pass_by_value, reason = "arguments are made for the call by the macros")]

use crate::to_napi;
use manila_bindings::{self as shared, Error};
use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi::{Env, Result, Task};
use napi_derive::napi;

/// A computation whose answer is JSON.
pub(crate) struct Compute(Option<Box<dyn FnOnce() -> std::result::Result<String, Error> + Send>>);

impl Compute {
    fn task(
        work: impl FnOnce() -> std::result::Result<String, Error> + Send + 'static,
    ) -> AsyncTask<Compute> {
        AsyncTask::new(Compute(Some(Box::new(work))))
    }
}

impl Task for Compute {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        let work = self.0.take().ok_or_else(|| to_napi(&Error::internal("computed twice")))?;
        work().map_err(|error| to_napi(&error))
    }

    fn resolve(&mut self, _: Env, output: String) -> Result<String> {
        Ok(output)
    }
}

#[napi]
pub(crate) fn open(stdout: Buffer, stderr: Buffer, options: String) -> AsyncTask<Compute> {
    let (stdout, stderr) = (stdout.to_vec(), stderr.to_vec());
    Compute::task(move || shared::open(&stdout, &stderr, &options))
}

#[napi]
pub(crate) fn decide(stdout: Buffer, stderr: Buffer, options: String) -> AsyncTask<Compute> {
    let (stdout, stderr) = (stdout.to_vec(), stderr.to_vec());
    Compute::task(move || shared::decide(&stdout, &stderr, &options))
}

#[napi]
pub(crate) fn convert(
    stdout: Buffer,
    stderr: Buffer,
    to: String,
    options: String,
) -> AsyncTask<Compute> {
    let (stdout, stderr) = (stdout.to_vec(), stderr.to_vec());
    Compute::task(move || shared::convert(&stdout, &stderr, &to, &options))
}

#[napi]
pub(crate) fn effects(argv: Vec<String>) -> AsyncTask<Compute> {
    Compute::task(move || shared::effects(&argv))
}

#[napi]
pub(crate) fn effects_of_line(line: String) -> AsyncTask<Compute> {
    Compute::task(move || shared::effects_of_line(&line))
}
