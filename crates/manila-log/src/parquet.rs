//! The normal form of every envelope of a log as partitioned Parquet, for engines that take over
//! where one machine ends.
//!
//! Rows are made on the threads of the scan and written in the order of the input, a row group at a
//! time. The directory appears whole under its name, or not at all.

mod column;
mod dataset;

pub use column::{COLUMNS, Column, Type};
pub use dataset::{Dataset, Existing, Written};

use crate::sink::{Block, Record, Sink};
use crate::stats::RecordView;
use column::Columns;
use jiff::Timestamp;
use manila::json::Limits;
use manila::{Options, Status, Transcript, open};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;

/// What the directories of a dataset are named after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// The dialect.
    Dialect,
    /// Whether it succeeded.
    Ok,
    /// The day in UTC on which it was written.
    Date,
}

/// Every partition.
pub static PARTITIONS: &[Partition] = &[Partition::Dialect, Partition::Ok, Partition::Date];

/// The date of what does not say when it was written, as Hive and those after it spell it.
const NO_DATE: &str = "__HIVE_DEFAULT_PARTITION__";

impl Partition {
    /// The name of its column.
    pub fn id(self) -> &'static str {
        match self {
            Partition::Dialect => "dialect",
            Partition::Ok => "ok",
            Partition::Date => "date",
        }
    }

    fn push_dir(self, view: &RecordView<'_>, path: &mut String) {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(self.id());
        path.push('=');
        match self {
            Partition::Dialect => escape(view.envelope.dialect.id(), path),
            Partition::Ok => path.push_str(if view.envelope.ok { "true" } else { "false" }),
            Partition::Date => path.push_str(view.day().as_deref().unwrap_or(NO_DATE)),
        }
    }
}

/// Spells a value as part of the name of a directory, as every engine reads it.
fn escape(value: &str, path: &mut String) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            path.push(byte.into());
        } else {
            // Memory takes every byte.
            let _ = write!(path, "%{byte:02X}");
        }
    }
}

/// The sink that writes columns.
#[derive(Debug)]
pub struct Parquet {
    /// What the directories are named after.
    pub partition: Vec<Partition>,
    /// Only records from then on; those that do not say when they were written are left out.
    pub since: Option<Timestamp>,
    /// How much one record may ask for.
    pub limits: Limits,
}

/// The rows of one block, by directory.
#[derive(Debug, Default)]
pub struct Rows {
    dirs: BTreeMap<String, Columns>,
    /// Envelopes that have no normal form.
    unwritten: u64,
}

impl Parquet {
    fn takes(&self, view: &RecordView<'_>) -> bool {
        let Some(since) = self.since else { return true };
        view.time().is_some_and(|time| time >= since.as_millisecond())
    }
}

impl Sink for Parquet {
    type Part = ();
    type Chunk = Rows;
    type Ordered = Dataset;

    fn part(&self) {}

    fn record(&self, (): &mut (), rows: &mut Rows, record: &Record<'_>) {
        let Some(view) = RecordView::of(record).filter(|view| self.takes(view)) else { return };
        let transcript = Transcript::from_stdout(record.bytes, Status::Unknown);
        let options = Options {
            limits: self.limits,
            dialect: Some(view.envelope.dialect),
            ..Options::default()
        };
        let Ok(opened) = open(&transcript, &options) else {
            rows.unwritten += 1;
            return;
        };
        let mut dir = String::new();
        for partition in &self.partition {
            partition.push_dir(&view, &mut dir);
        }
        let columns = rows.dirs.entry(dir).or_insert_with(|| Columns::new(&self.partition));
        columns.push(record, &view, &opened.envelope);
    }

    fn deliver(&self, dataset: &mut Dataset, rows: Rows, block: &Block) -> ControlFlow<()> {
        dataset.take(rows.dirs, rows.unwritten, block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dir_is_spelled_as_engines_read_it() {
        let mut path = String::new();
        escape("response-envelope/1.0 é", &mut path);
        assert_eq!(path, "response-envelope%2F1.0%20%C3%A9");
    }
}
