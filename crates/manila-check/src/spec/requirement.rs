//! The 158 requirements of the CLI Agent Spec, each with what it comes to in a few words.

/// All of them, id and words: `F` for frameworks, `C` for commands, `O` for what is optional.
pub(crate) fn requirements() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("requirements.tsv").lines().filter_map(|line| line.split_once('\t'))
}

/// What the requirement of that id comes to.
pub fn requirement(id: &str) -> Option<&'static str> {
    requirements().find(|(other, _)| *other == id).map(|(_, essence)| essence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_158_each_once() {
        assert_eq!(requirements().count(), 158);
        for (id, _) in requirements() {
            assert_eq!(requirements().filter(|(other, _)| *other == id).count(), 1, "{id}");
        }
        assert!(requirement("F-001").is_some() && requirement("F-079").is_none());
    }
}
