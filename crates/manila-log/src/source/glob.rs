//! Patterns for shells that do not expand them: `*`, `?`, `[a-z]` within a name, `**` across
//! directories.

/// Whether a word is more than a plain path.
pub(crate) fn is_pattern(word: &[u8]) -> bool {
    word.iter().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}

/// Whether one name, a single component of a path, is matched by one of a pattern.
pub(crate) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut from) = (0, 0);
    // Where the last star stands, and up to where it has taken the name. One is enough: what an
    // earlier star took need never be given back, so the cost is at most one length times the other.
    let mut star: Option<(usize, usize)> = None;
    loop {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at + 1, from));
                at += 1;
                continue;
            }
            None if from == name.len() => return true,
            Some(_) if from < name.len() => {
                if let Some((width, length)) = one(&pattern[at..], &name[from..]) {
                    (at, from) = (at + width, from + length);
                    continue;
                }
            }
            _ => {}
        }
        let Some((after, taken)) = star.filter(|(_, taken)| *taken < name.len()) else {
            return false;
        };
        (at, from) = (after, taken + 1);
        star = Some((after, taken + 1));
    }
}

/// How much of the pattern and of the name one step takes, if they go together.
fn one(pattern: &[u8], name: &[u8]) -> Option<(usize, usize)> {
    match pattern.first()? {
        b'?' => Some((1, character(name))),
        b'[' => match class(pattern, *name.first()?) {
            Some((width, is_in)) => is_in.then_some((width, 1)),
            // A bracket that nothing closes is a bracket.
            None => (name.first() == Some(&b'[')).then_some((1, 1)),
        },
        byte => (name.first() == Some(byte)).then_some((1, 1)),
    }
}

/// How many bytes the first character has.
fn character(name: &[u8]) -> usize {
    1 + name.iter().skip(1).take_while(|byte| (**byte & 0xc0) == 0x80).count()
}

/// How long the class at the front of the pattern is, and whether it has this byte.
fn class(pattern: &[u8], byte: u8) -> Option<(usize, bool)> {
    let is_negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let begin = if is_negated { 2 } else { 1 };
    // A bracket that comes first is one of its members.
    let length = pattern.iter().skip(begin + 1).position(|it| *it == b']')? + 1;
    let members = &pattern[begin..begin + length];
    let mut is_in = false;
    let mut at = 0;
    while at < members.len() {
        if let Some([b'-', last]) = members.get(at + 1..at + 3) {
            is_in |= (members[at]..=*last).contains(&byte);
            at += 3;
        } else {
            is_in |= members[at] == byte;
            at += 1;
        }
    }
    Some((begin + length + 1, is_in != is_negated))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_matched_as_shells_match_them() {
        for (pattern, name) in [
            ("*.jsonl", "a.jsonl"),
            ("*", ""),
            ("a*b*c", "a-b-b-c"),
            ("a?c", "abc"),
            ("a?c", "aéc"),
            ("log[0-9]", "log7"),
            ("log[!0-9]", "logx"),
            ("[]]", "]"),
            ("[a-]", "-"),
            ("a[b", "a[b"),
            ("**", "any"),
        ] {
            assert!(matches(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("*.jsonl", "a.json"),
            ("a?c", "ac"),
            ("log[0-9]", "logx"),
            ("log[!0-9]", "log7"),
            ("a", "ab"),
            ("", "a"),
            ("a*b", "a"),
        ] {
            assert!(!matches(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
    }

    #[test]
    fn a_hostile_pattern_costs_no_more_than_both_lengths_multiplied() {
        let pattern = b"*a".repeat(200);
        assert!(!matches(&pattern, &b"a".repeat(150)));
        assert!(matches(&pattern, &b"a".repeat(250)));
    }
}
