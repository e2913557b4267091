//! Recognises names that stand for the same thing.

/// How alike two names are: 1 if only their spelling differs.
pub(super) fn similarity(one: &str, other: &str) -> f64 {
    let (first, second) = (words(one), words(other));
    if first.concat() == second.concat() {
        return 1.0;
    }
    if SYNONYMS.iter().any(|all| all.contains(&one) && all.contains(&other)) {
        return SHARED;
    }
    // `id` and `session_id`, `message_count` and `prompt_count`.
    let contains = |all: &[String], some: &[String]| some.iter().all(|word| all.contains(word));
    let shares = first.iter().any(|word| word.len() > 2 && second.contains(word))
        || contains(&first, &second)
        || contains(&second, &first);
    let alike = strsim::jaro_winkler(&first.concat(), &second.concat());
    if shares { alike.max(SHARED) } else { alike }
}

/// Names that envelopes have for the same thing.
const SYNONYMS: &[&[&str]] = &[&["ok", "success"], &["data", "result", "payload"]];
/// How alike names are that have a word in common.
const SHARED: f64 = 0.9;
/// How alike names must be to be taken for one.
const ENOUGH: f64 = 0.88;

/// Whether two names are likely to stand for the same thing.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    similarity(one, other) >= ENOUGH
}

/// The words of a name, in lower case: `createdAt`, `created_at` and `--created-at` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
        if let Some(last) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            last.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Pairs of removed and added things that are each other's only best match. The score is symmetric, and
/// nothing is paired where two matches are equally good.
pub(super) fn matched<T, S: PartialOrd + Copy>(
    removed: &[T],
    added: &[T],
    score: impl Fn(&T, &T) -> Option<S>,
) -> Vec<(usize, usize)> {
    let best = |scores: Vec<(usize, S)>| -> Option<usize> {
        let (at, top) = *scores.iter().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        let is_only = scores.iter().filter(|(_, score)| *score >= top).count() == 1;
        is_only.then_some(at)
    };
    let for_old = |old: usize| {
        best(
            (0..added.len())
                .filter_map(|new| Some((new, score(&removed[old], &added[new])?)))
                .collect(),
        )
    };
    let for_new = |new: usize| {
        best(
            (0..removed.len())
                .filter_map(|old| Some((old, score(&removed[old], &added[new])?)))
                .collect(),
        )
    };
    (0..removed.len())
        .filter_map(|old| {
            for_old(old).filter(|new| for_new(*new) == Some(old)).map(|new| (old, new))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter_and_meaning_does() {
        for (one, other) in [
            ("createdAt", "created_at"),
            ("--dry-run", "--dryRun"),
            ("sessions", "session"),
            ("id", "ID"),
            ("session_id", "sessionId"),
            ("name", "full_name"),
            ("id", "session_id"),
            ("ok", "success"),
        ] {
            assert!(is_alike(one, other), "{one} {other}");
            assert!((similarity(one, other) - similarity(other, one)).abs() < f64::EPSILON);
        }
        for (one, other) in [("name", "colour"), ("path", "total"), ("id", "at"), ("id", "uuid")] {
            assert!(!is_alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn only_the_best_match_on_both_sides_counts() {
        let score =
            |one: &i32, other: &i32| ((one - other).abs() < 3).then(|| -(one - other).abs());
        assert_eq!(matched(&[1, 10], &[2, 11], score), [(0, 0), (1, 1)]);
        assert_eq!(matched(&[1], &[0, 2], score), []);
        assert_eq!(matched(&[1, 2], &[2], score), [(1, 0)]);
    }
}
