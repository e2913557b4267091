//! What is known about the command-line programs people have.

mod advice;
mod answer;
mod builtin;
mod call;
mod condition;
mod effect;
mod environment;
mod generic;
mod lint;
mod load;
mod mask;
mod model;
mod pack;
mod pattern;
mod program;
mod read;
pub mod record;
mod script;
mod shell;
mod subject;
mod text;
mod tri;
mod wrap;

pub use advice::{Advice, advice};
pub use builtin::{BUILTIN, Builtin};
pub use effect::{CallEffect, effects, effects_of_line};
pub use lint::{Checked, Expectation, Finding, check_file, lint};
pub use load::{LoadError, Packs, user_directory};
pub use mask::{MASK, mask, mask_argv};
pub use model::*;
pub use pack::{Lookup, Origin, Pack};
pub use read::{Reading, read, read_any, read_call};
pub use text::{Pairs, Text, Texts};
