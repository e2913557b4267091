//! The report as a page that stands alone: no script, nothing fetched, and it prints well.

use super::human::{change, millis, percent, thing};
use super::{Answer, rest, sparkline, words};
use crate::quantity::{count, things};
use manila_log::stats::{DriftReport, Row, Storms, TableReport, Times};
use std::fmt::{Display, Write};

const STYLE: &str = "
:root { color-scheme: light dark; --bar: #4a7fb5; --bad: #b5523b; --line: #8884; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .15rem .6rem .15rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.v { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
td.b { width: 22%; } td.b div { background: var(--bar); height: .7rem; min-width: 1px; }
td.s { font-family: ui-monospace, monospace; white-space: pre; color: var(--bar); }
p.rest { color: #888; margin: .3rem 0; } .bad { color: var(--bad); }
@media print {
  body { margin: 0; max-width: none; font-size: 9pt; } h2 { break-after: avoid; } tr { break-inside: avoid; }
  td.b div { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
";

/// The whole page.
pub(super) fn of(answer: &Answer) -> String {
    let report = &answer.report;
    let mut page = Page(String::new());
    page.raw("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width\">\n<title>manila stats</title>\n<style>");
    page.raw(STYLE);
    page.raw("</style>\n<h1>");
    page.text(things(report.records, "record", "records"));
    page.raw(", <span class=\"bad\">");
    page.text(format_args!("{} failed ({})", count(report.failures), percent(report.failure_rate)));
    page.raw("</span></h1>\n");
    if report.unreadable > 0 {
        let records = things(report.unreadable, "record", "records");
        page.paragraph(&format!("{records} could not be read as envelopes."));
    }
    if let Some(since) = &report.since {
        let (earlier, undated) = (count(since.earlier), count(since.undated));
        page.paragraph(&format!(
            "Since {}: {earlier} are earlier, {undated} have no time.",
            since.time
        ));
    }
    if let Some(it) = &report.times {
        times(it, &mut page);
    }
    for table in report.tables.iter().flatten().filter(|table| !table.rows.is_empty()) {
        groups(table, &mut page);
    }
    if let Some(it) = report.storms.as_ref().filter(|storms| !storms.rows.is_empty()) {
        storms(it, &mut page);
    }
    if let Some(it) = report.drift.as_ref().filter(|drift| !drift.rows.is_empty()) {
        drift(it, &mut page);
    }
    page.raw("</html>\n");
    page.0
}

fn times(times: &Times, page: &mut Page) {
    if let (Some(first), Some(last)) = (&times.first, &times.last) {
        let rate = times.per_second.map_or(String::new(), |rate| format!(", {rate} per second"));
        page.paragraph(&format!("Seen from {first} to {last}{rate}."));
    }
    if let Some(it) = &times.durations {
        page.table("Durations", &["p50", "p90", "p99", "max", "mean"], 0);
        page.row(|page| {
            for it in [it.p50, it.p90, it.p99, it.max, it.mean] {
                page.number(millis(it));
            }
        });
        page.end(Some(format!(
            "Percentiles are off by {} at most.",
            percent(times.percentile_error)
        )));
    }
}

fn groups(table: &TableReport, page: &mut Page) {
    let by = table.by.join(" ");
    page.table(
        &format!("By {by}"),
        &[&by, "", "records", "share", "failed", "p50", "p99", "first", "last"],
        2,
    );
    for row in &table.rows {
        page.row(|page| group(row, page));
    }
    page.end(rest(table));
}

fn group(row: &Row, page: &mut Page) {
    page.value(&words(&row.values));
    page.bar(row.share);
    page.number(count(row.records));
    page.number(percent(row.share));
    page.number(percent(row.failure_rate));
    let durations = row.durations.as_ref();
    page.number(durations.map_or(String::new(), |it| millis(it.p50)));
    page.number(durations.map_or(String::new(), |it| millis(it.p99)));
    page.number(row.first.as_deref().unwrap_or_default());
    page.number(row.last.as_deref().unwrap_or_default());
}

fn storms(storms: &Storms, page: &mut Page) {
    let columns = [
        "command",
        "code",
        "longest run begins at",
        "storms",
        "failures in them",
        "longest",
        "busiest window",
    ];
    page.table(
        &format!("Storms: the same failure {} times or more in a row", storms.from),
        &columns,
        3,
    );
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
            page.number(
                row.busiest
                    .as_ref()
                    .map_or(String::new(), |it| format!("{} from {}", it.failures, it.begin)),
            );
        });
    }
    page.end((storms.more > 0).then(|| format!("{} more", storms.more)));
}

fn drift(drift: &DriftReport, page: &mut Page) {
    let columns = ["what", "", "records", "first", "last"];
    page.table(&format!("Drift along {}", drift.along), &columns, 2);
    for row in &drift.rows {
        page.row(|page| {
            page.value(&format!("{} {} {}", thing(row.thing), row.name, change(row.change)));
            page.cell("s", sparkline(&row.counts));
            page.number(count(row.records));
            page.number(row.first.clone().unwrap_or_else(|| row.first_record.to_string()));
            page.number(row.last.clone().unwrap_or_else(|| row.last_record.to_string()));
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

    /// Begins a table; its first columns hold words.
    fn table(&mut self, title: &str, columns: &[&str], words: usize) {
        self.raw("<h2>");
        self.text(title);
        self.raw("</h2>\n<table>\n<tr>");
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
        self.raw("</table>\n");
        if let Some(rest) = rest {
            self.raw("<p class=\"rest\">");
            self.text(rest);
            self.raw("</p>\n");
        }
    }

    fn cell(&mut self, class: &str, text: impl Display) {
        // Memory takes every byte.
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

    fn bar(&mut self, share: f64) {
        let width = share * 100.0;
        let _ = write!(self.0, "<td class=\"b\"><div style=\"width:{width:.1}%\"></div></td>");
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
