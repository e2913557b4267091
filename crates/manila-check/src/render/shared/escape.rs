//! A stranger's words, harmless in each format.

use super::put;
use crate::verdict;

/// Words in which nothing steers a terminal, begins a line or turns the direction of the rest.
pub(crate) fn visible(text: &str) -> String {
    verdict::visible(text.as_bytes())
}

/// The same as the text of an XML or HTML element, or between the quotes of an attribute.
pub(crate) fn markup(text: &str) -> String {
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

/// The same as words of Markdown: no markup, no link, and nobody is called upon.
pub(crate) fn markdown(text: &str) -> String {
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
pub(crate) fn code(text: &str) -> String {
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

/// A path as a relative reference.
pub(crate) fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => put(&mut out, format_args!("%{byte:02X}")),
        }
    }
    out
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
    }
}
