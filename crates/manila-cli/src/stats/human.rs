//! The report for people: tables with small bars; and flat lines for grep.

use super::{Answer, bar, rest, sparkline, words};
use crate::human;
use crate::humanize::{count, rate, size, things, time};
use manila_clap::Screen;
use manila_log::stats::{
    Change, DriftReport, DriftRow, Durations, Report, Row, StormRow, Storms, TableReport, Thing,
    Times,
};
use std::time::Duration;

/// How long a bar is that stands for everything.
const BAR: u8 = 12;
/// How much of a name is shown.
const NAME: usize = 48;

pub(super) fn show(answer: &Answer, screen: &mut Screen) {
    if !screen.is_rich() {
        return show_plainly(answer, screen);
    }
    let report = &answer.report;
    human::title(screen, &summary(report));
    if let Some(times) = &report.times {
        show_times(times, screen);
    }
    for table in report.tables.iter().flatten().filter(|table| has_something(table)) {
        screen.line("");
        show_table(table, screen);
    }
    if let Some(storms) = &report.storms {
        screen.line("");
        show_storms(storms, screen);
    }
    if let Some(drift) = &report.drift {
        screen.line("");
        show_drift(drift, screen);
    }
    screen.line("");
    if let Some(parquet) = &answer.parquet {
        let (rows, files) =
            (things(parquet.rows, "row", "rows"), things(parquet.files, "file", "files"));
        let size = size(parquet.bytes);
        screen.field("parquet", format_args!("{rows} in {files}, {size} in {}", parquet.directory));
    }
    let (inputs, took) = (things(answer.inputs, "input", "inputs"), time(answer.elapsed));
    let speed = size(rate(answer.bytes, answer.elapsed));
    screen.line(format_args!("{} from {inputs} in {took}, {speed}/s", size(answer.bytes)));
}

fn has_something(table: &TableReport) -> bool {
    !table.rows.is_empty() || table.other > 0
}

fn summary(report: &Report) -> String {
    let records = things(report.records, "record", "records");
    let failures = match report.failures {
        0 => "none failed".to_owned(),
        failures => format!("{} failed ({})", count(failures), percent(report.failure_rate)),
    };
    let bad = report.records - report.good;
    let bad = if bad == 0 {
        String::new()
    } else {
        format!(", {} {} a rule", count(bad), if bad == 1 { "breaks" } else { "break" })
    };
    let unreadable = match report.unreadable {
        0 => String::new(),
        unreadable => format!(", and {} without an envelope", count(unreadable)),
    };
    let since = report.since.as_ref().map_or(String::new(), |since| {
        let (earlier, undated) = (count(since.earlier), count(since.undated));
        format!("; since {}: {earlier} are earlier, {undated} have no time", since.time)
    });
    format!("{records}, {failures}{bad}{unreadable}{since}")
}

fn show_times(times: &Times, screen: &mut Screen) {
    if let (Some(first), Some(last)) = (&times.first, &times.last) {
        let rate = times.per_second.map_or(String::new(), |rate| format!(", {rate} per second"));
        screen.field("seen", format_args!("{first} to {last}{rate}"));
    }
    if let Some(it) = &times.durations {
        let [p50, p90, p99, max, mean] = [it.p50, it.p90, it.p99, it.max, it.mean].map(millis);
        let off = percent(times.percentile_error);
        screen.field(
            "took",
            format_args!("p50 {p50}, p90 {p90}, p99 {p99}, max {max}, mean {mean} (± {off})"),
        );
    }
}

fn show_table(table: &TableReport, screen: &mut Screen) {
    let rows = &table.rows;
    // Where only failures are grouped, that they are says nothing.
    let are_failures = rows.iter().all(|row| row.failures == row.records);
    let failed = |row: &Row| if are_failures { String::new() } else { percent(row.failure_rate) };
    let took = |row: &Row, pick: fn(&Durations) -> u64| {
        row.durations.as_ref().map_or(String::new(), |it| millis(pick(it)))
    };
    let by = table.by.join(" ").to_uppercase();
    let columns = [
        left(&by, rows, |row| short(&words(&row.values))),
        right("RECORDS", rows, |row| count(row.records)),
        left("", rows, |row| bar(row.share, BAR)),
        right("SHARE", rows, |row| percent(row.share)),
        right("FAILED", rows, failed),
        right("P50", rows, |row| took(row, |it| it.p50)),
        right("P99", rows, |row| took(row, |it| it.p99)),
        left("FIRST", rows, |row| row.first.clone().unwrap_or_default()),
        left("LAST", rows, |row| row.last.clone().unwrap_or_default()),
    ];
    show_columns(&columns, screen);
    if let Some(rest) = rest(table) {
        screen.line(rest);
    }
}

fn show_storms(storms: &Storms, screen: &mut Screen) {
    if storms.rows.is_empty() {
        return screen.line(format_args!(
            "no storms: nothing failed {} times in a row the same way",
            storms.from
        ));
    }
    let rows = &storms.rows;
    let window = Duration::from_secs(storms.window_s.unsigned_abs());
    let busiest = format!("BUSIEST {}", manila_run::duration::format(window));
    let columns = [
        left("STORM", rows, |row| short(&who(row))),
        left("CODE", rows, |row| short(row.code.as_deref().unwrap_or_default())),
        right("TIMES", rows, |row| count(row.storms)),
        right("FAILURES", rows, |row| count(row.repeats)),
        right("LONGEST", rows, |row| count(row.longest.count)),
        left("AT", rows, |row| format!("{}:{}", row.longest.input, row.longest.line)),
        right(&busiest, rows, |row| {
            row.busiest.as_ref().map_or(String::new(), |it| count(it.failures))
        }),
        left("FROM", rows, |row| row.busiest.as_ref().map_or(String::new(), |it| it.begin.clone())),
    ];
    show_columns(&columns, screen);
    more(storms.more, screen);
    if storms.unwatched > 0 {
        screen.line(format_args!(
            "{} not watched (--distinct)",
            things(storms.unwatched, "failure", "failures")
        ));
    }
}

/// The program and the command, or the dialect of what names none.
fn who(row: &StormRow) -> String {
    let named: Vec<&str> =
        [&row.program, &row.command].into_iter().flatten().map(String::as_str).collect();
    if named.is_empty() { row.dialect.clone().unwrap_or_default() } else { named.join(" ") }
}

fn show_drift(drift: &DriftReport, screen: &mut Screen) {
    if drift.rows.is_empty() {
        return screen.line("no drift: no dialect, code, command or field appears or vanishes");
    }
    let rows = &drift.rows;
    let columns = [
        left("DRIFT", rows, |row| change(row.change).to_owned()),
        left("", rows, |row| thing(row.thing).to_owned()),
        left("", rows, |row| short(&row.name)),
        right("RECORDS", rows, |row| count(row.records)),
        left("", rows, |row| sparkline(&row.counts)),
        left("FIRST", rows, first),
        left("LAST", rows, last),
    ];
    show_columns(&columns, screen);
    more(drift.more, screen);
    if drift.is_cut {
        screen.line("some were not watched: there are too many (--distinct)");
    }
}

fn first(row: &DriftRow) -> String {
    row.first.clone().unwrap_or_else(|| format!("record {}", count(row.first_record)))
}

fn last(row: &DriftRow) -> String {
    row.last.clone().unwrap_or_else(|| format!("record {}", count(row.last_record)))
}

pub(super) fn change(change: Change) -> &'static str {
    match change {
        Change::Appeared => "appeared",
        Change::Vanished => "vanished",
        Change::CameAndWent => "came and went",
    }
}

pub(super) fn thing(thing: Thing) -> &'static str {
    match thing {
        Thing::Dialect => "dialect",
        Thing::Code => "code",
        Thing::Command => "command",
        Thing::Field => "field",
    }
}

fn more(more: usize, screen: &mut Screen) {
    if more > 0 {
        screen.line(format_args!("{} more", count(more as u64)));
    }
}

/// For grep: each line says in its first column what it is.
fn show_plainly(answer: &Answer, screen: &mut Screen) {
    let report = &answer.report;
    let whole = [
        ("records", report.records),
        ("failures", report.failures),
        ("unreadable", report.unreadable),
    ];
    for (name, number) in whole {
        screen.field(name, number);
    }
    for table in report.tables.iter().flatten() {
        let rows = table.rows.iter().map(|row| {
            let (records, failures) = (row.records.to_string(), row.failures.to_string());
            [table.by.join(" "), words(&row.values), records, failures]
        });
        screen.table([""; 4], rows);
    }
    let storms = report.storms.iter().flat_map(|storms| &storms.rows).map(|row| {
        let (code, repeats) = (row.code.clone().unwrap_or_default(), row.repeats.to_string());
        ["storm".to_owned(), who(row), code, repeats, row.longest.count.to_string()]
    });
    screen.table([""; 5], storms);
    let drift = report.drift.iter().flat_map(|drift| &drift.rows).map(|row| {
        [change(row.change), thing(row.thing), &row.name, &first(row), &last(row)]
            .map(str::to_owned)
    });
    screen.table([""; 5], drift);
}

/// A title and what stands below it.
type Column = Vec<String>;

fn left<R>(title: &str, rows: &[R], cell: impl Fn(&R) -> String) -> Column {
    std::iter::once(title.to_owned()).chain(rows.iter().map(cell)).collect()
}

/// Numbers, ending at the same place.
fn right<R>(title: &str, rows: &[R], cell: impl Fn(&R) -> String) -> Column {
    let column = left(title, rows, cell);
    let width = column.iter().map(|cell| cell.chars().count()).max().unwrap_or_default();
    let pad =
        |cell: &String| if cell.is_empty() { String::new() } else { format!("{cell:>width$}") };
    column.iter().map(pad).collect()
}

/// A table of the columns that hold something.
fn show_columns<const COLUMNS: usize>(columns: &[Column; COLUMNS], screen: &mut Screen) {
    let mut columns = columns.to_vec();
    columns.retain(|column| column.iter().skip(1).any(|cell| !cell.is_empty()));
    leave_out(&mut columns, screen.width());
    let rows = columns.first().map_or(0, Vec::len);
    let cell = |number: usize, row: usize| columns.get(number).map_or("", |it| it[row].as_str());
    let row = |row: usize| std::array::from_fn::<&str, COLUMNS, _>(|number| cell(number, row));
    screen.table(row(0), (1..rows).map(row));
}

/// Leaves out columns that a narrow terminal has no room for, the least telling first: when things were seen, then bars.
/// `--json` has them all.
fn leave_out(columns: &mut Vec<Column>, width: Option<usize>) {
    let Some(width) = width else { return };
    let wide = |column: &Column| column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    for title in ["LAST", "FIRST", "FROM", "", "AT"] {
        let all: usize = columns.iter().map(|column| wide(column) + 2).sum();
        if all.saturating_sub(2) <= width {
            return;
        }
        // The bars and the sparklines have no title, and are the last such column.
        if let Some(at) = columns.iter().rposition(|column| column[0] == title) {
            columns.remove(at);
        }
    }
}

/// A name that leaves room for the figures.
fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0 %".to_owned(),
        percent if percent < 0.1 => "< 0.1 %".to_owned(),
        percent if percent < 10.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

pub(super) fn millis(millis: u64) -> String {
    time(Duration::from_millis(millis))
}
