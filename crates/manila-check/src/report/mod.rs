//! What a check found: the verdict of each rule without what is waived, and what follows from them.

pub(crate) mod cause;
#[cfg(test)]
pub(crate) mod fixtures;
pub(crate) mod model;
pub(crate) mod waiver;
