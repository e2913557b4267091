//! What a subject is called: `TASK-001` by itself, `task:TASK-001` by its callers.

use super::Kind;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::str::FromStr;

/// The name of a subject that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Key {
    pub(crate) kind: Kind,
    pub(crate) number: u32,
}

impl Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:03}", self.kind.prefix(), self.number)
    }
}

impl From<Key> for String {
    fn from(key: Key) -> String {
        key.to_string()
    }
}

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(text: String) -> Result<Key, String> {
        let number =
            |kind: &Kind| text.strip_prefix(kind.prefix())?.strip_prefix('-')?.parse().ok();
        let key = Kind::value_variants().iter().find_map(|kind| {
            let key = Key { kind: *kind, number: number(kind)? };
            // One subject has one name: TASK-1 is none.
            (key.to_string() == text).then_some(key)
        });
        key.ok_or_else(|| format!("{text:?} is not the id of a subject"))
    }
}

/// The subject that a caller means, whether it exists or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    pub(crate) kind: Kind,
    pub(crate) key: String,
}

impl FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Id, String> {
        let form = || "an id has the form KIND:KEY, such as task:TASK-001".to_owned();
        let (kind, key) =
            text.split_once(':').filter(|(_, key)| !key.is_empty()).ok_or_else(form)?;
        let known = |_| format!("there is no kind {kind:?}; {}", form());
        Ok(Id { kind: Kind::from_str(kind, false).map_err(known)?, key: key.to_owned() })
    }
}

impl Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        for number in [1, 42, 999, 1000, u32::MAX] {
            let key = Key { kind: Kind::Requirement, number };
            assert_eq!(Key::try_from(key.to_string()), Ok(key));
        }
    }

    #[test]
    fn nothing_else_is_a_key() {
        for text in ["", "TASK", "TASK-", "TASK-1", "TASK-0001", "TASK-+01", "task-001", "BUG-001"]
        {
            assert!(Key::try_from(text.to_owned()).is_err(), "{text:?}");
        }
        assert!(Key::try_from("TASK-4294967296".to_owned()).is_err());
    }

    #[test]
    fn an_id_names_its_kind_and_any_key() {
        let id: Id = "task:NONEXISTENT".parse().unwrap();
        assert_eq!(id, Id { kind: Kind::Task, key: "NONEXISTENT".to_owned() });
        assert_eq!("requirement:a:b".parse::<Id>().unwrap().key, "a:b");
        for text in ["", ":", "task:", "TASK-001", "bug:BUG-1", "Task:TASK-001"] {
            assert!(text.parse::<Id>().is_err(), "{text:?}");
        }
    }
}
