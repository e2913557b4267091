//! The report for people: the gravest changes first, each with its place, its old and its new value.

use crate::diff::Impact;
use crate::report::{Classified, Comparison, Outcome, Purpose};
use manila_check::internal::{counted, piece, visible};
use manila_check::render::text_of;
use manila_check::render::{Ink, Line};

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Breaking changes and those that need a human.
    Brief,
    /// Compatible changes too, and what to do about each.
    All,
}

pub(super) fn render(comparison: &Comparison) -> String {
    text_of(&lines(comparison, Detail::Brief))
}

/// The whole comparison.
pub fn lines(comparison: &Comparison, detail: Detail) -> Vec<Line> {
    let mut lines: Vec<Line> = comparison.notes.iter().map(|note| remark("note", note)).collect();
    let is_shown = |it: &&Classified| {
        detail == Detail::All
            || comparison.purpose == Purpose::Verify
            || it.impact > Impact::Compatible
    };
    let mut hidden = 0;
    for impact in [Impact::Breaking, Impact::Human, Impact::Compatible] {
        let all: Vec<&Classified> = comparison.open().filter(|it| it.impact == impact).collect();
        let shown: Vec<&&Classified> = all.iter().filter(|it| is_shown(it)).collect();
        hidden += all.len() - shown.len();
        for one in shown {
            lines.extend(change(one, detail));
        }
    }
    for name in &comparison.snapshots {
        lines.push(vec![
            piece(Ink::Error, "snapshot"),
            piece(Ink::Plain, format!(" {} differs", visible(name))),
        ]);
    }
    for one in comparison.changes.iter().filter(|_| detail == Detail::All) {
        if let Some(reason) = &one.accepted {
            lines.push(vec![
                piece(Ink::Note, "accepted"),
                piece(Ink::Plain, format!(" {}: {}", one.change.rule.id, visible(&one.line()))),
            ]);
            lines.push(aside("because", reason));
        }
    }
    lines.extend(comparison.stale_accepts.iter().map(|it| remark("warning", it)));
    if !lines.is_empty() {
        lines.push(Line::new());
    }
    lines.extend(summary(comparison));
    if hidden > 0 {
        let text = format!("--verbose shows {}", counted(hidden, "compatible change"));
        lines.push(field("", &text));
    }
    lines
}

/// The outcome and what it rests on.
pub fn summary(comparison: &Comparison) -> Vec<Line> {
    let ink = match comparison.outcome() {
        Outcome::Clean => Ink::Good,
        Outcome::Changed => Ink::Error,
        Outcome::Incomplete => Ink::Warning,
    };
    let mut lines = vec![vec![
        piece(Ink::Name, visible(&comparison.subject())),
        piece(Ink::Plain, ": "),
        piece(ink, comparison.headline()),
        piece(Ink::Plain, format!(" ({})", comparison.tally())),
    ]];
    let calls = counted(comparison.compared_calls, "call");
    match comparison.purpose {
        Purpose::Diff => {
            lines.push(field(
                "compared",
                &format!("{calls}, for a {} reader", comparison.reader.as_str()),
            ));
            lines.push(field("version", &comparison.advice()));
        }
        Purpose::Verify => {
            lines.push(field("compared", &calls));
            if comparison.outcome() == Outcome::Changed {
                lines.push(field("accept", "--bless rewrites the lock"));
            }
        }
    }
    lines
}

fn field(name: &str, value: &str) -> Line {
    vec![piece(Ink::Faint, format!("{name:<11}")), piece(Ink::Plain, visible(value))]
}

fn remark(word: &str, text: &str) -> Line {
    vec![piece(Ink::Note, word), piece(Ink::Plain, format!(": {}", visible(text)))]
}

fn aside(name: &str, text: &str) -> Line {
    vec![
        piece(Ink::Faint, "   = "),
        piece(Ink::Note, name),
        piece(Ink::Plain, format!(": {}", visible(text))),
    ]
}

fn change(one: &Classified, detail: Detail) -> Vec<Line> {
    let (ink, word) = match one.impact {
        Impact::Breaking => (Ink::Error, "breaking"),
        Impact::Human => (Ink::Warning, "check"),
        Impact::Compatible => (Ink::Note, "compatible"),
    };
    let rule = one.change.rule;
    let mut lines = vec![vec![
        piece(ink, format!("{word}[{}]", rule.id)),
        piece(Ink::Plain, format!(": {}", visible(&one.line()))),
    ]];
    let places = one.change.places();
    let places = if places.is_empty() { String::new() } else { format!("{} ", visible(&places)) };
    lines.push(vec![
        piece(Ink::Faint, "  --> "),
        piece(Ink::Name, places),
        piece(Ink::Faint, format!("({})", one.change.fingerprint())),
    ]);
    if let Some(witness) = one.witnessed() {
        lines.push(aside("witness", &witness));
    }
    if one.impact == Impact::Breaking || detail == Detail::All {
        lines.push(aside("fix", rule.fix));
    }
    lines
}
