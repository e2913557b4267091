//! Pages in Markdown on a narrow screen: prose goes on in the next line; code, tables and headings stay as they are.

use manila_clap::{Cell, Screen};

/// Shows a text. Where all of it fits, or nothing says how wide the screen is, it is shown as it is.
pub(crate) fn show(screen: &mut Screen, text: &str) {
    let Some(width) = screen.width() else { return screen.line(text) };
    let mut is_code = false;
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || !is_prose(line) {
            screen.line(line);
            continue;
        }
        let mut paragraph = vec![line];
        while let Some(next) = lines.next_if(|next| is_prose(next) && mark(next) == 0) {
            paragraph.push(next);
        }
        if paragraph.iter().all(|line| line.chars().count() <= width) {
            paragraph.iter().for_each(|line| screen.line(line));
            continue;
        }
        let (begin, first) = line.split_at(mark(line));
        let words =
            paragraph[1..].iter().fold(first.to_owned(), |words, line| words + " " + line.trim());
        screen.hanging([Cell::from(begin), Cell::from(words)]);
    }
}

fn is_prose(line: &str) -> bool {
    let is_other = ["#", "|", ">", "```", "    "].iter().any(|begin| line.starts_with(begin));
    !is_other && !line.trim().is_empty()
}

/// How long the mark of a list is that a line begins with.
fn mark(line: &str) -> usize {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match &rest[digits..] {
        rest if digits == 0 && (rest.starts_with("- ") || rest.starts_with("* ")) => indent + 2,
        rest if digits > 0 && rest.starts_with(". ") => indent + digits + 2,
        _ => 0,
    }
}
