//! The trait of the author's error types.

use crate::declared::Declared;
use crate::error::Error;

/// A type whose values say why a command failed: each has a stable code and an exit class.
///
/// Derive it on an enum: each variant has `#[failure(exit = NotFound, message = "no task {id}")]`,
/// and the derive lists them all.
///
/// Two names for two things: a *failure* is the type of the author, an [`Error`] is what the program
/// reports of one value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no error codes: it does not implement `manila_clap::Failure`",
    label = "not a `Failure`",
    note = "derive it: `#[derive(Debug, manila_clap::Failure)]`, with `#[failure(exit = …)]` on each \
            variant",
    note = "beside `thiserror::Error` the derive needs no attributes",
    note = "`anyhow::Error` and `eyre::Report` are failures with the features `anyhow` and `eyre` of \
            manila-clap; `Box<dyn Error + Send + Sync>` always is"
)]
pub trait Failure {
    /// The error that the program reports.
    fn into_error(self) -> Error
    where
        Self: Sized;

    /// Adds every failure that a value of this type can be.
    fn declared(list: &mut Vec<Declared>)
    where
        Self: Sized;
}

/// A handler that cannot fail.
impl Failure for std::convert::Infallible {
    fn into_error(self) -> Error {
        match self {}
    }

    fn declared(_: &mut Vec<Declared>) {}
}

/// For handlers that have no failure type of their own yet.
impl Failure for Error {
    fn into_error(self) -> Error {
        self
    }

    fn declared(_: &mut Vec<Declared>) {}
}
