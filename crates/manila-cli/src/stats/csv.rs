//! The tables as comma-separated values, for spreadsheets.

use super::words;
use manila::csv::cell;
use manila_log::stats::{Report, Row, TableReport};

const HEADER: &str =
    "by,value,records,share,failures,failure_rate,p50_ms,p90_ms,p99_ms,max_ms,first,last\n";

/// A line for each group.
pub(super) fn of(report: &Report) -> String {
    let tables = report.tables.iter().flatten();
    let rows = tables.flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    rows.fold(HEADER.to_owned(), |text, (table, row)| text + &line(table, row))
}

fn line(table: &TableReport, row: &Row) -> String {
    let durations = row.durations.as_ref();
    let durations = durations.map(|it| [it.p50, it.p90, it.p99, it.max].map(|it| it.to_string()));
    let [p50, p90, p99, max] = durations.unwrap_or_default();
    let cells = [
        table.by.join(" "),
        words(&row.values),
        row.records.to_string(),
        row.share.to_string(),
        row.failures.to_string(),
        row.failure_rate.to_string(),
        p50,
        p90,
        p99,
        max,
        row.first.clone().unwrap_or_default(),
        row.last.clone().unwrap_or_default(),
    ];
    cells.map(|text| cell(&text)).join(",") + "\n"
}
