//! Markdown, for a job summary or a comment: the verdict, a table, and each broken rule to unfold.

use super::human::drawn;
use super::shared::escape::{block, code, markdown};
use super::shared::put;
use crate::report::cause::Cause;
use crate::report::model::{Judged, Report};
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;

pub(super) fn render(report: &Report) -> String {
    let name = report.name();
    let note = |it: &String| format!("> [!NOTE]\n> {}\n\n", markdown(it));
    let mut text: String = report.notes.iter().map(note).collect();
    put(&mut text, format_args!("## {} {}\n\n", code(&name), report.headline()));
    put(
        &mut text,
        format_args!(
            "**{}**: {}. Judged as {}: {}. {}.\n",
            report.score_line(),
            report.tally(),
            report.profile_name(),
            report.profile_line(),
            markdown(&report.summary.text()),
        ),
    );
    let broken = report.broken();
    if !broken.is_empty() {
        text.push_str("\n| | rule | where | what |\n|---|---|---|---|\n");
        text.extend(report.causes().map(|(judged, cause)| row(judged, &cause)));
        text.extend(broken.iter().map(|judged| rule(judged)));
    }
    folded(&mut text, "Undecided", report.judged.iter().filter_map(undecided));
    folded(&mut text, "Waived", report.judged.iter().flat_map(waived));
    folded(&mut text, "Waivers to look at", report.stale_waivers.iter().map(|it| markdown(it)));
    folded(&mut text, "Not found out", report.gaps.iter().map(|it| markdown(it)));
    text
}

fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "❌ error",
        Severity::Warning => "⚠️ warning",
        Severity::Note => "ℹ️ note",
    }
}

fn row(judged: &Judged, cause: &Cause<'_>) -> String {
    let finding = cause.first;
    let more = cause.more().map_or_else(String::new, |more| format!(" {more}"));
    let (place, what) = (code(&finding.place()), markdown(&finding.message));
    format!("| {} | {} | {place}{more} | {what} |\n", mark(judged.severity), code(judged.rule.id))
}

fn rule(judged: &Judged) -> String {
    let findings: String = judged.causes().iter().map(finding).collect();
    let (id, flaw, fix) = (judged.rule.id, judged.rule.flaw, judged.rule.fix);
    format!(
        "\n<details><summary><b>{id}</b>: {}</summary>\n\n{}\n\n{findings}</details>\n",
        markdown(flaw),
        markdown(fix)
    )
}

fn finding(cause: &Cause<'_>) -> String {
    let finding = cause.first;
    let mut lines = vec![format!("$ {}", finding.reproduce)];
    if let Some(excerpt) = &finding.excerpt {
        let (bytes, marks) = drawn(excerpt);
        lines.push(format!("{}, bytes {}..{}", excerpt.stream, excerpt.start, excerpt.end));
        lines.extend([bytes, marks]);
    }
    let places: Vec<String> = cause.places().iter().map(|place| code(place)).collect();
    format!("{}: {}\n\n{}\n", places.join(", "), markdown(&finding.message), block(&lines))
}

fn undecided(judged: &Judged) -> Option<String> {
    let Verdict::Undecided { why, declare } = judged.verdict else { return None };
    let declare = declare.map_or_else(String::new, |it| format!("; declare {}", code(it)));
    Some(format!("{}: {}{declare}", code(judged.rule.id), markdown(why)))
}

fn waived(judged: &Judged) -> Vec<String> {
    let line = |(finding, reason): &(Finding, String)| {
        format!("{} in {}: {}", code(judged.rule.id), code(&finding.place()), markdown(reason))
    };
    judged.waived.iter().map(line).collect()
}

fn folded(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.map(|item| format!("- {item}\n")).collect();
    if !items.is_empty() {
        let (count, items) = (items.len(), items.concat());
        put(
            text,
            format_args!(
                "\n<details><summary>{title} ({count})</summary>\n\n{items}\n</details>\n"
            ),
        );
    }
}
