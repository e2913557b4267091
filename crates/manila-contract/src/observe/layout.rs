//! How the lines of plain text are laid out: what a script relies on that cuts them into columns. No word of the text
//! is part of it.

use crate::shape::Format;

/// Lines that have no layout in common.
const MIXED: &str = "mixed";
/// A longer layout is one of sentences.
const LONGEST: usize = 64;
/// How many lines are looked at.
const MOST_LINES: usize = 1000;

/// The layout that all lines have: `integer_text` of `7 alpha`. Lines below another have that of the first before them:
/// `text;integer_text`.
pub(super) fn layout(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(MOST_LINES);
    let first = of(lines.next()?);
    let Some(second) = lines.next().map(of) else { return Some(first) };
    if !lines.all(|line| of(line) == second) {
        return Some(MIXED.to_owned());
    }
    Some(if first == second { first } else { format!("{first};{second}") })
}

fn of(line: &str) -> String {
    let mut layout = String::new();
    let mut rest = line.trim();
    let is_part = |letter: char| letter.is_alphanumeric() || "_-./:@+~%$".contains(letter);
    while let Some(letter) = rest.chars().next() {
        let length = if letter.is_whitespace() {
            let length = rest.find(|it: char| !it.is_whitespace()).unwrap_or(rest.len());
            layout.push_str(if rest[..length].contains('\t') { "_tab_" } else { "_" });
            length
        } else if is_part(letter) {
            let length = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
            let word = class(&rest[..length]);
            // How many words a text has is part of the text.
            if word == "text" && layout.ends_with("text_") {
                layout.pop();
            } else {
                layout.push_str(word);
            }
            length
        } else {
            layout.push(letter);
            letter.len_utf8()
        };
        rest = &rest[length..];
        if layout.len() > LONGEST {
            return MIXED.to_owned();
        }
    }
    layout
}

/// What a word is.
fn class(word: &str) -> &'static str {
    // `3:` and `name:` end in what parts them from the rest.
    let word = word.trim_end_matches([':', '.']);
    let is_digit = |it: char| it.is_ascii_digit();
    let has_digit = word.contains(is_digit);
    if has_digit && word.chars().all(is_digit) {
        "integer"
    } else if has_digit && word.chars().all(|it| is_digit(it) || "-+.%".contains(it)) {
        Format::detect(word).first().map_or("number", |format| format.as_str())
    } else {
        match Format::detect(word).first() {
            Some(format @ (Format::Date | Format::DateTime | Format::Url | Format::Uuid)) => {
                format.as_str()
            }
            _ => "text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::layout;

    #[test]
    fn columns_are_told_and_words_are_not() {
        for (text, expected) in [
            ("", None),
            ("\n \n", None),
            ("1 alpha\n22   beta gamma\n", Some("integer_text")),
            ("alpha (1)\nbeta (22)\n", Some("text_(integer)")),
            ("ID NAME\n1 alpha\n2 beta\n", Some("text;integer_text")),
            ("1\talpha\t2026-01-02\n", Some("integer_tab_text_tab_date")),
            ("name: alpha\nsize: 3\n", Some("text;text_integer")),
            ("a\n1 b\n2\n", Some("mixed")),
            ("took 1.5 s, 99.5% done\n", Some("text_number_text,_number_text")),
        ] {
            assert_eq!(layout(text.as_bytes()).as_deref(), expected, "{text}");
        }
        let long = layout("(".repeat(99).as_bytes());
        assert_eq!(long.as_deref(), Some("mixed"));
    }
}
