//! For people: by family, each cause of a failed rule once, with a picture of the bytes.

use super::shared::escape::visible;
use super::shared::line::{Ink, Line, piece, plain, text_of};
use super::shared::wording::counted;
use crate::report::cause::Cause;
use crate::report::model::{Judged, Outcome, Report};
use crate::rule::verdict::{Excerpt, Finding, Verdict};
use crate::severity::Severity;
use unicode_width::UnicodeWidthStr;

/// How many causes of a rule are shown unless all are.
const SHOWN: usize = 3;

/// How many gaps are shown unless all are.
const SHOWN_GAPS: usize = 4;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Each cause once, and no more than a few of each rule.
    Brief,
    /// Every finding, what passed, and what is undecided and why.
    All,
}

pub(crate) fn render(report: &Report) -> String {
    text_of(&lines(report, Detail::Brief))
}

/// The whole report.
pub fn lines(report: &Report, detail: Detail) -> Vec<Line> {
    // Recorded runs are judged by every rule.
    let mut lines = notes(report);
    if !report.is_recorded() {
        lines.push(profile(report));
    }
    for (family, judged) in report.families() {
        let shown: Vec<&Judged> = judged.into_iter().filter(|it| is_shown(it, detail)).collect();
        if shown.is_empty() {
            continue;
        }
        lines.push(vec![piece(Ink::Heading, family.as_str())]);
        for judged in shown {
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

/// What the program is judged as.
pub fn profile(report: &Report) -> Line {
    vec![
        piece(Ink::Faint, format!("{:<11}", "profile")),
        piece(Ink::Name, report.profile_name()),
        piece(Ink::Plain, format!(": {}", report.profile_line())),
    ]
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
        Outcome::Inconclusive => Ink::Warning,
        Outcome::DoesNotConform => Ink::Error,
    };
    let name = report.name();
    let mut lines = vec![vec![
        piece(Ink::Name, visible(&name)),
        piece(Ink::Plain, " "),
        piece(ink, report.headline()),
        piece(Ink::Plain, format!(": {}", report.tally())),
    ]];
    let [_, broken, undecided] = report.counts();
    lines.push(field("score", report.score_line()));
    lines.push(field("made", report.summary.text()));
    if !report.summary.containment.is_empty() {
        lines.push(field("contained", visible(&report.summary.containment)));
    }
    if detail == Detail::Brief {
        let gaps = report.gaps.iter().take(SHOWN_GAPS);
        lines.extend(gaps.map(|gap| field("unknown", visible(gap))));
    }
    if let Some(first) = report.broken().first() {
        lines.push(field("more", format!("manila explain {}", first.rule.id)));
    }
    let is_short = report.causes().any(|(_, cause)| cause.more().is_some())
        || report.judged.iter().any(|judged| judged.causes().len() > SHOWN);
    if detail == Detail::Brief && (is_short || undecided > 0 || !report.gaps.is_empty()) {
        let hidden = match (broken, undecided) {
            (_, 0) => "--verbose shows every finding",
            (0, _) if report.outcome() == Outcome::Conforms => "--verbose shows every finding",
            _ => "--verbose shows every finding, and what to declare to decide more rules",
        };
        lines.push(field("", hidden.to_owned()));
    }
    lines
}

fn is_shown(judged: &Judged, detail: Detail) -> bool {
    detail == Detail::All || !judged.findings().is_empty()
}

fn field(name: &str, value: String) -> Line {
    vec![piece(Ink::Faint, format!("{name:<11}")), piece(Ink::Plain, value)]
}

fn rule(judged: &Judged, detail: Detail, lines: &mut Vec<Line>) {
    let id = judged.rule.id;
    match &judged.verdict {
        Verdict::Passed { runs } if judged.waived.is_empty() => {
            lines.push(vec![
                piece(Ink::Good, "passed"),
                piece(Ink::Plain, format!(" {id}, in {}", counted(*runs, "run"))),
            ]);
        }
        Verdict::Passed { .. } => {}
        Verdict::Undecided { why, declare } => {
            lines.push(vec![
                piece(Ink::Note, "undecided"),
                piece(Ink::Plain, format!(" {id}: {why}")),
            ]);
            if let Some(declare) = declare {
                lines.push(aside("declare", declare));
            }
        }
        Verdict::Failed(_) => {
            let causes = judged.causes();
            let shown = if detail == Detail::All { causes.len() } else { SHOWN };
            for cause in causes.iter().take(shown) {
                picture(judged, cause.first, lines);
                lines.extend(elsewhere(cause, detail));
            }
            if let Some(hidden @ 1..) = causes.len().checked_sub(shown) {
                lines.push(remark(format!("and {}", counted(hidden, "more finding"))));
            }
            lines.push(aside("fix", judged.rule.fix));
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

/// Where else a cause shows.
fn elsewhere(cause: &Cause<'_>, detail: Detail) -> Option<Line> {
    let places = cause.places();
    match detail {
        Detail::All if places.len() > 1 => {
            let places: Vec<String> = places.iter().map(|place| visible(place)).collect();
            Some(aside(&format!("in {} commands", places.len()), &places.join(", ")))
        }
        _ => cause.more().map(remark),
    }
}

fn remark(text: String) -> Line {
    vec![piece(Ink::Faint, format!("   = {text}"))]
}

/// What is wrong, where, and what it looks like.
fn picture(judged: &Judged, finding: &Finding, lines: &mut Vec<Line>) {
    let ink = ink_of(judged.severity);
    lines.push(vec![
        piece(ink, format!("{}[{}]", judged.severity.as_str(), judged.rule.id)),
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
pub fn list(rules: &[&'static crate::rule::definition::Rule]) -> Vec<Line> {
    let widest = rules.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    let line = |rule: &&'static crate::rule::definition::Rule| {
        vec![
            piece(Ink::Name, format!("{:<widest$}", rule.id)),
            piece(ink_of(rule.severity), format!("  {:<7}  ", rule.severity.as_str())),
            piece(Ink::Plain, rule.flaw),
        ]
    };
    let mut lines = Vec::new();
    for family in crate::rule::definition::Family::ALL {
        let of: Vec<Line> = rules.iter().filter(|it| it.family == *family).map(line).collect();
        if !of.is_empty() {
            lines.push(vec![piece(Ink::Heading, family.as_str())]);
            lines.extend(of);
        }
    }
    lines.push(plain(format!(
        "{} in all; manila explain ID prints the page of one",
        counted(rules.len(), "rule")
    )));
    lines
}
