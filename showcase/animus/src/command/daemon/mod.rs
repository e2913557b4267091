//! The commands for the daemon.

pub(crate) mod serve;
pub(crate) mod start;
pub(crate) mod status;
pub(crate) mod stop;
