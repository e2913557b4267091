//! The derives, as a program uses them.

mod failure;
mod forms;
mod libraries;
mod reply;

use manila_clap::{
    Declared, Done, Error, Exit, Failure, Kind, Page, Paged, Phase, Reply, Screen, Shape,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error as StdError;
use std::fmt::{self, Debug, Display};
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// Asserts that a failure is this error, as its `Debug` output shows it.
#[track_caller]
fn assert_error(failure: impl Failure, expected: &Error) {
    assert_eq!(format!("{:#?}", failure.into_error()), format!("{expected:#?}"));
}

fn declared<F: Failure>() -> Vec<Declared> {
    let mut list = Vec::new();
    F::declared(&mut list);
    list
}

fn kinds<R: Reply>() -> Vec<Kind> {
    let mut list = Vec::new();
    R::kinds(&mut list);
    list
}

fn data(reply: &impl Reply, shape: Shape) -> String {
    reply.data(shape).map(|data| data.as_str().to_owned()).unwrap_or_default()
}

fn disk() -> io::Error {
    io::Error::other("disk full")
}
