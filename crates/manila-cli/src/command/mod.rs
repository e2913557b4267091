//! The commands, one file each: its arguments, its answer, how it may fail, examples, and a function
//! from arguments to answer.

pub(crate) mod check;
pub(crate) mod decide;
pub(crate) mod dialects;
pub(crate) mod diff;
pub(crate) mod effects;
pub(crate) mod explain;
pub(crate) mod freeze;
pub(crate) mod generate;
pub(crate) mod mcp;
pub(crate) mod open;
pub(crate) mod packs;
pub(crate) mod redirects;
pub(crate) mod run;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod stats;
pub(crate) mod verify;
