//! The map of the specification, for people and as Markdown.

use super::score::{ModeScore, RequirementVerdicts, SpecReport};
use crate::render::shared::escape::{markdown as escaped, visible};
use crate::render::shared::line::{Ink, Line, piece, plain};
use crate::rule::verdict::VerdictKind;
use std::collections::BTreeMap;

/// For people.
pub fn lines(spec: &SpecReport<'_>) -> Vec<Line> {
    let note = |text: &String| {
        vec![piece(Ink::Note, "note"), piece(Ink::Plain, format!(": {}", visible(text)))]
    };
    let mut lines: Vec<Line> = spec.notes.iter().map(note).collect();
    let (with_rules, without_rules): (Vec<&ModeScore>, Vec<&ModeScore>) =
        spec.modes.iter().partition(|mode| !mode.rules.is_empty());
    for mode in with_rules {
        lines.push(vec![
            piece(ink(mode.score), mode.mark()),
            piece(Ink::Plain, format!("  {:>2} ", mode.number)),
            piece(Ink::Name, mode.title),
            piece(Ink::Faint, format!(" ({})", mode.weight.as_str())),
        ]);
        lines.extend(mode.rules.iter().map(rule));
    }
    lines.push(Line::new());
    let numbers: Vec<String> = without_rules.iter().map(|mode| mode.number.to_string()).collect();
    lines.push(plain(format!("no rule yet: modes {}", numbers.join(", "))));
    lines.push(plain(format!(
        "{} requirements are established by rules: {}",
        spec.requirements.len(),
        spec.requirements.iter().map(|it| it.id).collect::<Vec<_>>().join(", ")
    )));
    lines.push(vec![piece(Ink::Heading, summary(spec))]);
    lines
}

fn rule((id, verdict): (&&'static str, &VerdictKind)) -> Line {
    let ink = match verdict {
        VerdictKind::Passed => Ink::Good,
        VerdictKind::Failed => Ink::Error,
        VerdictKind::Undecided => Ink::Note,
    };
    vec![
        piece(Ink::Plain, "      "),
        piece(ink, verdict.as_str()),
        piece(Ink::Plain, format!(" {id}")),
    ]
}

fn ink(score: Option<u8>) -> Ink {
    match score {
        Some(0) => Ink::Error,
        Some(1) => Ink::Warning,
        Some(_) => Ink::Good,
        None => Ink::Faint,
    }
}

/// As Markdown.
pub fn markdown(spec: &SpecReport<'_>) -> String {
    let row = |mode: &ModeScore| {
        let (mark, weight) = (mode.mark(), mode.weight.as_str());
        format!(
            "| {mark} | {} | {} | {weight} | {} |\n",
            mode.number,
            mode.title,
            list(&mode.rules)
        )
    };
    let rows: String = spec.modes.iter().map(row).collect();
    let requirement = |it: &RequirementVerdicts<'_>| {
        format!("| {} | {} | {} |\n", it.id, it.essence.replace('|', "\\|"), list(&it.rules))
    };
    let requirements: String = spec.requirements.iter().map(requirement).collect();
    let note = |it: &String| format!("> [!NOTE]\n> {}\n\n", escaped(it));
    let notes: String = spec.notes.iter().map(note).collect();
    format!(
        "{notes}{}\n\n| score | mode | | matters | rules |\n|---|---|---|---|---|\n{rows}\n| requirement | | rules |\n|---|---|---|\n{requirements}",
        summary(spec)
    )
}

fn list(rules: &BTreeMap<&'static str, VerdictKind>) -> String {
    let words: Vec<String> =
        rules.iter().map(|(id, verdict)| format!("{id} ({})", verdict.as_str())).collect();
    words.join(", ")
}

fn summary(spec: &SpecReport<'_>) -> String {
    format!(
        "{} of {} in {} of the {} failure modes; {} of the others need a declaration",
        spec.total,
        spec.most,
        spec.scored,
        spec.modes.len(),
        spec.not_reachable
    )
}
