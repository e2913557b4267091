//! The result of a comparison: each change with its impact, its witness and whether it is accepted, the
//! version bumps, and the outcome.

use crate::diff::rule::comparison::COVERAGE_LOST;
use crate::diff::{Bump, Change, Family, Impact, Reader, Versions, bumps, compare};
use crate::lock::{Attribute, Facts, Lock};
use jiff::civil::Date;
use manila_check::Accepted;
use std::collections::BTreeSet;

/// Why two contracts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To see what changed: only what breaks a reader counts.
    Diff,
    /// To see whether a lock still describes a program: everything counts that the lock does not allow.
    Verify,
}

/// The result of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// Why it was made.
    pub purpose: Purpose,
    /// What was compared: the old contract and the new one, in words.
    pub names: [String; 2],
    /// Who reads the answers.
    pub reader: Reader,
    /// Every change, the gravest first.
    pub changes: Vec<Classified>,
    /// The number of changes that the lock allows, because it promises less than was observed; only in a verification.
    pub allowed: usize,
    /// Remarks that come first in a report.
    pub notes: Vec<String>,
    /// Entries of `[[accept]]` that expired or match no change; each is a sentence.
    pub stale_accepts: Vec<String>,
    /// Whether answers have a version of their own, or a dialect that has one.
    pub has_envelope: bool,
    /// How many calls both contracts know.
    pub compared_calls: usize,
    /// Names of the snapshots that differ; only in a verification.
    pub snapshots: Vec<String>,
}

/// A change with its impact.
#[derive(Clone, Debug)]
pub struct Classified {
    /// The change.
    pub change: Change,
    /// What it means for the reader.
    pub impact: Impact,
    /// Whether running both programs showed it.
    pub witness: Witness,
    /// Why it is accepted, if it is.
    pub accepted: Option<String>,
}

/// Whether running both programs showed a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Witness {
    /// Nothing was run for it.
    #[default]
    None,
    /// The test holds on the old program and fails on the new one.
    Confirmed(Test),
    /// It does not, so a person has to look.
    Unconfirmed(Test),
}

/// A call, and a test of its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// The call of the old program, as a person types it.
    pub old_call: String,
    /// The call of the new one.
    pub new_call: String,
    /// What holds on the old program.
    pub holds: String,
}

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing relevant changed.
    Clean,
    /// Something relevant changed.
    Changed,
    /// Less was compared than the old contract is based on.
    Incomplete,
}

/// Changes that a lock allows: the observed behaviour is within what it promises, or depends on the samples.
const ALLOWED: &[&str] = &[
    "became-always",
    "became-stable",
    "became-volatile",
    "call-became-steady",
    "coverage-gained",
    "evidence-grown",
    "evidence-thinned",
    "format-gained",
    "no-longer-nullable",
    "number-became-integer",
    "type-narrowed",
];

impl Comparison {
    /// Compares two contracts.
    pub fn new(
        purpose: Purpose,
        names: [String; 2],
        locks: [&Lock; 2],
        versions: &Versions,
        reader: Reader,
    ) -> Comparison {
        let [old, new] = locks;
        let mut allowed = 0;
        let mut changes = Vec::new();
        for change in compare(old, new, versions) {
            if purpose == Purpose::Verify && is_allowed(&change) {
                allowed += 1;
                continue;
            }
            let impact = change.impact(reader);
            changes.push(Classified { change, impact, witness: Witness::None, accepted: None });
        }
        let both =
            old.commands.iter().filter_map(|(words, was)| Some((was, new.commands.get(words)?)));
        let compared_calls = both
            .map(|(was, is)| was.calls.keys().filter(|it| is.calls.contains_key(*it)).count())
            .sum();
        let mut comparison = Comparison {
            purpose,
            names,
            reader,
            changes,
            allowed,
            notes: Vec::new(),
            stale_accepts: Vec::new(),
            has_envelope: locks.iter().any(|lock| has_envelope(lock)),
            compared_calls,
            snapshots: Vec::new(),
        };
        comparison.sort();
        comparison
    }

    /// The gravest first; else in the order in which they were found.
    pub(crate) fn sort(&mut self) {
        self.changes.sort_by_key(|it| std::cmp::Reverse(it.impact));
    }

    /// Accepts changes by their fingerprints. An expired entry accepts nothing; one that matches no change is
    /// reported as stale.
    pub fn accept(&mut self, accepted: &[Accepted], today: Date) {
        for accept in accepted {
            let mut matching = self
                .changes
                .iter_mut()
                .filter(|it| it.change.fingerprint() == accept.change)
                .peekable();
            let is_over = accept.expires.is_some_and(|last| today > last);
            if matching.peek().is_none() {
                self.stale_accepts.push(format!("no change has the fingerprint {}", accept.change));
            } else if let Some(last) = accept.expires.filter(|_| is_over) {
                self.stale_accepts
                    .push(format!("the accepted change {} expired on {last}", accept.change));
            } else {
                matching.for_each(|it| it.accepted = Some(accept.reason.clone()));
            }
        }
    }

    /// The changes that are not accepted.
    pub fn open(&self) -> impl Iterator<Item = &Classified> {
        self.changes.iter().filter(|it| it.accepted.is_none())
    }

    /// How many changes of each impact there are that are not accepted: breaking, for a person, compatible.
    pub fn counts(&self) -> [usize; 3] {
        let count = |impact| self.open().filter(|it| it.impact == impact).count();
        [count(Impact::Breaking), count(Impact::Human), count(Impact::Compatible)]
    }

    /// Whether a change counts against a clean outcome.
    pub(crate) fn counts_against(&self, one: &Classified) -> bool {
        one.accepted.is_none()
            && match self.purpose {
                Purpose::Diff => one.impact == Impact::Breaking,
                Purpose::Verify => one.change.rule != &COVERAGE_LOST,
            }
    }

    /// The outcome. A comparison that covers less than before is never clean.
    pub fn outcome(&self) -> Outcome {
        let lost = self.open().any(|it| it.change.rule == &COVERAGE_LOST);
        if self.changes.iter().any(|it| self.counts_against(it)) || !self.snapshots.is_empty() {
            Outcome::Changed
        } else if lost {
            Outcome::Incomplete
        } else {
            Outcome::Clean
        }
    }

    /// The smallest honest bumps: of the program, and of the version that its answers state.
    pub(crate) fn bumps(&self) -> (Bump, Bump) {
        let (program, envelope) = bumps(self.open().map(|it| (&it.change, it.impact)));
        (program, if self.has_envelope { envelope } else { Bump::None })
    }

    /// The changes of each family that has any.
    pub fn families(&self) -> Vec<(Family, Vec<&Classified>)> {
        let of = |family: Family| {
            let own = self.changes.iter().filter(move |it| it.change.rule.family == family);
            (family, own.collect::<Vec<_>>())
        };
        Family::ALL.into_iter().map(of).filter(|(_, own)| !own.is_empty()).collect()
    }

    /// The rules that count against it, each once.
    pub fn rules(&self) -> Vec<&'static str> {
        let mut seen = BTreeSet::new();
        let own =
            self.changes.iter().filter(|it| self.counts_against(it)).map(|it| it.change.rule.id);
        own.filter(|id| seen.insert(*id)).collect()
    }
}

/// Whether an answer states a version, or is in a dialect.
fn has_envelope(lock: &Lock) -> bool {
    let answers = lock.commands.values().flat_map(|command| command.answers.values());
    let states = |facts: &Facts| {
        facts.contains_key(&Attribute::Version) || facts.contains_key(&Attribute::Dialect)
    };
    answers.into_iter().any(|answer| states(&answer.facts))
}

fn is_allowed(change: &Change) -> bool {
    ALLOWED.contains(&change.rule.id)
        // A lock promises nothing about the version of a program.
        || matches!(change.rule.id, "bump-without-breaking" | "release-too-large" | "release-too-small")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::rule::rule;

    const OLD: &str =
        "manila.lock 1\n/ : command\n/ call sample : ok\n/ ok\n/ ok .a : integer always\nend\n";

    fn compared(new: &str) -> Comparison {
        let [old, new] = [OLD, new].map(|text| Lock::read(text).expect("a lock"));
        let names = ["old", "new"].map(str::to_owned);
        Comparison::new(Purpose::Diff, names, [&old, &new], &Versions::default(), Reader::Tolerant)
    }

    #[test]
    fn what_a_lock_allows_is_a_rule() {
        for id in ALLOWED {
            assert!(rule(id).is_some(), "{id}");
        }
    }

    #[test]
    fn less_coverage_is_never_clean() {
        assert_eq!(compared(OLD).outcome(), Outcome::Clean);
        let comparison = compared(&OLD.replace("/ call sample : ok\n", ""));
        assert_eq!(comparison.outcome(), Outcome::Incomplete);
        assert_eq!(comparison.counts()[0], 0);
    }

    #[test]
    fn an_accepted_change_counts_until_it_expires() {
        let mut comparison = compared(&OLD.replace("/ ok .a : integer", "/ ok .a : string"));
        assert_eq!(comparison.outcome(), Outcome::Changed);
        let change = comparison.changes[0].change.fingerprint();
        let date = |day| Date::constant(2027, 1, day);
        let accept = Accepted { change, reason: "said so".to_owned(), expires: Some(date(2)) };
        comparison.accept(std::slice::from_ref(&accept), date(3));
        assert_eq!((comparison.outcome(), comparison.stale_accepts.len()), (Outcome::Changed, 1));
        comparison.accept(&[accept], date(2));
        assert_eq!(comparison.outcome(), Outcome::Clean);
    }
}
