//! Patterns of paths: `*` and `?` within a name, `**` over any number of directories.

/// Whether a path fits. Both are cut at slashes.
pub(super) fn fits(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    fits_by(
        &pattern,
        &path,
        |part| *part == "**",
        |pattern, name| {
            let (pattern, name): (Vec<char>, Vec<char>) =
                (pattern.chars().collect(), name.chars().collect());
            let is_same = |one: &char, other: &char| *one == '?' || one == other;
            fits_by(&pattern, &name, |letter| *letter == '*', is_same)
        },
    )
}

/// Whether items fit a pattern in which some stand for any number of them. It goes back to the last
/// of those alone, so that no pattern takes longer than the product of both lengths.
fn fits_by<T>(
    pattern: &[T],
    items: &[T],
    is_any: impl Fn(&T) -> bool,
    is_same: impl Fn(&T, &T) -> bool,
) -> bool {
    let (mut at, mut item) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while item < items.len() {
        match pattern.get(at) {
            Some(part) if is_any(part) => {
                retry = Some((at, item));
                at += 1;
                continue;
            }
            Some(part) if is_same(part, &items[item]) => {
                (at, item) = (at + 1, item + 1);
                continue;
            }
            _ => {}
        }
        let Some((any, start)) = retry else { return false };
        retry = Some((any, start + 1));
        (at, item) = (any + 1, start + 1);
    }
    pattern[at..].iter().all(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_in_a_shell() {
        for (pattern, path) in [
            ("*.rs", "main.rs"),
            ("src/*.rs", "src/main.rs"),
            ("**/*.rs", "main.rs"),
            ("**/*.rs", "a/b/c.rs"),
            ("src/**", "src/a/b"),
            ("a/**/z", "a/b/c/z"),
            ("a/**/z", "a/z"),
            ("?.md", "ü.md"),
            ("*", "x"),
        ] {
            assert!(fits(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in
            [("*.rs", "src/main.rs"), ("?.md", "ab.md"), ("a/**/z", "a/b/y"), ("", "x"), ("a", "")]
        {
            assert!(!fits(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn a_hostile_pattern_ends() {
        assert!(!fits(&"*a".repeat(500), &"a".repeat(499)));
        assert!(!fits(&"**/".repeat(500), &"a/".repeat(400)[..799]));
    }
}
