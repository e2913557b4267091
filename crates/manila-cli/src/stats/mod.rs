//! The answer of `manila stats` and what it can look like: one file for each format.

mod csv;
mod html;
mod human;
pub(crate) mod partial;
mod schema;

pub(crate) use schema::stats as schema;

use crate::scan::report::{Unread, line};
use clap::ValueEnum;
use manila::json::{Raw, SerializeError};
use manila_clap::{Kind, Reply, Screen, Shape};
use manila_log::stats::Report;
use serde::Serialize;
use std::time::Duration;

/// What a report is shown as, where no envelope is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables with small bars
    #[default]
    Human,
    /// The report as one JSON document
    Json,
    /// The tables as comma-separated values, a header first
    Csv,
    /// A self-contained page, to be sent or printed
    Html,
}

/// What was tallied, and what went with it.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    /// The name and the version of this document.
    pub(crate) schema: Schema,
    pub(crate) inputs: u64,
    pub(crate) bytes: u64,
    #[serde(flatten)]
    pub(crate) report: Box<Report>,
    /// The columns that were written, if some were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parquet: Option<Parquet>,
    /// What could not be read to its end.
    pub(crate) unread: Vec<Unread>,
    /// Bytes of a record that was begun when a signal came, and is not tallied.
    pub(crate) unfinished: u64,
    #[serde(skip)]
    pub(crate) format: Format,
    #[serde(skip)]
    pub(crate) elapsed: Duration,
}

/// The name and the version of the document that `--format json` writes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) enum Schema {
    #[default]
    #[serde(rename = "manila-stats/1")]
    Stats1,
}

impl Answer {
    /// How much was read and counted, on one line.
    pub(crate) fn tally(&self) -> String {
        let Report { records, failures, .. } = &*self.report;
        format!("{records} counted, {failures} failed, {} unread", self.unread.len())
    }
}

/// Columns that were written.
#[derive(Debug, Serialize)]
pub(crate) struct Parquet {
    pub(crate) directory: String,
    pub(crate) rows: u64,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Envelopes that have no normal form and no row.
    pub(crate) unwritten: u64,
}

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        "stats"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        Raw::from_serialize(self)
    }

    fn show(&self, screen: &mut Screen) {
        match self.format {
            Format::Human => human::show(self, screen),
            Format::Json => screen.verbatim(&line(self)),
            Format::Csv => screen.verbatim(&csv::of(&self.report)),
            Format::Html => screen.verbatim(&html::of(self)),
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind { name: "stats", schema: |_| schema::stats(), has_legacy: false });
    }
}

/// A value of a dimension, in words.
fn words(values: &[Option<String>]) -> String {
    let words: Vec<&str> = values.iter().map(|value| value.as_deref().unwrap_or("-")).collect();
    words.join(" ")
}

/// What a table leaves out, in words; nothing if that is nothing.
fn rest(table: &manila_log::stats::TableReport) -> Option<String> {
    use crate::humanize::{count, things};
    let more = (table.more > 0).then(|| format!("{} more", count(table.more as u64)));
    let other = (table.other > 0).then(|| {
        let records = things(table.other, "record", "records");
        format!("{records} in groups beyond the limit of --distinct")
    });
    let without = (table.without > 0).then(|| {
        let records = things(table.without, "record", "records");
        format!("{records} without {}", table.by.join(" and "))
    });
    let parts: Vec<String> = [more, other, without].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Eighths of a block.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/// The heights of a column.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A bar of so many blocks for a share of the whole.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is cut to the width"
)]
fn bar(share: f64, width: u8) -> String {
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * f64::from(width)).round() as usize;
    // What is not nothing is never shown as nothing.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// Counts as columns of that height beside each other.
fn sparkline(counts: &[u64]) -> String {
    let most = counts.iter().max().copied().unwrap_or_default().max(1);
    let height = |count: u64| usize::try_from(count.saturating_mul(8).div_ceil(most)).unwrap_or(8);
    counts.iter().map(|count| HEIGHTS[height(*count).min(8)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(
            [0.0, 0.001, 0.5, 0.55, 1.0].map(|it| bar(it, 4)),
            ["", "▏", "██", "██▎", "████"]
        );
    }

    #[test]
    fn a_sparkline_shows_what_is_little() {
        assert_eq!(sparkline(&[0, 1, 50, 100]), " ▁▄█");
        assert_eq!(sparkline(&[0, 0]), "  ");
    }
}
