//! The lock: a program's contract as it was observed, one fact per line.
//!
//! ```text
//! manila.lock 1
//! * failure .error.code : string always
//! * flag --json : switch
//! /list : command
//! /list call sample : ok
//! /list ok
//! /list ok .data[].id : integer always
//! /list ok .data[].made : string always date-time volatile
//! ```
//!
//! Facts that most commands share are written once, under `*`. A command that differs has a line of its own, and
//! the value `-` says that it lacks the fact.

mod line;
mod model;
mod read;
mod template;
mod write;

pub use model::Lock;
pub(crate) use model::{
    Answer, Argument, Attribute, Command, Facts, Failure, Flag, Group, Outcome,
};
pub(crate) use write::facts;
