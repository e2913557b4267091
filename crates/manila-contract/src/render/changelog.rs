//! An entry of a change log, as Keep a Changelog has it: what was added, changed, removed and broken.

use crate::diff::Impact;
use crate::report::{Classified, Comparison};
use manila_check::internal::{code, markdown, put};

pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = String::from("## Unreleased\n");
    let mut sections: [(&str, Vec<String>); 4] = [
        ("Breaking", Vec::new()),
        ("Removed", Vec::new()),
        ("Changed", Vec::new()),
        ("Added", Vec::new()),
    ];
    for one in &comparison.changes {
        if one.change.rule.family == crate::diff::Family::Comparison {
            continue;
        }
        let at = match (one.impact, &one.change.old, &one.change.new) {
            (Impact::Breaking, ..) => 0,
            (_, Some(_), None) => 1,
            (_, None, Some(_)) => 3,
            _ if one.change.rule.id.ends_with("-added") => 3,
            _ => 2,
        };
        sections[at].1.push(item(one));
    }
    for (title, items) in sections.iter().filter(|(_, items)| !items.is_empty()) {
        put(&mut text, format_args!("\n### {title}\n"));
        items.iter().for_each(|item| put(&mut text, format_args!("- {item}\n")));
    }
    if sections.iter().all(|(_, items)| items.is_empty()) {
        text.push_str("\nNothing that callers notice changed.\n");
    }
    text
}

fn item(one: &Classified) -> String {
    let change = &one.change;
    let places = change.places();
    let place = if places.is_empty() { String::new() } else { format!("{}: ", code(&places)) };
    let what = change.rule.what.trim_end_matches('.');
    let (subject, values) = (change.subject(), change.values());
    let about = match (subject.is_empty(), values.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!(" ({})", code(&subject)),
        (false, false) => format!(" ({}, {})", code(&subject), markdown(&values)),
    };
    format!("{place}{what}{about}.")
}
