//! What a text holds beside its words: the mark of an untranslated one, and placeholders.

/// The prefix of a text that `missing` added and that is not translated yet.
pub(crate) const PLACEHOLDER: &str = "[missing] ";

/// The placeholders of a text, sorted: `{{name}}`, `{name}`, `%s`, `%d`.
pub(crate) fn placeholders(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '%']) {
        rest = &rest[at..];
        let length = braces(rest).or_else(|| percent(rest));
        if let Some(length) = length {
            found.push(rest[..length].split_whitespace().collect());
        }
        rest = &rest[length.unwrap_or(1)..];
    }
    found.sort_unstable();
    found
}

/// The length of `{name}` or `{{name}}` at the beginning of a text.
fn braces(text: &str) -> Option<usize> {
    let (open, close) = if text.starts_with("{{") { ("{{", "}}") } else { ("{", "}") };
    let inner = text.strip_prefix(open)?;
    let end = inner.find(['{', '}'])?;
    let name = inner[..end].trim();
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let is_placeholder = !name.is_empty() && name.chars().all(is_name);
    (is_placeholder && inner[end..].starts_with(close)).then_some(open.len() + end + close.len())
}

/// The length of `%s` or `%d` at the beginning of a text.
fn percent(text: &str) -> Option<usize> {
    (text.starts_with("%s") || text.starts_with("%d")).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_reported_from_words() {
        for (text, expected) in [
            ("Hello {{ name }}, {count} of %d", &["%d", "{count}", "{{name}}"][..]),
            ("100 % {} {{}} {a b} {", &[]),
            ("{{a}} {{a}}", &["{{a}}", "{{a}}"]),
            ("{{open}", &["{open}"]),
        ] {
            assert_eq!(placeholders(text), expected, "{text}");
        }
    }
}
