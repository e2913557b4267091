//! Joins observations into a contract. The join is associative, commutative and idempotent, so neither the order
//! nor the repetition of runs changes the result.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A value that observations are joined into.
pub(crate) trait Join {
    /// Joins `other` into this value.
    fn join(&mut self, other: &Self);
}

impl<T: Ord + Clone> Join for BTreeSet<T> {
    fn join(&mut self, other: &Self) {
        self.extend(other.iter().cloned());
    }
}

impl<K: Ord + Clone, V: Join + Clone> Join for BTreeMap<K, V> {
    fn join(&mut self, other: &Self) {
        for (key, value) in other {
            match self.get_mut(key) {
                Some(own) => own.join(value),
                None => {
                    self.insert(key.clone(), value.clone());
                }
            }
        }
    }
}

impl<T: Join + Clone> Join for Option<T> {
    fn join(&mut self, other: &Self) {
        match (self.as_mut(), other) {
            (Some(own), Some(other)) => own.join(other),
            (None, Some(other)) => *self = Some(other.clone()),
            (_, None) => {}
        }
    }
}

impl<T: Join> Join for Box<T> {
    fn join(&mut self, other: &Self) {
        self.as_mut().join(other);
    }
}

impl<T: Join + Clone> Join for Arc<T> {
    fn join(&mut self, other: &Self) {
        if !Arc::ptr_eq(self, other) {
            Arc::make_mut(self).join(other);
        }
    }
}
