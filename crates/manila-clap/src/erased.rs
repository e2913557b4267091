//! Errors whose type is erased, `anyhow::Error` among them, as failures.

use crate::call::Cancelled;
use crate::classify::{Causes, Dyn};
use crate::declared::Declared;
use crate::error::Error;
use crate::failure::Failure;
use crate::input::InputRequired;
use manila::Exit;
use std::error::Error as StdError;

/// An error and its sources, outermost first.
fn chain(error: &Dyn) -> impl Iterator<Item = &Dyn> {
    std::iter::successors(Some(error), |error| (*error).source())
}

/// The failure of this crate that an erased error holds: it is reported as it is, however it was
/// passed on.
fn own(erased: &Dyn) -> Option<Error> {
    chain(erased).find_map(|cause| {
        let cancelled = cause.downcast_ref::<Cancelled>().copied().map(Failure::into_error);
        cancelled
            .or_else(|| cause.downcast_ref::<InputRequired>().cloned().map(Failure::into_error))
    })
}

/// The error of an erased one: its message, and the messages of its causes as the detail.
fn error(erased: &Dyn) -> Error {
    let causes: Vec<String> = chain(erased).skip(1).map(ToString::to_string).collect();
    let detail = (!causes.is_empty()).then(|| causes.join(": "));
    Error::new(Exit::General.name(), Exit::General, erased.to_string()).detail(detail)
}

/// What an erased error can be without further classes.
fn declare(list: &mut Vec<Declared>) {
    list.push(Declared::new(Exit::General.name(), Exit::General, Exit::General.meaning()));
}

/// Any error, for programs that have no codes yet: `GENERAL_ERROR`, unless
/// [`App::classify`](crate::App::classify) knows better.
impl Failure for Box<dyn StdError + Send + Sync> {
    fn into_error(self) -> Error {
        own(&*self).unwrap_or_else(|| error(&*self).causes(self))
    }

    fn declared(list: &mut Vec<Declared>) {
        declare(list);
    }
}

impl Causes for Box<dyn StdError + Send + Sync> {
    fn any(&self, fits: &dyn Fn(&Dyn) -> bool) -> bool {
        chain(&**self).any(fits)
    }
}

/// `GENERAL_ERROR`, unless [`App::classify`](crate::App::classify) knows better. The outermost context
/// is the message, the causes are the detail. People get what `main` would have printed: the chain, and
/// the backtrace if there is one.
#[cfg(feature = "anyhow")]
impl Failure for anyhow::Error {
    fn into_error(self) -> Error {
        own(self.as_ref())
            .unwrap_or_else(|| error(self.as_ref()).show(format!("Error: {self:?}")).causes(self))
    }

    fn declared(list: &mut Vec<Declared>) {
        declare(list);
    }
}

#[cfg(feature = "anyhow")]
impl Causes for anyhow::Error {
    fn any(&self, fits: &dyn Fn(&Dyn) -> bool) -> bool {
        self.chain().any(fits)
    }
}

/// `GENERAL_ERROR`, unless [`App::classify`](crate::App::classify) knows better. The outermost context
/// is the message, the causes are the detail. People get what `main` would have printed, as the
/// installed handler formats it.
#[cfg(feature = "eyre")]
impl Failure for eyre::Report {
    fn into_error(self) -> Error {
        own(self.as_ref())
            .unwrap_or_else(|| error(self.as_ref()).show(format!("Error: {self:?}")).causes(self))
    }

    fn declared(list: &mut Vec<Declared>) {
        declare(list);
    }
}

#[cfg(feature = "eyre")]
impl Causes for eyre::Report {
    fn any(&self, fits: &dyn Fn(&Dyn) -> bool) -> bool {
        self.chain().any(fits)
    }
}
