//! Lists of words that are written as one text.

/// Whether a word is one of those in a list that blanks part.
pub(super) fn is_among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}
