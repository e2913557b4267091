//! The report as a page that stands alone: no script, nothing fetched, and it prints well.

use super::human::{change, millis, percent, thing};
use super::{Answer, rest, words};
use crate::quantity::{count, size, things};
use crate::scan::report::Unread;
use manila_log::stats::{DriftReport, Row, Storms, TableReport, Times};
use std::fmt::{Display, Write};

const STYLE: &str = include_str!("html.css");
/// Whatever a program wrote, the page loads nothing and runs nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The whole page.
pub(super) fn of(answer: &Answer) -> String {
    let report = &answer.report;
    let mut page = Page(String::new());
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"",
    );
    page.raw(POLICY);
    page.raw("\">\n<title>manila stats</title>\n<style>\n");
    page.raw(STYLE);
    page.raw("</style>\n</head>\n<body>\n");
    head(answer, &mut page);
    for table in report.tables.iter().flatten().filter(|table| !table.rows.is_empty()) {
        groups(table, &mut page);
    }
    if let Some(it) = report.storms.as_ref().filter(|storms| !storms.rows.is_empty()) {
        storms(it, &mut page);
    }
    if let Some(it) = report.drift.as_ref().filter(|drift| !drift.rows.is_empty()) {
        drift(it, &mut page);
    }
    page.raw("</body>\n</html>\n");
    page.0
}

/// What there is to know about all of it.
fn head(answer: &Answer, page: &mut Page) {
    let report = &answer.report;
    page.raw("<h1>");
    page.text(things(report.records, "record", "records"));
    page.raw(if report.failures > 0 { ", <span class=\"bad\">" } else { ", <span>" });
    page.text(format_args!("{} failed ({})", count(report.failures), percent(report.failure_rate)));
    page.raw("</span></h1>\n");
    let size = size(answer.bytes);
    let inputs = things(answer.inputs, "input", "inputs");
    let seen = report.times.as_ref().map_or(String::new(), seen);
    page.paragraph(&format!("{size} from {inputs}{seen}; times are in UTC"));
    if let Some(since) = &report.since {
        let (earlier, undated) = (count(since.earlier), count(since.undated));
        let since = moment(&since.time);
        page.paragraph(&format!(
            "Only records since {since}: {earlier} are earlier, {undated} have no time"
        ));
    }
    unread(answer, page);
    page.raw("<ul class=\"tiles\">\n");
    page.tile(count(report.good), "good");
    page.tile(count(report.records - report.good), "break a rule");
    if report.unreadable > 0 {
        page.tile(count(report.unreadable), "unreadable");
    }
    let times = report.times.as_ref();
    if let Some(it) = times.and_then(|times| times.durations.as_ref()) {
        for (time, what) in [(it.p50, "p50"), (it.p90, "p90"), (it.p99, "p99"), (it.max, "longest")]
        {
            page.tile(millis(time), what);
        }
    }
    page.raw("</ul>\n");
    if let Some(times) = times.filter(|times| times.durations.is_some()) {
        let error = percent(times.percentile_error);
        page.rest(&format!("Percentiles of durations are off by {error} at most."));
    }
}

fn seen(times: &Times) -> String {
    let (Some(first), Some(last)) = (&times.first, &times.last) else { return String::new() };
    let rate = times.per_second.map_or(String::new(), |rate| format!(", {rate} per second"));
    format!(", from {} to {}{rate}", moment(first), moment(last))
}

/// What the figures do not tell, because it could not be read.
fn unread(answer: &Answer, page: &mut Page) {
    if answer.unread.is_empty() {
        return;
    }
    page.raw("<div class=\"notice\"><b>Not everything could be read:</b>\n<ul>\n");
    for Unread { file, error, .. } in answer.unread.iter().take(MOST_UNREAD) {
        page.raw("<li>");
        page.text(format_args!("{file}: {error}"));
        page.raw("</li>\n");
    }
    if let Some(more) = answer.unread.len().checked_sub(MOST_UNREAD).filter(|more| *more > 0) {
        page.raw("<li>");
        page.text(format_args!("{} more", count(more as u64)));
        page.raw("</li>\n");
    }
    page.raw("</ul>\n</div>\n");
}

/// How many inputs that could not be read are listed.
const MOST_UNREAD: usize = 20;

/// A time for people: whoever reads a table compares digits, not letters.
fn moment(time: &str) -> String {
    time.trim_end_matches('Z').replacen('T', " ", 1)
}

fn groups(table: &TableReport, page: &mut Page) {
    let by = table.by.join(" ");
    page.table(
        "scroll groups",
        (&format!("By {by}"), ""),
        &[&by, "", "records", "share", "failed", "p50", "p99", "first", "last"],
        2,
    );
    let most = table.rows.iter().map(|row| row.records).max().unwrap_or_default();
    for row in &table.rows {
        page.row(|page| group(row, most, page));
    }
    page.end(rest(table));
}

fn group(row: &Row, most: u64, page: &mut Page) {
    page.value(&words(&row.values));
    page.bar(row, most);
    page.number(count(row.records));
    page.number(percent(row.share));
    page.number(percent(row.failure_rate));
    let durations = row.durations.as_ref();
    page.number(durations.map_or(String::new(), |it| millis(it.p50)));
    page.number(durations.map_or(String::new(), |it| millis(it.p99)));
    page.time(row.first.as_deref());
    page.time(row.last.as_deref());
}

fn storms(storms: &Storms, page: &mut Page) {
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
    page.table("scroll", ("Storms", &what), &columns, 3);
    for row in &storms.rows {
        page.row(|page| {
            let who = [&row.dialect, &row.program, &row.command];
            page.value(
                &who.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" "),
            );
            page.value(row.code.as_deref().unwrap_or_default());
            page.value(&format!("{}:{}", row.longest.input, row.longest.line));
            for it in [row.storms, row.repeats, row.longest.count] {
                page.number(count(it));
            }
            let busiest = row.busiest.as_ref();
            page.number(busiest.map_or(String::new(), |it| count(it.failures)));
            page.time(busiest.map(|it| it.begin.as_str()));
        });
    }
    page.end((storms.more > 0).then(|| format!("{} more", storms.more)));
}

fn drift(drift: &DriftReport, page: &mut Page) {
    let columns = ["", "what", "along the log", "records", "first", "last"];
    let what = format!("what appears or vanishes along {}", drift.along);
    page.table("scroll", ("Drift", &what), &columns, 3);
    for row in &drift.rows {
        page.row(|page| {
            page.cell("", change(row.change));
            page.value(&format!("{} {}", thing(row.thing), row.name));
            page.columns(&row.counts);
            page.number(count(row.records));
            if let (Some(first), Some(last)) = (&row.first, &row.last) {
                page.time(Some(first));
                page.time(Some(last));
            } else {
                page.number(format_args!("record {}", count(row.first_record)));
                page.number(format_args!("record {}", count(row.last_record)));
            }
        });
    }
    page.end((drift.more > 0).then(|| format!("{} more", drift.more)));
}

/// A page under construction. What comes from logs goes through [`Page::text`] alone.
struct Page(String);

impl Page {
    fn raw(&mut self, html: &str) {
        self.0.push_str(html);
    }

    /// Somebody else's words, in which nothing is markup.
    fn text(&mut self, text: impl Display) {
        for character in text.to_string().chars() {
            match character {
                '&' => self.raw("&amp;"),
                '<' => self.raw("&lt;"),
                '>' => self.raw("&gt;"),
                '"' => self.raw("&quot;"),
                character if character.is_control() => self.raw("\u{fffd}"),
                character => self.0.push(character),
            }
        }
    }

    fn paragraph(&mut self, text: &str) {
        self.raw("<p>");
        self.text(text);
        self.raw("</p>\n");
    }

    fn rest(&mut self, text: &str) {
        self.raw("<p class=\"faint\">");
        self.text(text);
        self.raw("</p>\n");
    }

    /// A figure that stands out.
    fn tile(&mut self, figure: impl Display, what: &str) {
        self.raw("<li><b>");
        self.text(figure);
        self.raw("</b>");
        self.text(what);
        self.raw("</li>\n");
    }

    /// Begins a table in a box of that class; its first columns hold words.
    fn table(&mut self, class: &str, (title, what): (&str, &str), columns: &[&str], words: usize) {
        self.raw("<h2>");
        self.text(title);
        if !what.is_empty() {
            self.raw(" <small>");
            self.text(what);
            self.raw("</small>");
        }
        // Memory takes every byte.
        let _ = write!(self.0, "</h2>\n<div class=\"{class}\"><table>\n<tr>");
        for (number, column) in columns.iter().enumerate() {
            self.raw(if number < words { "<th>" } else { "<th class=\"n\">" });
            self.text(column);
            self.raw("</th>");
        }
        self.raw("</tr>\n");
    }

    fn row(&mut self, fill: impl FnOnce(&mut Page)) {
        self.raw("<tr>");
        fill(self);
        self.raw("</tr>\n");
    }

    fn end(&mut self, rest: Option<String>) {
        self.raw("</table></div>\n");
        if let Some(rest) = rest {
            self.rest(&rest);
        }
    }

    fn cell(&mut self, class: &str, text: impl Display) {
        let _ = write!(self.0, "<td class=\"{class}\">");
        self.text(text);
        self.raw("</td>");
    }

    fn value(&mut self, text: &str) {
        self.cell("v", text);
    }

    fn number(&mut self, text: impl Display) {
        self.cell("n", text);
    }

    fn time(&mut self, time: Option<&str>) {
        self.cell("n t", time.map_or(String::new(), moment));
    }

    /// How many records there are beside the largest group, and how many of them failed.
    #[expect(clippy::cast_precision_loss, reason = "nobody sees the last digits of a length")]
    fn bar(&mut self, row: &Row, most: u64) {
        let length = 100.0 * row.records as f64 / most.max(1) as f64;
        let failed = 100.0 * row.failure_rate;
        let _ = write!(
            self.0,
            "<td><div class=\"bar\" style=\"width:{length:.1}%\"><i style=\"width:{failed:.1}%\"></i></div></td>"
        );
    }

    /// Counts as columns beside each other.
    #[expect(clippy::cast_precision_loss, reason = "nobody sees the last digits of a height")]
    fn columns(&mut self, counts: &[u64]) {
        let most = counts.iter().max().copied().unwrap_or_default().max(1);
        self.raw("<td><div class=\"columns\">");
        for count in counts {
            let height = 100.0 * *count as f64 / most as f64;
            let _ = write!(self.0, "<i style=\"height:{height:.0}%\"></i>");
        }
        self.raw("</div></td>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_writes_no_markup() {
        let mut page = Page(String::new());
        page.value("<script>\"&\u{1b}");
        assert_eq!(page.0, "<td class=\"v\">&lt;script&gt;&quot;&amp;\u{fffd}</td>");
    }
}
