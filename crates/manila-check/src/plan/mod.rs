//! Which calls a check makes: the usual ones for every command, and those that rules ask for.

pub(crate) mod adversarial;
pub(crate) mod collection;
pub(crate) mod deprecated;
pub(crate) mod usual;
