//! The report as a page that prints well.

use super::human::{change, millis, percent, thing};
use super::{Answer, rest, words};
use crate::humanize::{count, size, things};
use manila_check::internal::page;
use manila_check::internal::visible;
use manila_log::stats::{DriftReport, DriftRow, Row, StormRow, Storms, TableReport, Times};
use maud::{Markup, html};

const STYLE: &str = include_str!("html.css");

/// How many inputs that could not be read are listed.
const MOST_UNREAD: usize = 20;

/// The whole page.
pub(super) fn of(answer: &Answer) -> String {
    let report = &answer.report;
    let tables = report.tables.iter().flatten().filter(|table| !table.rows.is_empty());
    let body = html! {
        (head(answer))
        @for table in tables { (groups(table)) }
        @if let Some(it) = report.storms.as_ref().filter(|storms| !storms.rows.is_empty()) {
            (storms(it))
        }
        @if let Some(it) = report.drift.as_ref().filter(|drift| !drift.rows.is_empty()) {
            (drift(it))
        }
    };
    page::layout("manila stats", STYLE, &body)
}

/// What there is to know about all of it.
fn head(answer: &Answer) -> Markup {
    let report = &answer.report;
    let class = (report.failures > 0).then_some("bad");
    let size = size(answer.bytes);
    let inputs = things(answer.inputs, "input", "inputs");
    let seen = report.times.as_ref().map_or(String::new(), seen);
    let durations = report.times.as_ref().and_then(|times| times.durations.as_ref());
    let mut tiles =
        vec![(count(report.good), "good"), (count(report.records - report.good), "break a rule")];
    if report.unreadable > 0 {
        tiles.push((count(report.unreadable), "without an envelope"));
    }
    if let Some(it) = durations {
        let times = [(it.p50, "p50"), (it.p90, "p90"), (it.p99, "p99"), (it.max, "longest")];
        tiles.extend(times.map(|(time, what)| (millis(time), what)));
    }
    html! {
        h1 {
            (things(report.records, "record", "records")) ", "
            span class=[class] {
                (count(report.failures)) " failed (" (percent(report.failure_rate)) ")"
            }
        }
        p { (size) " from " (inputs) (seen) "; times are in UTC" }
        @if let Some(since) = &report.since {
            p {
                "Only records since " (moment(&since.time)) ": " (count(since.earlier))
                " are earlier, " (count(since.undated)) " have no time"
            }
        }
        (unread(answer))
        ul.tiles { @for (figure, what) in tiles { li { b { (figure) } (what) } } }
        @if let Some(times) = report.times.as_ref().filter(|_| durations.is_some()) {
            p.faint {
                "Percentiles of durations are off by " (percent(times.percentile_error)) " at most."
            }
        }
    }
}

fn seen(times: &Times) -> String {
    let (Some(first), Some(last)) = (&times.first, &times.last) else { return String::new() };
    let rate = times.per_second.map_or(String::new(), |rate| format!(", {rate} per second"));
    format!(", from {} to {}{rate}", moment(first), moment(last))
}

/// The inputs that could not be read, which the figures do not cover.
fn unread(answer: &Answer) -> Markup {
    let more = answer.unread.len().saturating_sub(MOST_UNREAD);
    html! {
        @if !answer.unread.is_empty() {
            div.notice {
                b { "Not everything could be read:" }
                ul {
                    @for unread in answer.unread.iter().take(MOST_UNREAD) {
                        li { (visible(&unread.file)) ": " (visible(&unread.error)) }
                    }
                    @if more > 0 { li { (count(more as u64)) " more" } }
                }
            }
        }
    }
}

/// A time for people, who compare digits, not letters.
fn moment(time: &str) -> String {
    time.trim_end_matches('Z').replacen('T', " ", 1)
}

/// A table with a title; its first columns hold words, and below it stands what was left out.
fn table(
    (class, title, what): (&str, &str, &str),
    (columns, words): (&[&str], usize),
    rows: impl Iterator<Item = Markup>,
    rest: Option<String>,
) -> Markup {
    html! {
        h2 { (title) @if !what.is_empty() { " " small { (what) } } }
        div class=(class) {
            table {
                tr {
                    @for (number, column) in columns.iter().enumerate() {
                        th class=[(number >= words).then_some("n")] { (visible(column)) }
                    }
                }
                @for row in rows { tr { (row) } }
            }
        }
        @if let Some(rest) = rest { p.faint { (rest) } }
    }
}

fn groups(of: &TableReport) -> Markup {
    let by = of.by.join(" ");
    let columns = [&by, "", "records", "share", "failed", "p50", "p99", "first", "last"];
    let most = of.rows.iter().map(|row| row.records).max().unwrap_or_default();
    let rows = of.rows.iter().map(|row| group(row, most));
    table(("scroll groups", &format!("By {by}"), ""), (&columns, 2), rows, rest(of))
}

fn group(row: &Row, most: u64) -> Markup {
    let durations = row.durations.as_ref();
    html! {
        (value(&words(&row.values)))
        td { (bar(row, most)) }
        (number(&count(row.records)))
        (number(&percent(row.share)))
        (number(&percent(row.failure_rate)))
        (number(&durations.map_or(String::new(), |it| millis(it.p50))))
        (number(&durations.map_or(String::new(), |it| millis(it.p99))))
        (time(row.first.as_deref()))
        (time(row.last.as_deref()))
    }
}

fn storms(storms: &Storms) -> Markup {
    let columns = [
        "command",
        "code",
        "longest run begins at",
        "storms",
        "failures",
        "longest",
        "busiest",
        "window begins",
    ];
    let what = format!("the same failure {} times or more in a row", storms.from);
    let more = (storms.more > 0).then(|| format!("{} more", storms.more));
    table(("scroll", "Storms", &what), (&columns, 3), storms.rows.iter().map(storm), more)
}

fn storm(row: &StormRow) -> Markup {
    let who = [&row.dialect, &row.program, &row.command];
    let who: Vec<&str> = who.into_iter().flatten().map(String::as_str).collect();
    let busiest = row.busiest.as_ref();
    html! {
        (value(&who.join(" ")))
        (value(row.code.as_deref().unwrap_or_default()))
        (value(&format!("{}:{}", row.longest.input, row.longest.line)))
        @for it in [row.storms, row.repeats, row.longest.count] { (number(&count(it))) }
        (number(&busiest.map_or(String::new(), |it| count(it.failures))))
        (time(busiest.map(|it| it.begin.as_str())))
    }
}

fn drift(drift: &DriftReport) -> Markup {
    let columns = ["", "what", "along the log", "records", "first", "last"];
    let what = format!("what appears or vanishes along {}", drift.along);
    let more = (drift.more > 0).then(|| format!("{} more", drift.more));
    table(("scroll", "Drift", &what), (&columns, 3), drift.rows.iter().map(drifted), more)
}

fn drifted(row: &DriftRow) -> Markup {
    html! {
        td { (change(row.change)) }
        (value(&format!("{} {}", thing(row.thing), row.name)))
        td { (columns(&row.counts)) }
        (number(&count(row.records)))
        @if let (Some(first), Some(last)) = (&row.first, &row.last) {
            (time(Some(first)))
            (time(Some(last)))
        } @else {
            (number(&format!("record {}", count(row.first_record))))
            (number(&format!("record {}", count(row.last_record))))
        }
    }
}

fn value(text: &str) -> Markup {
    html! { td.v { (visible(text)) } }
}

fn number(text: &str) -> Markup {
    html! { td.n { (visible(text)) } }
}

fn time(time: Option<&str>) -> Markup {
    html! { td.n.t { (visible(&time.map_or(String::new(), moment))) } }
}

/// How many records there are beside the largest group, and how many of them failed.
#[expect(clippy::cast_precision_loss, reason = "the last digits of a length are not seen")]
fn bar(row: &Row, most: u64) -> Markup {
    let length = 100.0 * row.records as f64 / most.max(1) as f64;
    let failed = 100.0 * row.failure_rate;
    html! {
        div.bar style=(format!("width:{length:.1}%")) {
            i style=(format!("width:{failed:.1}%")) {}
        }
    }
}

/// Counts as columns beside each other.
#[expect(clippy::cast_precision_loss, reason = "the last digits of a height are not seen")]
fn columns(counts: &[u64]) -> Markup {
    let most = counts.iter().max().copied().unwrap_or_default().max(1);
    html! {
        div.columns {
            @for count in counts {
                i style=(format!("height:{:.0}%", 100.0 * *count as f64 / most as f64)) {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_a_log_is_never_markup() {
        let cell = value("<script>\"&\u{1b}").into_string();
        assert_eq!(cell, "<td class=\"v\">&lt;script&gt;&quot;&amp;\\e</td>");
    }
}
