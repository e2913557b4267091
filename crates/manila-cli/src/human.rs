//! What the pages for people have in common: titles, verdicts, and fields that may be absent.

use clap::builder::styling::{AnsiColor, Style};
use manila_clap::{Cell, Screen};
use std::fmt::Display;

const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();

/// A line that says what this is.
pub(crate) fn title(screen: &mut Screen, text: &str) {
    screen.hanging([Cell::from(text).styled(BOLD)]);
}

/// The outcome, in the colour of its kind.
pub(crate) fn verdict(screen: &mut Screen, good: bool, text: &str) {
    screen.styled(if good { GREEN } else { RED }, on_one_line(text));
}

/// A name and its value, if there is one.
pub(crate) fn field_if(screen: &mut Screen, name: &str, value: Option<impl Display>) {
    if let Some(value) = value {
        screen.field(name, value);
    }
}

/// What a program wrote may not look like lines of ours.
pub(crate) fn on_one_line(text: &str) -> String {
    text.replace('\n', "\\u{a}").replace('\t', "\\u{9}")
}
