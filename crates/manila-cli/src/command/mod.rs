//! The commands, one file each: its arguments, and a function from them to an answer.

pub(crate) mod completions;
pub(crate) mod decide;
pub(crate) mod dialects;
pub(crate) mod explain;
pub(crate) mod help;
pub(crate) mod man;
pub(crate) mod open;
pub(crate) mod schema;
