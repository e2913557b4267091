//! Where the parts of a pack are in its text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A step from a table or a list to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'s> {
    Key(&'s str),
    Index(usize),
}

/// The text and its tree.
pub(super) struct Places<'t> {
    text: &'t str,
    root: Option<Spanned<DeTable<'t>>>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Places<'t> {
        Places { text, root: DeTable::parse(text).ok() }
    }

    /// The line of the part that a path leads to, or of the nearest part around it.
    pub(super) fn line(&self, path: &[Step<'_>]) -> usize {
        line_of(self.text, self.offset(path).unwrap_or(0))
    }

    /// Whether a path leads to something.
    pub(super) fn has(&self, path: &[Step<'_>]) -> bool {
        let Some((Step::Key(first), rest)) = path.split_first() else { return false };
        let Some(root) = &self.root else { return false };
        let mut value = root.get_ref().get(*first);
        for step in rest {
            value = match (step, value.map(Spanned::get_ref)) {
                (Step::Key(key), Some(DeValue::Table(table))) => table.get(*key),
                (Step::Index(index), Some(DeValue::Array(list))) => list.get(*index),
                _ => None,
            };
        }
        value.is_some()
    }

    fn offset(&self, path: &[Step<'_>]) -> Option<usize> {
        let (Step::Key(first), rest) = path.split_first()? else { return None };
        let root = self.root.as_ref()?.get_ref();
        let (key, mut value) = root.get_key_value(*first)?;
        // The span of a list of tables is that of its first table.
        let mut offset = key.span().start;
        for step in rest {
            let next = match (step, value.get_ref()) {
                (Step::Key(name), DeValue::Table(table)) => {
                    table.get_key_value(*name).map(|(key, value)| (key.span().start, value))
                }
                (Step::Index(index), DeValue::Array(list)) => {
                    list.get(*index).map(|value| (value.span().start, value))
                }
                _ => None,
            };
            let Some((start, inner)) = next else { break };
            (offset, value) = (start, inner);
        }
        Some(offset)
    }
}

/// The line of an offset, from 1 on.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_its_line() {
        let text =
            "name = \"x\"\n\n[[effect]]\ncommand = [\"a\",\n \"b\"]\n[[effect]]\nflag = []\n";
        let places = Places::new(text);
        assert_eq!(places.line(&[Step::Key("name")]), 1);
        assert_eq!(places.line(&[Step::Key("effect"), Step::Index(0)]), 3);
        let second = [Step::Key("effect"), Step::Index(0), Step::Key("command"), Step::Index(1)];
        assert_eq!(places.line(&second), 5);
        assert_eq!(places.line(&[Step::Key("effect"), Step::Index(1), Step::Key("flag")]), 7);
        assert_eq!(places.line(&[Step::Key("effect"), Step::Index(1), Step::Key("none")]), 6);
        assert!(!places.has(&[Step::Key("effect"), Step::Index(1), Step::Key("none")]));
    }
}
