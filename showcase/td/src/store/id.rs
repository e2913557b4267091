//! Ids: how they are given, and what one may look like.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of the project that is always there.
pub(crate) const INBOX: &str = "inbox";

/// What names a thing for good. No two things have the same, and none is given twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub(crate) struct Id(pub(crate) String);

impl Id {
    /// The id that is given in this place of the row.
    pub(super) fn nth(number: u32) -> Id {
        // Times an odd number, every number leads to another, and neighbours begin differently.
        Id(format!("{:08x}", number.wrapping_mul(0x9e37_79b1)))
    }

    pub(crate) fn inbox() -> Id {
        Id(INBOX.to_owned())
    }
}

/// As the file has it. Suggestions show ids in calls that may be typed as they are, so there is
/// nothing in one that a shell would obey.
impl TryFrom<String> for Id {
    type Error = String;

    fn try_from(text: String) -> Result<Id, String> {
        let is_word = text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        if is_word && !text.is_empty() {
            Ok(Id(text))
        } else {
            Err(format!("{text:?} is not an id"))
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_harmless_word() {
        for id in [Id::inbox(), Id::nth(0), Id::nth(u32::MAX), Id("p_work".to_owned())] {
            assert_eq!(Id::try_from(id.0.clone()), Ok(id));
        }
        for text in ["", " ", "-y", "a b", "x;reboot", "`id`", "$HOME", "../x", "é", "\u{1b}"] {
            assert!(Id::try_from(text.to_owned()).is_err(), "{text:?}");
        }
    }
}
