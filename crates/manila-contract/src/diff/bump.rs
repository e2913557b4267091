//! Finds the smallest honest version bump, and versions that do not reflect the changes they govern.

use super::change::{Change, place};
use super::envelope::ordered;
use super::rule::comparison as rules;
use super::rule::{Family, Impact, Reader};
use crate::lock::{Attribute, Lock};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Which part of a version must be raised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// None.
    #[default]
    None,
    /// The last: nothing was promised or withdrawn.
    Patch,
    /// The second: something was promised.
    Minor,
    /// The first: something breaks.
    Major,
}

impl Bump {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Bump::None => "none",
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::Major => "major",
        }
    }
}

/// The versions that two programs state about themselves, if they do.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    /// The old one.
    pub old: Option<String>,
    /// The new one.
    pub new: Option<String>,
}

/// The smallest honest bumps for these changes and their impacts: of the program, and of the version
/// that its answers state.
pub(crate) fn bumps<'c>(changes: impl Iterator<Item = (&'c Change, Impact)>) -> (Bump, Bump) {
    let (mut program, mut envelope) = (Bump::None, Bump::None);
    for (change, impact) in changes.filter(|(change, _)| change.rule.family != Family::Comparison) {
        let own = match impact {
            Impact::Breaking => Bump::Major,
            Impact::Human | Impact::Compatible => Bump::Minor,
        };
        program = program.max(own);
        if impact == Impact::Breaking && is_governed(change) {
            envelope = Bump::Major;
        }
    }
    (program, envelope)
}

/// Whether the version that answers state governs a change.
fn is_governed(change: &Change) -> bool {
    matches!(change.rule.family, Family::Envelope | Family::Errors | Family::Data)
}

/// Findings about versions that hide a breaking change, or announce one that is not there.
pub(super) fn findings(
    old: &Lock,
    new: &Lock,
    changes: &[Change],
    versions: &Versions,
) -> Vec<Change> {
    let reader = Reader::default();
    let breaks = |change: &&Change| change.impact(reader) == Impact::Breaking;
    let mut found = Vec::new();
    let (was, is) = (stated(old), stated(new));
    let governed = changes.iter().filter(breaks).any(is_governed);
    let add = |rule, subject: &str, was: &str, is: &str| Change {
        rule,
        commands: Vec::new(),
        old: Some(place(subject, was)),
        new: Some(place(subject, is)),
        certainty: super::Certainty::Stated,
    };
    for version in was.intersection(&is).filter(|_| governed) {
        found.push(add(&rules::BREAKING_WITHOUT_BUMP, "version of answers", version, version));
    }
    if let ([was], [is]) = (Vec::from_iter(&was).as_slice(), Vec::from_iter(&is).as_slice())
        && ordered(was, is) == Some(Ordering::Less)
        && !governed
    {
        found.push(add(&rules::BUMP_WITHOUT_BREAKING, "version of answers", was, is));
    }
    if let (Some(was), Some(is)) = (&versions.old, &versions.new)
        && let Some(made) = made(was, is)
    {
        let breaks = changes.iter().any(|change| breaks(&change));
        match (breaks, made) {
            (true, Bump::Minor | Bump::Patch) => {
                found.push(add(&rules::RELEASE_TOO_SMALL, "version of the program", was, is));
            }
            (false, Bump::Major) => {
                found.push(add(&rules::RELEASE_TOO_LARGE, "version of the program", was, is));
            }
            _ => {}
        }
    }
    found
}

/// The versions that answers state.
fn stated(lock: &Lock) -> BTreeSet<String> {
    let answers = lock.commands.values().flat_map(|command| command.answers.values());
    answers.filter_map(|answer| answer.facts.get(&Attribute::Version)).flatten().cloned().collect()
}

/// Which part differs between two versions, if the new one is higher. Before 1.0 the second part says
/// that something breaks.
fn made(old: &str, new: &str) -> Option<Bump> {
    let (was, is) = (numbers(old)?, numbers(new)?);
    if is <= was {
        return None;
    }
    let first = was.iter().zip(&is).position(|(was, is)| was != is)?;
    Some(match (first, was[0]) {
        (0, _) | (1, 0) => Bump::Major,
        (1, _) => Bump::Minor,
        _ => Bump::Patch,
    })
}

/// The three numbers of the version in a text such as `notes 1.2.3`.
fn numbers(text: &str) -> Option<[u64; 3]> {
    text.split_whitespace().find_map(|word| {
        let core = word.trim_start_matches(['v', '(']).split(['-', '+', ')', ',']).next()?;
        let parts: Vec<u64> = core.split('.').map(|it| it.parse().ok()).collect::<Option<_>>()?;
        match parts.as_slice() {
            [major, minor] => Some([*major, *minor, 0]),
            [major, minor, patch, ..] => Some([*major, *minor, *patch]),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_was_raised_is_known() {
        assert_eq!(made("notes 1.2.3", "notes 2.0.0"), Some(Bump::Major));
        assert_eq!(made("v1.2.3", "v1.3.0"), Some(Bump::Minor));
        assert_eq!(made("1.2.3", "1.2.4"), Some(Bump::Patch));
        assert_eq!(made("0.2.3", "0.3.0"), Some(Bump::Major));
        assert_eq!(made("1.2.3", "1.2.3"), None);
        assert_eq!(made("git version 2.43.0", "jq-1.7"), None);
    }
}
