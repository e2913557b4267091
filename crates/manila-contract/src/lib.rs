//! Infers the contract of a program from its behaviour, keeps it in a lock that people review, and compares contracts.
//!
//! ```
//! use manila_contract::{Lock, diff};
//!
//! let lock = |field: &str| {
//!     let facts = "/ : group\n/list : command\n/list call sample : ok\n/list ok\n/list ok . : object\n";
//!     Lock::read(&format!("manila.lock 1\n{facts}/list ok .{field} : string always\nend\n"))
//! };
//! let changes = diff::compare(&lock("created")?, &lock("createdAt")?, &diff::Versions::default());
//! assert_eq!(changes[0].rule.id, "field-renamed");
//! # Ok::<(), manila_contract::Error>(())
//! ```
//!
//! ```text
//! Session ─▶ observe ─▶ Lock ─▶ write
//!                       Lock, Lock ─▶ diff ─▶ Comparison ─▶ witness ─▶ render
//! ```
//!
//! A [`Lock`] is plain text, one fact per line. Observations are joined by an operation
//! that is associative, commutative and idempotent, so freezing in any order gives the same bytes.

pub mod diff;
mod error;
pub mod fixtures;
pub mod join;
pub mod lock;
pub mod manifest;
pub mod observe;
pub mod render;
pub mod report;
pub mod shape;
mod token;
pub mod witness;

pub use error::{Error, ErrorKind};
pub use lock::Lock;
pub use report::Comparison;
