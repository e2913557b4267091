//! How much evidence a promise has, without a count: the smallest few fingerprints of samples and of inputs.
//! A sample that occurs twice counts once.

use crate::join::Join;
use std::collections::BTreeSet;

/// The smallest few of many fingerprints. Joining keeps the smallest of both, so that the order and
/// the repetition of joins do not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sketch<const MOST: usize>(BTreeSet<u64>);

impl<const MOST: usize> Sketch<MOST> {
    /// Adds one thing.
    pub(crate) fn insert(&mut self, fingerprint: u64) {
        let is_small = self.0.len() < MOST || self.0.last().is_some_and(|last| fingerprint < *last);
        if is_small && self.0.insert(fingerprint) && self.0.len() > MOST {
            self.0.pop_last();
        }
    }

    /// Whether there were at least as many things as it keeps.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Whether there was nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<const MOST: usize> Join for Sketch<MOST> {
    fn join(&mut self, other: &Self) {
        self.0.extend(&other.0);
        while self.0.len() > MOST {
            self.0.pop_last();
        }
    }
}

/// In how many samples something was looked for: enough are three, from two inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    samples: Sketch<3>,
    inputs: Sketch<2>,
    /// A lock says that there was enough.
    is_stated: bool,
}

impl Evidence {
    /// Adds one sample of one input.
    pub(crate) fn insert(&mut self, input: u64, sample: u64) {
        self.samples.insert(sample);
        self.inputs.insert(input);
    }

    /// Enough, as a lock says.
    pub(crate) fn stated() -> Evidence {
        Evidence { is_stated: true, ..Evidence::default() }
    }

    /// Whether there are three samples from two inputs.
    pub(crate) fn is_enough(&self) -> bool {
        self.is_stated || (self.samples.is_full() && self.inputs.is_full())
    }
}

impl Join for Evidence {
    fn join(&mut self, other: &Evidence) {
        self.samples.join(&other.samples);
        self.inputs.join(&other.inputs);
        self.is_stated |= other.is_stated;
    }
}
