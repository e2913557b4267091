//! An explanation in pieces, which people see on a screen and programs get as text.

use crate::{human, prose};
use manila_clap::Screen;

/// A page under construction.
#[derive(Debug, Default)]
pub(crate) struct Page(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Title(String),
    Line(String),
    Field(String, String),
}

impl Page {
    /// A page that begins with a line that says what it is.
    pub(crate) fn titled(title: impl Into<String>) -> Page {
        Page(vec![Piece::Title(title.into())])
    }

    /// Words as they are, as far as the screen is wide enough.
    pub(crate) fn line(&mut self, text: impl Into<String>) -> &mut Page {
        self.0.push(Piece::Line(text.into()));
        self
    }

    /// A name and its value.
    pub(crate) fn field(&mut self, name: &str, value: impl Into<String>) -> &mut Page {
        self.0.push(Piece::Field(name.to_owned(), value.into()));
        self
    }

    /// A name and its values, a line each, if there are any.
    pub(crate) fn list(&mut self, name: &str, values: &[String]) -> &mut Page {
        if values.is_empty() { self } else { self.field(name, values.join("\n")) }
    }

    pub(crate) fn show(&self, screen: &mut Screen) {
        for piece in &self.0 {
            match piece {
                Piece::Title(text) => human::title(screen, text),
                Piece::Line(text) => prose::show(screen, text),
                Piece::Field(name, value) => screen.field(name, value),
            }
        }
    }

    /// The text alone: a program does not need colour.
    pub(crate) fn text(&self) -> String {
        self.0.iter().fold(String::new(), |text, piece| match piece {
            Piece::Title(line) | Piece::Line(line) => format!("{text}{line}\n"),
            Piece::Field(name, value) => {
                let value = value.replace('\n', &format!("\n{:14}", ""));
                format!("{text}{name:<12}  {value}\n")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn values_of_several_lines_stay_in_their_column() {
        let mut page = Page::titled("what");
        page.line("words").field("data", "a\nb").list("none", &[]);
        assert_eq!(page.text(), "what\nwords\ndata          a\n              b\n");
    }
}
