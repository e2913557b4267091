//! The results of the tallies, as data: renderers compute nothing.

use super::drift::{Change, Changed, Thing};
use super::histogram::{Histogram, PERCENTILE_ERROR};
use super::key;
use super::storm::{Run, Storm};
use super::table::{Group, Span, Table};
use super::timeline::Scale;
use super::{Dimension, Question, Section, Tally};
use jiff::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;

/// What the tallies come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Records that are envelopes of a known dialect; everything below is about them.
    pub records: u64,
    /// Those that break nothing.
    pub good: u64,
    /// Those that failed.
    pub failures: u64,
    /// The share of those that failed.
    pub failure_rate: f64,
    /// Records that are not envelopes: not JSON, or of no known dialect.
    pub unreadable: u64,
    /// What was asked to be left out, if anything was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// When and how long, of all records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// The tables that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<TableReport>>,
    /// The same command with the same code again and again, the busiest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storms: Option<Storms>,
    /// What appeared or vanished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<DriftReport>,
}

/// From when on records count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Since {
    /// From when on.
    pub time: String,
    /// Envelopes that are earlier.
    pub earlier: u64,
    /// Envelopes that do not say when they were written, and do not count.
    pub undated: u64,
}

/// When records were written and how long their commands took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times {
    /// Records that say when they were written.
    pub dated: u64,
    /// The earliest.
    pub first: Option<String>,
    /// The latest.
    pub last: Option<String>,
    /// How many were written in a second, between the two.
    pub per_second: Option<f64>,
    /// How long the commands took, where it is known.
    pub durations: Option<Durations>,
    /// How far a percentile can be off, as a share of its value.
    pub percentile_error: f64,
}

/// How long commands took, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Durations {
    /// How many state it.
    pub count: u64,
    /// The mean.
    pub mean: u64,
    /// What half of them do not exceed.
    pub p50: u64,
    /// What nine of ten do not exceed.
    pub p90: u64,
    /// What 99 of 100 do not exceed.
    pub p99: u64,
    /// The longest.
    pub max: u64,
}

/// Records by some dimensions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableReport {
    /// The dimensions.
    pub by: Vec<&'static str>,
    /// The groups with the most records.
    pub rows: Vec<Row>,
    /// How many more groups there are.
    pub more: usize,
    /// The records of groups that were not counted separately, because there are too many.
    pub other: u64,
    /// Records that have none of the dimensions.
    pub without: u64,
}

/// A group of records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its value of each dimension.
    pub values: Vec<Option<String>>,
    /// Its records.
    pub records: u64,
    /// Their share of all.
    pub share: f64,
    /// Those that failed.
    pub failures: u64,
    /// Their share of the group.
    pub failure_rate: f64,
    /// How long the commands took.
    pub durations: Option<Durations>,
    /// When it was first seen.
    pub first: Option<String>,
    /// When it was last seen.
    pub last: Option<String>,
}

/// The same command with the same code again and again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Storms {
    /// How many failures in a row are a storm.
    pub from: u64,
    /// How long a window is, in seconds.
    pub window_s: i64,
    /// The busiest.
    pub rows: Vec<StormRow>,
    /// How many more there are.
    pub more: usize,
    /// Failures that were not watched, because there are too many commands or codes.
    pub unwatched: u64,
}

/// One command and code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StormRow {
    /// The dialect.
    pub dialect: Option<String>,
    /// The program.
    pub program: Option<String>,
    /// The command.
    pub command: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// How often it failed so.
    pub failures: u64,
    /// How many runs were storms.
    pub storms: u64,
    /// How many failures were in them.
    pub repeats: u64,
    /// The longest run.
    pub longest: Longest,
    /// The window with the most failures, where records say when they were written.
    pub busiest: Option<Window>,
    /// When it was first seen.
    pub first: Option<String>,
    /// When it was last seen.
    pub last: Option<String>,
}

/// A run of failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Longest {
    /// How many in a row.
    pub count: u64,
    /// In which input it begins.
    pub input: String,
    /// On which line.
    pub line: u64,
    /// When it began.
    pub first: Option<String>,
    /// When it ended.
    pub last: Option<String>,
}

/// Failures in a window of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Window {
    /// When it begins.
    pub begin: String,
    /// How many.
    pub failures: u64,
}

/// What appeared or vanished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DriftReport {
    /// Along what: `time`, or `position` in the input.
    pub along: &'static str,
    /// Where the first bucket begins: a time or the number of a record.
    pub begin: Option<String>,
    /// How wide a bucket is: seconds or records.
    pub width: i64,
    /// All records, by bucket.
    pub counts: Vec<u64>,
    /// What changed.
    pub rows: Vec<DriftRow>,
    /// How many more there are.
    pub more: usize,
    /// Whether some were not watched, because there are too many.
    pub is_cut: bool,
}

/// Something that appeared or vanished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DriftRow {
    /// What it is.
    pub thing: Thing,
    /// Its name, with its dialect and the type of its value where it has them.
    pub name: String,
    /// What became of it.
    pub change: Change,
    /// In how many records it was seen.
    pub records: u64,
    /// The number of the first such record, counted from 1.
    pub first_record: u64,
    /// The number of the last.
    pub last_record: u64,
    /// When it was first seen.
    pub first: Option<String>,
    /// When it was last seen.
    pub last: Option<String>,
    /// Its records, by bucket.
    pub counts: Vec<u64>,
}

impl Report {
    pub(crate) fn of(tally: &Tally, question: &Question) -> Report {
        let all = &tally.all;
        let asked = |section| question.sections.contains(&section);
        Report {
            records: all.records,
            good: tally.good,
            failures: all.failures,
            failure_rate: share(all.failures, all.records),
            unreadable: tally.unreadable,
            since: question.since.map(|since| Since {
                time: time(since.as_millisecond()),
                earlier: tally.earlier,
                undated: tally.undated,
            }),
            times: asked(Section::Times).then(|| times(all, tally.dated)),
            tables: asked(Section::Tables).then(|| {
                let tables = question.by.iter().zip(&tally.tables);
                tables.map(|(by, table)| table_report(by, table, all.records, question)).collect()
            }),
            storms: asked(Section::Storms).then(|| storms(tally, question)),
            drift: asked(Section::Drift).then(|| drift(tally, question)),
        }
    }
}

fn times(all: &Group, dated: u64) -> Times {
    let [first, last] = seen(all.span);
    Times {
        dated,
        first,
        last,
        per_second: all.span.0.and_then(|(first, last)| per_second(dated, last - first)),
        durations: durations(&all.durations),
        percentile_error: PERCENTILE_ERROR,
    }
}

fn durations(histogram: &Histogram) -> Option<Durations> {
    (histogram.count() > 0).then(|| Durations {
        count: histogram.count(),
        mean: histogram.mean(),
        p50: histogram.permille(500),
        p90: histogram.permille(900),
        p99: histogram.permille(990),
        max: histogram.max(),
    })
}

fn table_report(by: &[Dimension], table: &Table, all: u64, question: &Question) -> TableReport {
    let mut groups: Vec<_> = table.groups.iter().collect();
    groups
        .sort_by(|one, two| (Reverse(one.1.records), one.0).cmp(&(Reverse(two.1.records), two.0)));
    let rows = groups.iter().take(question.top).map(|(key, group)| row(key, group, all));
    TableReport {
        by: by.iter().map(|dimension| dimension.id()).collect(),
        rows: rows.collect(),
        more: groups.len().saturating_sub(question.top),
        other: table.other.records,
        without: table.without,
    }
}

fn row(key: &[u8], group: &Group, all: u64) -> Row {
    let [first, last] = seen(group.span);
    Row {
        values: key::values(key),
        records: group.records,
        share: share(group.records, all),
        failures: group.failures,
        failure_rate: share(group.failures, group.records),
        durations: durations(&group.durations),
        first,
        last,
    }
}

fn storms(tally: &Tally, question: &Question) -> Storms {
    let ended = tally.storms.ended();
    let mut busy: Vec<_> = ended
        .iter()
        .filter_map(|(key, storm)| Some((key, storm, storm.longest.as_ref()?)))
        .collect();
    busy.sort_by(|one, two| (Reverse(one.1.repeats), one.0).cmp(&(Reverse(two.1.repeats), two.0)));
    let window = question.window_ms();
    let rows = busy.iter().take(question.top);
    Storms {
        from: super::STORM,
        window_s: window / 1000,
        rows: rows.map(|(key, storm, longest)| storm_row(key, storm, longest, window)).collect(),
        more: busy.len().saturating_sub(question.top),
        unwatched: tally.storms.unwatched,
    }
}

fn storm_row(key: &[u8], storm: &Storm, longest: &Run, window: i64) -> StormRow {
    let mut values = key::values(key).into_iter();
    let mut next = || values.next().flatten();
    let (dialect, program, command, code) = (next(), next(), next(), next());
    let [first, last] = seen(storm.span);
    let [began, ended] = seen(longest.span);
    StormRow {
        dialect,
        program,
        command,
        code,
        failures: storm.failures,
        storms: storm.runs,
        repeats: storm.repeats,
        longest: Longest {
            count: longest.count,
            input: longest.input.to_string(),
            line: longest.line,
            first: began,
            last: ended,
        },
        busiest: storm.busiest.map(|(number, failures)| Window {
            begin: time(number.saturating_mul(window)),
            failures,
        }),
        first,
        last,
    }
}

fn drift(tally: &Tally, question: &Question) -> DriftReport {
    let drift = &tally.drift;
    let (whole, scale, changes) = (drift.whole(), drift.scale(), drift.changes());
    let (along, unit) = match scale {
        Scale::Time => ("time", 1000),
        Scale::Position => ("position", 1),
    };
    let begin = whole.begin().map(|begin| match scale {
        Scale::Time => time(begin),
        Scale::Position => (begin + 1).to_string(),
    });
    DriftReport {
        along,
        begin,
        width: whole.width() / unit,
        counts: whole.along(whole),
        rows: changes.iter().take(question.top).map(drift_row).collect(),
        more: changes.len().saturating_sub(question.top),
        is_cut: drift.is_cut,
    }
}

fn drift_row(changed: &Changed<'_>) -> DriftRow {
    let values = key::values(changed.key);
    let values: Vec<&str> =
        values.iter().map(|value| value.as_deref().unwrap_or_default()).collect();
    let name = match (changed.thing, &values[..]) {
        (Thing::Field, [dialect, "", name, kind]) => format!("{dialect} {name}: {kind}"),
        (Thing::Field, [dialect, outer, name, kind]) => format!("{dialect} {outer}.{name}: {kind}"),
        _ => values.join(" "),
    };
    let [first, last] = seen(Span(changed.seen.times));
    DriftRow {
        thing: changed.thing,
        name,
        change: changed.change,
        records: changed.seen.count,
        first_record: changed.seen.positions.0,
        last_record: changed.seen.positions.1,
        first,
        last,
        counts: changed.counts.clone(),
    }
}

fn seen(span: Span) -> [Option<String>; 2] {
    [span.0.map(|(first, _)| time(first)), span.0.map(|(_, last)| time(last))]
}

/// A time as people and programs write it.
fn time(millis: i64) -> String {
    Timestamp::from_millisecond(millis).map_or_else(|_| millis.to_string(), |it| it.to_string())
}

/// A share, with as many digits as mean something.
#[expect(clippy::cast_precision_loss, reason = "a share needs no more than four digits")]
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64 * 1e4).round() / 1e4 }
}

#[expect(clippy::cast_precision_loss, reason = "a rate needs no more than three digits")]
fn per_second(count: u64, millis: i64) -> Option<f64> {
    (millis > 0).then(|| (count as f64 * 1e6 / millis as f64).round() / 1e3)
}
