//! The classes that recognise errors of erased types.

use crate::declared::Declared;
use std::error::Error as StdError;

/// An error and the errors behind it.
pub(crate) type Dyn = dyn StdError + 'static;

/// A class of erased errors: the failure they are reported as, and how they are recognised.
pub(crate) struct Class {
    pub(crate) failure: Declared,
    pub(crate) is: Box<dyn Fn(&Dyn) -> bool + Send + Sync>,
}

impl Class {
    pub(crate) fn new<E: StdError + 'static>(failure: Declared, is: fn(&E) -> bool) -> Class {
        Class { failure, is: Box::new(move |error| error.downcast_ref::<E>().is_some_and(is)) }
    }
}

/// An error whose chain of causes can be searched.
pub(crate) trait Causes {
    /// Whether one of them fits.
    fn any(&self, fits: &dyn Fn(&Dyn) -> bool) -> bool;
}
