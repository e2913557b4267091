//! Judge logs of envelopes at the speed of memory.
//!
//! ```
//! let mut judge = manila_log::Reference::default();
//! let verdict = judge.judge(br#"{"ok":true,"type":"task","data":null}"#);
//! assert_eq!(verdict.envelope().map(|it| it.dialect.id()), Some("td/1"));
//! assert_eq!(verdict.broken()[0].rule.id(), "null-out-of-place");
//! assert_eq!(verdict.broken()[0].key, Some("data"));
//! ```
//!
//! A log is a sequence of records, one per line, in any mix of dialects. Every record is read once: its bytes are
//! validated (JSON, UTF-8), its dialect is detected, its contract is judged, and its values go to a [`Sink`].
//!
//! ```text
//! bytes ─▶ records ─▶ Verdict ─▶ Sink: counts, normalised lines, columns
//! ```
//!
//! A [`Judge`] takes a block of whole records and calls back with what it found; [`scan`] runs any
//! number of inputs past judges on any number of threads, and keeps the order of what has one.
//!
//! - `cut.rs` defines what a record is, and how lines, indented and concatenated documents are
//!   distinguished: a line that begins with `{` always begins a record.
//! - What it can break are the [`RULES`]. The [`Reference`] defines when it does, over the strict
//!   reader and the dialects of `manila`.
//! - The fast judge only ever certifies good records, 64 bytes at a time; whatever it is not certain
//!   of it leaves to the reference. There are tests that look for one bit of difference.
//! - [`Normaliser`] writes good records in one dialect, from their own pieces where it can.

mod blocks;
mod contract;
mod cut;
mod fast;
mod input;
mod name;
mod normalise;
mod order;
#[cfg(feature = "parquet")]
pub mod parquet;
mod reference;
mod rule;
mod scan;
mod sink;
pub mod source;
pub mod stats;
mod tee;
mod value_ref;
mod verdict;

pub use fast::{Backend, Found, Judge};
pub use input::{Body, Input, InputError};
pub use normalise::{Losses, Lost, LostField, Normaliser};
pub use reference::Reference;
pub use rule::{Breach, RULES, Rule};
pub use scan::{Options, Outcome, Progress, Totals, scan, scan_by};
pub use sink::{Block, Record, Sink};
pub use value_ref::ValueRef;
pub use verdict::{Envelope, Verdict};
