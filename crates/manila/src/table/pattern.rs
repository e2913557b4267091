//! Patterns for names of revisions and for values that mark a dialect.

/// Whether a text fits a pattern. `*` stands for any text, also none, and `#` for one or more digits;
/// everything else stands for itself.
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| after(first, text)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let found = rest.char_indices().find_map(|(at, _)| after(part, &rest[at..]));
        match found.or_else(|| part.is_empty().then_some(rest)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    last.is_empty() || ends.into_iter().any(|at| after(last, &rest[at..]) == Some(""))
}

/// What follows a text that begins with a pattern without `*`.
fn after<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let mut rest = text;
    for wanted in pattern.chars() {
        rest = match wanted {
            '#' => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                if digits == 0 {
                    return None;
                }
                &rest[digits..]
            }
            _ => rest.strip_prefix(wanted)?,
        };
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything_and_hashes_for_digits() {
        for (pattern, text) in [
            ("1.0", "1.0"),
            ("1.6.#", "1.6.12"),
            ("*.cli.v1", "animus.cli.v1"),
            ("*.cli.v#*", "a.cli.v2-beta"),
            ("a*b*c", "abbxc"),
            ("*", ""),
            ("", ""),
            ("é*", "éa"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("1.0", "1.0.1"),
            ("1.6.#", "1.6."),
            ("*.cli.v1", "animus.cli.v1x"),
            ("*.cli.v#*", "a.cli.vx"),
            ("a*b*c", "acb"),
            ("", "a"),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
