//! What is known about the command-line programs people have: what a call changes, and what a failure means.
//!
//! ```
//! use manila::{Exit, Status, Transcript};
//! use manila_pack::{BUILTIN, Effect, Lookup, effects, read};
//!
//! assert_eq!(effects(&["git", "diff", "--output=x"], &BUILTIN).effect, Effect::Writes);
//!
//! let git = BUILTIN.find("git").expect("a pack");
//! let run = Transcript {
//!     argv: ["git", "-C", "/nowhere", "status"].map(String::from).to_vec(),
//!     stderr: b"fatal: cannot change to '/nowhere': No such file or directory\n".to_vec(),
//!     status: Status::Exited(128),
//!     ..Transcript::default()
//! };
//! assert_eq!(read(&run, &git).class, Some(Exit::NotFound));
//! ```
//!
//! A [`Pack`] is data, one TOML file for each program with recorded runs beside it that test it. The built-in ones
//! are [`BUILTIN`]; [`Packs`] adds those of a user and a project.

mod action;
mod answer;
mod asked;
mod builtin;
mod call;
mod compact;
mod condition;
mod decide;
mod effect;
mod environment;
mod follow_up;
mod lint;
mod load;
mod mask;
mod model;
mod open;
mod pack;
mod pattern;
mod program;
mod read;
pub mod record;
mod rule_name;
mod script;
mod shell;
mod sql;
mod subject;
mod text;
mod tri;

pub use asked::asks_for_json;
pub use builtin::{BUILTIN, Builtin};
pub use decide::{Decided, decide};
pub use effect::{CallEffect, effects, effects_of_line};
pub use follow_up::{Paging, RefreshCommand, paging, refresh_command};
pub use lint::{Checked, Expectation, Finding, check_file, lint};
pub use load::{LoadError, Packs, user_directory};
pub use mask::{MASK, is_secret_name, mask, mask_argv};
pub use model::*;
pub use open::{denies_success, is_answer, is_cut, open_run};
pub use pack::{Lookup, Origin, Pack};
pub use read::{Day, Reading, Reset, read, read_any, read_call};
pub use text::{Pairs, Text, Texts};
