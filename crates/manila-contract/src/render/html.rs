//! One page for a comparison, with the page of each rule folded.

use crate::diff::Impact;
use crate::report::{Classified, Comparison, Outcome};
use manila_check::internal::{page, visible};
use maud::{Markup, html};

const STYLE: &str = include_str!("html.css");

pub(super) fn render(comparison: &Comparison) -> String {
    let title = format!("{}: {}", comparison.subject(), comparison.headline());
    let class = match comparison.outcome() {
        Outcome::Clean => "good",
        Outcome::Changed => "bad",
        Outcome::Incomplete => "little",
    };
    let of = |impact: Impact| -> Vec<&Classified> {
        comparison.open().filter(|it| it.impact == impact).collect()
    };
    let impacts = [
        ("Breaking", of(Impact::Breaking)),
        ("Needs a human", of(Impact::Human)),
        ("Compatible", of(Impact::Compatible)),
    ];
    let accepted = comparison.changes.iter().filter_map(|one| {
        let reason = one.accepted.as_ref()?;
        Some(format!("{} {}: {reason}", one.change.rule.id, one.line()))
    });
    let accepted: Vec<String> = accepted.collect();
    let body = html! {
        @for note in &comparison.notes { p.first { (visible(note)) } }
        h1 { (visible(&comparison.subject())) " " span class=(class) { (comparison.headline()) } }
        p {
            (comparison.tally()) ". For a " (comparison.reader.as_str()) " reader, "
            (comparison.advice()) "."
        }
        @for (title, changes) in &impacts {
            @if !changes.is_empty() {
                h2 { (title) }
                @for one in changes { (article(one)) }
            }
        }
        (list("Accepted", &accepted))
        (list("Accepted changes to look at", &comparison.stale_accepts))
        (list("Changed snapshots", &comparison.snapshots))
    };
    page::layout(&title, STYLE, &body)
}

fn list(title: &str, items: &[String]) -> Markup {
    html! {
        @if !items.is_empty() {
            h2 { (title) }
            ul { @for item in items { li { (visible(item)) } } }
        }
    }
}

fn article(one: &Classified) -> Markup {
    let change = &one.change;
    let class = match one.impact {
        Impact::Breaking => "error",
        Impact::Human => "warning",
        Impact::Compatible => "note",
    };
    html! {
        article class=(class) {
            h3 { (change.rule.id) }
            " " code { (visible(&change.places())) }
            " " span.faint { (change.fingerprint()) }
            pre { code { (visible(&one.line())) } }
            @if let Some(witness) = one.witnessed() { p.faint { (visible(&witness)) } }
            details {
                summary { "What it means" }
                (page::rule_page(&without_table(change.rule.page)))
            }
        }
    }
}

/// The page of a rule without its table, which the page of a comparison has no use for.
fn without_table(page: &str) -> String {
    page.lines().filter(|line| !line.starts_with('|')).map(|line| format!("{line}\n")).collect()
}
