//! Infers the contract of a program from its behaviour, keeps it in a lock that people review, and compares contracts.
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
