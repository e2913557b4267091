//! Logs of envelopes at the speed of memory.
//!
//! A log is bytes with records in it, one per line, in whatever dialects. Each is looked at once:
//! every byte is checked (JSON, UTF-8), its dialect is found, its contract is judged, and what it
//! tells goes to a [`Sink`].
//!
//! ```text
//! bytes ─▶ records ─▶ Verdict ─▶ Sink: counts, normalised lines, columns
//! ```
//!
//! A [`Judge`] takes a block of whole records and calls back with what it found; [`scan`] runs any
//! number of inputs past judges on any number of threads, and keeps the order of what has one.
//!
//! - What a record is, and how lines, indented and concatenated documents are told apart, stands in
//!   `cut.rs`: a line that begins with `{` always begins a record.
//! - What it can break are the [`RULES`]. The [`Reference`] defines when it does, over the strict
//!   reader and the dialects of `manila`.
//! - The fast judge only ever certifies good records, 64 bytes at a time; whatever it is not certain
//!   of it leaves to the reference. There are tests that look for one bit of difference.
//! - [`Normaliser`] writes good records in one dialect, from their own pieces where it can.
//!
//! One record at a time:
//!
//! ```
//! let mut judge = manila_log::Reference::default();
//! let verdict = judge.judge(br#"{"ok":true,"type":"task","data":null}"#);
//! assert_eq!(verdict.envelope().map(|it| it.dialect.id()), Some("td/1"));
//! assert_eq!(verdict.broken()[0].rule.id(), "null-value");
//! assert_eq!(verdict.broken()[0].key, Some("data"));
//! ```

mod contract;
mod cut;
mod fast;
mod feed;
mod input;
mod name;
mod normalise;
mod order;
mod pair;
#[cfg(feature = "parquet")]
pub mod parquet;
mod piece;
mod reference;
mod rule;
mod scan;
pub mod source;
pub mod stats;
mod verdict;

pub use fast::{Found, Judge, Means};
pub use input::{Body, Input, Trouble};
pub use normalise::{Losses, Lost, LostField, Normaliser};
pub use piece::Piece;
pub use reference::Reference;
pub use rule::{Breach, RULES, Rule};
pub use scan::{Block, Options, Outcome, Progress, Record, Sink, Totals, scan, scan_by};
pub use verdict::{Envelope, Verdict};
