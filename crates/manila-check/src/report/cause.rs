//! Findings of one rule grouped by what causes them.

use crate::rule::verdict::Finding;
use std::collections::BTreeSet;

/// What breaks a rule, however many calls show it.
#[derive(Clone, Debug)]
pub struct Cause<'r> {
    /// The finding that stands for all of them.
    pub first: &'r Finding,
    /// All findings with this cause, the first among them.
    pub findings: Vec<&'r Finding>,
}

impl<'r> Cause<'r> {
    /// The commands that show it, each once, in the order in which they were found.
    pub fn commands(&self) -> Vec<&'r [String]> {
        let mut seen = BTreeSet::new();
        let all = self.findings.iter().map(|finding| finding.command.as_slice());
        all.filter(|command| seen.insert(*command)).collect()
    }

    /// How many calls show it.
    pub fn calls(&self) -> usize {
        self.findings.len()
    }
}

/// These findings, grouped.
pub(crate) fn grouped<'r>(findings: impl Iterator<Item = &'r Finding>) -> Vec<Cause<'r>> {
    let mut causes: Vec<Cause<'r>> = Vec::new();
    for finding in findings {
        match causes.iter_mut().find(|cause| cause.first.cause == finding.cause) {
            Some(cause) => cause.findings.push(finding),
            None => causes.push(Cause { first: finding, findings: vec![finding] }),
        }
    }
    causes
}
