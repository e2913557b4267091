//! Markdown, for a job summary or a comment: the outcome, and a table of what changed.

use crate::diff::Impact;
use crate::report::{Classified, Comparison};
use manila_check::internal::{code, markdown, put};

pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    for note in &comparison.notes {
        put(&mut text, format_args!("> [!NOTE]\n> {}\n\n", markdown(note)));
    }
    put(
        &mut text,
        format_args!("## {}: {}\n\n", code(&comparison.subject()), comparison.headline()),
    );
    put(
        &mut text,
        format_args!(
            "{}, for a {} reader: {}.\n",
            comparison.tally(),
            comparison.reader.as_str(),
            comparison.advice()
        ),
    );
    let open: Vec<&Classified> = comparison.open().collect();
    table(
        &mut text,
        &open.iter().copied().filter(|it| it.impact > Impact::Compatible).collect::<Vec<_>>(),
    );
    let compatible: Vec<&Classified> =
        open.iter().copied().filter(|it| it.impact == Impact::Compatible).collect();
    if !compatible.is_empty() {
        put(
            &mut text,
            format_args!("\n<details><summary>Compatible ({})</summary>\n", compatible.len()),
        );
        table(&mut text, &compatible);
        text.push_str("\n</details>\n");
    }
    let lists = [
        ("Accepted", comparison.changes.iter().filter_map(accepted).collect::<Vec<_>>()),
        (
            "Accepted changes to look at",
            comparison.stale_accepts.iter().map(|it| markdown(it)).collect(),
        ),
        ("Changed snapshots", comparison.snapshots.iter().map(|it| code(it)).collect()),
    ];
    for (title, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
        let items: String = items.iter().map(|it| format!("- {it}\n")).collect();
        put(
            &mut text,
            format_args!("\n<details><summary>{title}</summary>\n\n{items}\n</details>\n"),
        );
    }
    text
}

fn table(text: &mut String, changes: &[&Classified]) {
    if changes.is_empty() {
        return;
    }
    text.push_str("\n| | rule | where | what | change |\n|---|---|---|---|---|\n");
    for one in changes {
        let mark = match one.impact {
            Impact::Breaking => "❌ breaking",
            Impact::Human => "⚠️ check",
            Impact::Compatible => "✅",
        };
        let change = &one.change;
        let places = change.places();
        let places = if places.is_empty() { String::new() } else { code(&places) };
        put(
            text,
            format_args!(
                "| {mark} | {} | {places} | {} | {} |\n",
                code(change.rule.id),
                markdown(&one.line()),
                code(&change.fingerprint()),
            ),
        );
    }
}

fn accepted(one: &Classified) -> Option<String> {
    let reason = one.accepted.as_ref()?;
    Some(format!("{} {}: {}", code(one.change.rule.id), markdown(&one.line()), markdown(reason)))
}
