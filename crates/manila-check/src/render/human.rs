//! For people: by family, each broken rule once with its first finding and a picture of the bytes.

use super::shared::escape::visible;
use super::shared::line::{Ink, Line, piece, plain, text_of};
use crate::report::{Judged, Outcome, Report, counted};
use crate::rule::Severity;
use crate::verdict::{Excerpt, Finding, Verdict};
use unicode_width::UnicodeWidthStr;

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Each broken rule once.
    Brief,
    /// Every finding, what holds, and what could not be told and why.
    All,
}

pub(crate) fn render(report: &Report) -> String {
    text_of(&lines(report, Detail::Brief))
}

/// The whole report.
pub fn lines(report: &Report, detail: Detail) -> Vec<Line> {
    let mut lines = notes(report);
    for (family, judged) in report.families() {
        let told: Vec<&Judged> = judged.into_iter().filter(|it| is_told(it, detail)).collect();
        if told.is_empty() {
            continue;
        }
        lines.push(vec![piece(Ink::Heading, family.word())]);
        for judged in told {
            rule(judged, detail, &mut lines);
        }
        if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(Line::new());
        }
    }
    for waiver in &report.stale_waivers {
        lines.push(vec![
            piece(Ink::Warning, "warning"),
            piece(Ink::Plain, format!(": {}", visible(waiver))),
        ]);
    }
    if detail == Detail::All {
        for gap in &report.gaps {
            lines.push(vec![
                piece(Ink::Note, "unknown"),
                piece(Ink::Plain, format!(": {}", visible(gap))),
            ]);
        }
    }
    lines.extend(summary(report, detail));
    lines
}

/// What must be known before anything else.
pub fn notes(report: &Report) -> Vec<Line> {
    let note = |text: &String| {
        vec![piece(Ink::Note, "note"), piece(Ink::Plain, format!(": {}", visible(text)))]
    };
    report.notes.iter().map(note).collect()
}

/// The verdict, the score and what it rests on.
pub fn summary(report: &Report, detail: Detail) -> Vec<Line> {
    let ink = match report.outcome() {
        Outcome::Conforms => Ink::Good,
        Outcome::LittleTold => Ink::Warning,
        Outcome::DoesNotConform => Ink::Error,
    };
    let score = report.score();
    let name = report.name();
    let mut lines = vec![vec![
        piece(Ink::Name, visible(&name)),
        piece(Ink::Plain, " "),
        piece(ink, report.headline()),
        piece(Ink::Plain, format!(": {}", report.tally())),
    ]];
    let [_, broken, undecided] = report.counts();
    lines.push(field("score", format!("{} of 100, with {} % covered", score.held, score.covered)));
    lines.push(field("made", report.sweep.told()));
    if !report.sweep.containment.is_empty() {
        lines.push(field("contained", visible(&report.sweep.containment)));
    }
    if let Some(first) = report.broken().first() {
        lines.push(field("more", format!("manila explain {}", first.rule.id)));
    }
    let is_short = report.broken().iter().any(|judged| judged.more().is_some());
    if detail == Detail::Brief && (is_short || undecided > 0 || !report.gaps.is_empty()) {
        let hidden = match (broken, undecided) {
            (_, 0) => "--verbose tells all",
            (0, _) if report.outcome() == Outcome::Conforms => "--verbose tells all",
            _ => "--verbose tells all, and what to declare so that more can be told",
        };
        lines.push(field("", hidden.to_owned()));
    }
    lines
}

fn is_told(judged: &Judged, detail: Detail) -> bool {
    detail == Detail::All || !judged.findings().is_empty()
}

fn field(name: &str, value: String) -> Line {
    vec![piece(Ink::Faint, format!("{name:<11}")), piece(Ink::Plain, value)]
}

fn rule(judged: &Judged, detail: Detail, lines: &mut Vec<Line>) {
    let id = judged.rule.id;
    match &judged.verdict {
        Verdict::Holds { runs } if judged.waived.is_empty() => {
            lines.push(vec![
                piece(Ink::Good, "holds"),
                piece(Ink::Plain, format!(" {id}, in {}", counted(*runs, "run"))),
            ]);
        }
        Verdict::Holds { .. } => {}
        Verdict::Undecided { why, declare } => {
            lines.push(vec![
                piece(Ink::Note, "not told"),
                piece(Ink::Plain, format!(" {id}: {why}")),
            ]);
            if let Some(declare) = declare {
                lines.push(aside("declare", declare));
            }
        }
        Verdict::Violated(findings) => {
            let shown = if detail == Detail::All { findings.len() } else { 1 };
            for finding in findings.iter().take(shown) {
                picture(judged, finding, lines);
            }
            lines.push(aside("fix", judged.rule.fix));
            if let Some(more) = judged.more().filter(|_| detail == Detail::Brief) {
                lines.push(vec![piece(Ink::Faint, format!("   = {more}"))]);
            }
            lines.push(Line::new());
        }
    }
    if detail == Detail::All {
        for (finding, reason) in &judged.waived {
            lines.push(vec![
                piece(Ink::Note, "waived"),
                piece(Ink::Plain, format!(" {id}: {}", visible(&finding.message))),
            ]);
            lines.push(aside("of", &finding.place()));
            lines.push(aside("because", reason));
        }
    }
}

/// What is wrong, where, and what it looks like.
fn picture(judged: &Judged, finding: &Finding, lines: &mut Vec<Line>) {
    let ink = ink_of(judged.severity);
    lines.push(vec![
        piece(ink, format!("{}[{}]", judged.severity.word(), judged.rule.id)),
        piece(Ink::Plain, format!(": {}", visible(&finding.message))),
    ]);
    lines.push(vec![piece(Ink::Faint, "  --> "), piece(Ink::Name, visible(&finding.reproduce))]);
    if let Some(excerpt) = &finding.excerpt {
        let (text, marks) = drawn(excerpt);
        let bytes = format!("{}, bytes {}..{}", excerpt.stream, excerpt.start, excerpt.end);
        lines.push(vec![piece(Ink::Faint, format!("   | {bytes}"))]);
        lines.push(vec![piece(Ink::Faint, "   | "), piece(Ink::Plain, text)]);
        lines.push(vec![piece(Ink::Faint, "   | "), piece(ink, marks)]);
    }
}

/// The bytes with what is around them, and a line of carets below them.
pub(crate) fn drawn(excerpt: &Excerpt) -> (String, String) {
    let text = format!("{}{}{}", excerpt.before, excerpt.bytes, excerpt.after);
    let blanks = " ".repeat(excerpt.before.width());
    // Where something is missing there is nothing to underline, and still a place.
    let carets = "^".repeat(excerpt.bytes.width().max(1));
    (text, blanks + &carets)
}

fn aside(name: &str, text: &str) -> Line {
    vec![
        piece(Ink::Faint, "   = "),
        piece(Ink::Note, name),
        piece(Ink::Plain, format!(": {}", visible(text))),
    ]
}

fn ink_of(severity: Severity) -> Ink {
    match severity {
        Severity::Error => Ink::Error,
        Severity::Warning => Ink::Warning,
        Severity::Note => Ink::Note,
    }
}

/// The rules, a line each.
pub fn list(rules: &[&'static crate::rule::Rule]) -> Vec<Line> {
    let widest = rules.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    let line = |rule: &&'static crate::rule::Rule| {
        vec![
            piece(Ink::Name, format!("{:<widest$}", rule.id)),
            piece(ink_of(rule.severity), format!("  {:<7}", rule.severity.word())),
            piece(Ink::Plain, format!("  {}", rule.flaw)),
        ]
    };
    let mut lines = Vec::new();
    for family in crate::rule::Family::ALL {
        let of: Vec<Line> = rules.iter().filter(|it| it.family == *family).map(line).collect();
        if !of.is_empty() {
            lines.push(vec![piece(Ink::Heading, family.word())]);
            lines.extend(of);
        }
    }
    lines.push(plain(format!(
        "{} in all; manila explain ID prints the page of one",
        counted(rules.len(), "rule")
    )));
    lines
}
