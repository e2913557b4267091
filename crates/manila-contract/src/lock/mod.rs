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
//! Facts that most commands share stand once, under `*`; a command that differs says so itself, and `-`
//! says that it has no such fact.

mod line;
mod model;
mod read;
mod template;
mod write;

pub use model::{Answer, Argument, Attribute, Command, Facts, Failure, Flag, Group, Lock, Outcome};
pub use write::HEADER;
pub(crate) use write::facts;
