//! The tables of `manila.toml` that a contract is inferred and compared with: `[[case]]`, `[contract]`
//! and `[[accept]]`.

use super::words::{Words, bad, date, words};
use crate::declaration;
use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    name: Option<String>,
    argv: Words,
    fixture: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Contract {
    pub(super) maps: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Accept {
    change: String,
    reason: String,
    expires: Option<toml::Value>,
}

/// The calls; each has a name of its own, which is made of its arguments if none is given.
pub(super) fn cases(cases: Vec<Case>) -> Result<Vec<declaration::Case>, Error> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for case in cases {
        let argv = words(Some(case.argv))?.unwrap_or_default();
        let name = case.name.unwrap_or_else(|| slug(&argv));
        if slug(std::slice::from_ref(&name)) != name || name.is_empty() {
            return Err(bad(format!("the case {name:?} has an invalid name"))
                .suggest("use lower-case letters, digits and hyphens, such as \"one-task\""));
        }
        if !seen.insert(name.clone()) {
            return Err(bad(format!("two cases are called {name:?}"))
                .suggest("give each a `name` of its own"));
        }
        found.push(declaration::Case { name, argv, fixture: case.fixture });
    }
    Ok(found)
}

fn slug(words: &[String]) -> String {
    let letter = |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' };
    let text: String = words.join("-").chars().map(letter).collect();
    text.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The accepted changes.
pub(super) fn accepted(accepted: Vec<Accept>) -> Result<Vec<declaration::Accepted>, Error> {
    let one = |accept: Accept| {
        let is_hex = accept.change.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        if accept.change.len() != 12 || !is_hex {
            return Err(bad(format!("`change = {:?}` is not a fingerprint", accept.change))
                .suggest("copy the 12 digits that `manila diff` shows for the change"));
        }
        if accept.reason.trim().is_empty() {
            return Err(bad(format!("the accepted change {} has no reason", accept.change))
                .suggest("say in `reason` why it is accepted"));
        }
        let expires = accept.expires.map(|value| date(&value)).transpose()?;
        Ok(declaration::Accepted { change: accept.change, reason: accept.reason, expires })
    };
    accepted.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::declaration::Declaration;

    fn message(text: &str) -> String {
        Declaration::parse(text).expect_err(text).to_string()
    }

    #[test]
    fn cases_have_a_name_of_their_own() {
        let text = "[[case]]\nargv = \"task show 1\"\n[[case]]\nname = \"all\"\nargv = []\nfixture = \"x\"\n";
        let cases = Declaration::parse(text).expect("cases").cases;
        assert_eq!((cases[0].name.as_str(), cases[1].name.as_str()), ("task-show-1", "all"));
        assert!(message("[[case]]\nname = \"A b\"\nargv = []").contains("invalid name"));
        let twice = "[[case]]\nargv = [\"a\"]\n[[case]]\nargv = \"a\"";
        assert!(message(twice).contains("two cases"));
    }

    #[test]
    fn an_accepted_change_has_a_fingerprint_and_a_reason() {
        let text =
            "[[accept]]\nchange = \"a3f8c21b9d04\"\nreason = \"announced\"\nexpires = 2027-01-31";
        assert_eq!(Declaration::parse(text).expect("accepted").accepted.len(), 1);
        assert!(
            message("[[accept]]\nchange = \"all\"\nreason = \"x\"").contains("not a fingerprint")
        );
        let empty = "[[accept]]\nchange = \"a3f8c21b9d04\"\nreason = \" \"";
        assert!(message(empty).contains("no reason"));
    }
}
