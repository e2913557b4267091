//! Infers the contract of a program from its behaviour, keeps it in a lock that people review, and compares contracts.
//!
//! ```
//! use manila_contract::{Lock, Versions, compare};
//!
//! let lock = |field: &str| {
//!     let facts = "/ : group\n/list : command\n/list call sample : ok\n/list ok\n/list ok . : object\n";
//!     Lock::read(&format!("manila.lock 1\n{facts}/list ok .{field} : string always\nend\n"))
//! };
//! let changes = compare(&lock("created")?, &lock("createdAt")?, &Versions::default());
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

mod diff;
mod error;
mod fixtures;
mod join;
mod lock;
mod manifest;
mod observe;
pub mod render;
mod report;
mod shape;
mod token;
mod witness;

pub use diff::rule::{rule, rules};
pub use diff::{Bump, Certainty, Change, Family, Impact, Place, Reader, Rule, Versions, compare};
pub use error::{Error, ErrorKind};
pub use fixtures::snapshots;
pub use lock::Lock;
pub use manifest::manifest;
pub use observe::{Observed, from_recorded, merged, observe};
pub use report::{Classified, Comparison, Outcome, Purpose, Test, Witness};
pub use witness::confirm;
