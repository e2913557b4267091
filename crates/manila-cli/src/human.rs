//! Text for people: aligned fields, a little colour, and no byte that a terminal would obey.

use crate::code::Refusal;
use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Write as _;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Text under construction.
#[derive(Default)]
pub(crate) struct Page(String);

impl Page {
    /// A line that says what this is.
    pub(crate) fn title(&mut self, text: &str) -> &mut Self {
        let _ = writeln!(self.0, "{BOLD}{}{BOLD:#}", safe_line(text));
        self
    }

    /// The outcome, in the colour of its kind.
    pub(crate) fn verdict(&mut self, good: bool, text: &str) -> &mut Self {
        let style = if good { GREEN } else { RED };
        let _ = writeln!(self.0, "{style}{}{style:#}", safe_line(text));
        self
    }

    /// A name and its value, the value's further lines below its first.
    pub(crate) fn field(&mut self, name: &str, value: &str) -> &mut Self {
        let (name, value) = (safe_line(name), safe(value));
        let mut lines = value.lines();
        let _ = writeln!(self.0, "{DIM}{name:<12}{DIM:#}  {}", lines.next().unwrap_or_default());
        for line in lines {
            let _ = writeln!(self.0, "{:14}{line}", "");
        }
        self
    }

    /// As [`Page::field`], if there is a value.
    pub(crate) fn field_if(&mut self, name: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.field(name, value),
            None => self,
        }
    }

    /// Words as they are.
    pub(crate) fn line(&mut self, text: &str) -> &mut Self {
        let _ = writeln!(self.0, "{}", safe(text));
        self
    }

    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// The words of a failure, for standard error.
pub(crate) fn refusal(refusal: &Refusal) -> String {
    let mut text =
        format!("{RED}error{RED:#}[{}]: {}\n", refusal.code.name(), safe_line(&refusal.message));
    if let Some(suggestion) = &refusal.suggestion {
        let _ = writeln!(text, "  {DIM}hint{DIM:#}: {}", safe_line(suggestion));
    }
    text
}

/// The words of a warning, for standard error.
pub(crate) fn warning(text: &str) -> String {
    format!("{YELLOW}warning{YELLOW:#}: {}", safe_line(text))
}

/// Text with every character made visible that would steer a terminal, but for newline and tab:
/// what a program printed may not command whoever shows it.
fn safe(text: &str) -> String {
    visible(text, |character| !matches!(character, '\n' | '\t') && steers(character))
}

/// The same, on one line.
fn safe_line(text: &str) -> String {
    visible(text, steers)
}

fn visible(text: &str, steers: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if steers(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

/// Control characters, and the marks that turn the direction of what follows.
fn steers(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_that_a_program_printed() {
        assert_eq!(safe("a\u{1b}[2Jb\r\n\tc\u{9b}"), "a\\u{1b}[2Jb\\u{d}\n\tc\\u{9b}");
        assert_eq!(safe_line("a\nb\u{202e}"), "a\\u{a}b\\u{202e}");
    }

    #[test]
    fn values_of_several_lines_stay_in_their_column() {
        let page = Page::default().field("data", "a\nb").finish();
        let plain = anstream::adapter::strip_str(&page).to_string();
        assert_eq!(plain, "data          a\n              b\n");
    }
}
