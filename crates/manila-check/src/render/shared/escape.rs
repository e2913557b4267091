//! Untrusted text, escaped for each format.

use super::put;
use manila::visible::one_line;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Words in which nothing steers a terminal, begins a line or turns the direction of the rest.
pub fn visible(text: &str) -> String {
    one_line(text.as_bytes())
}

/// The same as the text of an XML or HTML element, or between the quotes of an attribute.
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no way to write these at all.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

/// The same as plain text in Markdown: no markup, no link, no mention.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '(' | ')' => {
                out.push('\\');
                out.push(character);
            }
            // An empty comment keeps `@name`, `#1` and addresses from becoming links.
            '@' | '#' => put(&mut out, format_args!("{character}<!-- -->")),
            ':' => out.push_str(":<!-- -->"),
            _ => out.push(character),
        }
    }
    out
}

/// The same as code within a line of Markdown: between more backticks than it has in a row.
pub fn code(text: &str) -> String {
    // A table ends its cell at a bar, in code too, unless it is escaped.
    let text = visible(text).replace('|', "\\|");
    let fence = "`".repeat(longest_run(&text) + 1);
    let is_edged = text.starts_with('`') || text.ends_with('`') || text.is_empty();
    let pad = if is_edged { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A block of code in Markdown.
pub(crate) fn block(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| visible(line)).collect();
    let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", lines.join("\n"))
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

/// What is left unescaped in a path.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A path as a reference: relative, or of a file.
pub fn uri(path: &str) -> String {
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    format!("{scheme}{}", utf8_percent_encode(path, PATH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(markup("<a href='x'>\u{0}\u{1b}"), "&lt;a href=&#39;x&#39;&gt;\\u{0}\\e");
        assert_eq!(markdown("a|b_c @x <b>\n"), "a\\|b\\_c @<!-- -->x &lt;b&gt;\\\\n");
    }

    #[test]
    fn code_is_fenced_by_more_than_it_has() {
        assert_eq!(code("a``b|"), "```a``b\\|```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(block(&["```".to_owned()]), "````text\n```\n````\n");
    }

    #[test]
    fn a_path_becomes_a_reference() {
        assert_eq!(uri("./a b/日"), "./a%20b/%E6%97%A5");
        assert_eq!(uri("logs/a b#1:2.jsonl"), "logs/a%20b%231%3A2.jsonl");
        assert_eq!(uri("/var/é"), "file:///var/%C3%A9");
    }
}
