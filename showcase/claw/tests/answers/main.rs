//! What the program answers: golden files, the fields of every command, the snippets of the document,
//! recorded runs, and input that went bad. One executable, because each takes as long to link as all.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod corpus;
mod field_consistency;
mod golden;
mod hostile;
mod seed;
#[path = "../support/mod.rs"]
mod support;
