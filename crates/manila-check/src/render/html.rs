//! One page in light and dark, and on paper. What is shown is chosen by boxes that the style sheet reads.

use super::shared::escape::visible;
use super::shared::page;
use super::shared::wording::counted;
use crate::report::cause::Cause;
use crate::report::model::{Judged, Outcome, Report};
use crate::rule::verdict::{Excerpt, Finding, Verdict};
use maud::{Markup, html};

const STYLE: &str = include_str!("html.css");

pub(super) fn render(report: &Report) -> String {
    let title = format!("{} {}", report.name(), report.headline());
    let broken = report.broken();
    let body = html! {
        (head(report))
        (filter())
        @if !broken.is_empty() {
            h2 { "Broken" }
            @for judged in broken { (rule(judged)) }
        }
        (undecided(report))
        (passed(report))
        (remarks("Waivers to look at", &report.stale_waivers))
        (remarks("Not found out", &report.gaps))
    };
    page::layout(&title, STYLE, &body)
}

/// Where a browser does not know `:has`, everything is shown.
fn filter() -> Markup {
    let boxes = [
        ("see-error", "errors"),
        ("see-warning", "warnings"),
        ("see-note", "notes"),
        ("see-undecided", "undecided rules"),
        ("see-holds", "passed rules"),
    ];
    html! {
        fieldset.filter {
            legend { "Show" }
            @for (id, what) in boxes {
                label { input type="checkbox" id=(id) checked; " " (what) }
            }
        }
    }
}

fn head(report: &Report) -> Markup {
    let score = report.score();
    let [passed, broken, undecided] = report.counts();
    let class = match report.outcome() {
        Outcome::Conforms => "good",
        Outcome::Inconclusive => "little",
        Outcome::DoesNotConform => "bad",
    };
    let tiles = [
        (report.grade().map_or_else(|| "–".to_owned(), |held| held.to_string()), "of 100"),
        (format!("{} %", score.covered), "covered"),
        (broken.to_string(), "failed"),
        (undecided.to_string(), "undecided"),
        (passed.to_string(), "passed"),
        (report.waived().to_string(), "waived"),
    ];
    let summary = &report.summary;
    html! {
        header {
            p.faint { "profile " b { (report.profile_name()) } ": " (report.profile_line()) }
            @for note in &report.notes { p.first { (visible(note)) } }
            h1 { (visible(&report.name())) " " span class=(class) { (report.headline()) } }
            p.faint { code { (visible(&report.subject_line())) } }
            ul.tiles {
                @for (number, what) in tiles { li { b { (number) } (what) } }
            }
            p.faint {
                (visible(&summary.text()))
                @if !summary.containment.is_empty() {
                    "; contained: " (visible(&summary.containment))
                }
            }
        }
    }
}

/// The undecided rules, folded, by the reason: one declaration often decides many of them.
fn undecided(report: &Report) -> Markup {
    let mut reasons: Vec<(&str, Option<&str>, Vec<&Judged>)> = Vec::new();
    for judged in &report.judged {
        let Verdict::Undecided { why, declare } = &judged.verdict else { continue };
        match reasons.iter_mut().find(|(known, asked, _)| known == why && *asked == *declare) {
            Some((.., all)) => all.push(judged),
            None => reasons.push((why, *declare, vec![judged])),
        }
    }
    let count = reasons.iter().map(|(.., all)| all.len()).sum();
    html! {
        @if !reasons.is_empty() {
            section.undecided {
                h2 { "Undecided" }
                details {
                    summary { (counted(count, "rule")) }
                    @for (why, declare, all) in reasons {
                        div.lines {
                            p.reason {
                                (visible(why)) "."
                                @if let Some(declare) = declare { " Declare " code { (declare) } "." }
                            }
                            @for judged in all { (line(judged)) }
                        }
                    }
                }
            }
        }
    }
}

fn passed(report: &Report) -> Markup {
    let passed = |judged: &&Judged| matches!(judged.verdict, Verdict::Passed { .. });
    let rules: Vec<&Judged> = report.judged.iter().filter(passed).collect();
    html! {
        @if !rules.is_empty() {
            section.holds {
                h2 { "Passed" }
                div.lines { @for judged in rules { (line(judged)) } }
            }
        }
    }
}

fn remarks(title: &str, remarks: &[String]) -> Markup {
    html! {
        @if !remarks.is_empty() {
            h2 { (title) }
            ul { @for remark in remarks { li { (visible(remark)) } } }
        }
    }
}

/// A rule without findings, on a line that unfolds.
fn line(judged: &Judged) -> Markup {
    let rule = judged.rule;
    html! {
        details id=(rule.id) {
            summary {
                b { (rule.id) }
                @if let Verdict::Passed { runs } = &judged.verdict {
                    " " span.faint { (counted(*runs, "run")) }
                }
            }
            p { (rule.flaw) }
            (waived(judged))
            (page::rule_page(rule.page))
        }
    }
}

/// A rule that is broken.
fn rule(judged: &Judged) -> Markup {
    let rule = judged.rule;
    let severity = judged.severity.as_str();
    html! {
        article class={ "rule " (severity) } id=(rule.id) {
            span.badge { (severity) }
            h3 { (rule.id) }
            " " span.faint { (rule.family.as_str()) }
            p { (rule.flaw) }
            p { b { "Fix:" } " " (rule.fix) }
            @for found in judged.causes() { (cause(&found)) }
            (waived(judged))
            details.page {
                summary { "What it means and why it matters" }
                (page::rule_page(rule.page))
            }
        }
    }
}

/// The first finding of a cause, and the others to unfold.
fn cause(cause: &Cause<'_>) -> Markup {
    html! {
        (finding(cause.first))
        @if let Some(more) = cause.more() {
            details {
                summary { (more) }
                @for one in cause.findings.iter().skip(1) { (finding(one)) }
            }
        }
    }
}

fn finding(finding: &Finding) -> Markup {
    html! {
        div.finding {
            p { code { (visible(&finding.place())) } ": " (visible(&finding.message)) }
            pre { code { (visible(&finding.reproduce)) } }
            @if let Some(excerpt) = &finding.excerpt { (bytes(excerpt)) }
        }
    }
}

fn bytes(excerpt: &Excerpt) -> Markup {
    let Excerpt { stream, start, end, before, bytes, after } = excerpt;
    html! {
        p.faint { (stream) ", bytes " (start) ".." (end) }
        pre { code { (visible(before)) mark { (visible(bytes)) } (visible(after)) } }
    }
}

fn waived(judged: &Judged) -> Markup {
    html! {
        @for (finding, reason) in &judged.waived {
            p.faint { "Waived in " code { (visible(&finding.place())) } ": " (visible(reason)) }
        }
    }
}
