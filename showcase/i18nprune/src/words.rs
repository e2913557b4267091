//! Numbers in sentences.

/// So many of something: `1 key`, `2 keys`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2].map(|number| count(number, "key")), ["0 keys", "1 key", "2 keys"]);
    }
}
