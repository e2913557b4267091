//! Annotations of a GitHub job: a workflow command for each rule that counts, and a line at the end.

use crate::diff::Impact;
use crate::report::{Classified, Comparison};
use manila_check::internal::{put, visible};
use std::collections::BTreeMap;

pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    for note in comparison.notes.iter().chain(&comparison.stale_accepts) {
        put(
            &mut text,
            format_args!("::notice title={}::{}\n", comparison.title(), data(&visible(note))),
        );
    }
    // GitHub shows ten of a kind for a step, so a rule gets one.
    let mut rules: BTreeMap<(std::cmp::Reverse<Impact>, &str), Vec<&Classified>> = BTreeMap::new();
    for one in comparison
        .open()
        .filter(|it| it.impact > Impact::Compatible || comparison.counts_against(it))
    {
        rules.entry((std::cmp::Reverse(one.impact), one.change.rule.id)).or_default().push(one);
    }
    for changes in rules.into_values() {
        text.push_str(&annotation(comparison, &changes));
    }
    for name in &comparison.snapshots {
        put(
            &mut text,
            format_args!("::error title=snapshot::{} is not as it was\n", data(&visible(name))),
        );
    }
    // A line that begins with a colon would be a command; this one begins with a word of ours.
    let line = format!("{}: {}", comparison.title(), comparison.subject());
    put(
        &mut text,
        format_args!("{}: {} ({})\n", visible(&line), comparison.headline(), comparison.tally()),
    );
    text
}

fn annotation(comparison: &Comparison, changes: &[&Classified]) -> String {
    let Some(first) = changes.first() else { return String::new() };
    let command = match first.impact {
        _ if comparison.counts_against(first) => "error",
        Impact::Breaking => "error",
        Impact::Human => "warning",
        Impact::Compatible => "notice",
    };
    let mut lines: Vec<String> = changes
        .iter()
        .map(|one| {
            visible(&format!(
                "{}: {} ({})",
                one.change.places(),
                one.line(),
                one.change.fingerprint()
            ))
        })
        .collect();
    lines.extend(first.witnessed().map(|it| visible(&it)));
    lines.push(format!("fix: {}", first.change.rule.fix));
    let title = property(first.change.rule.id);
    format!("::{command} title={title}::{}\n", data(&lines.join("\n")))
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of one.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
