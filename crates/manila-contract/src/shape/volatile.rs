//! Finds the values that differ between equal calls, by running and never by name.

use super::{Shape, Step};
use serde_json::Value;
use std::collections::BTreeSet;

/// The paths of values that differ.
pub(crate) type Volatile = BTreeSet<Vec<Step>>;

/// Adds the paths at which two answers to equal calls differ. Arrays of different lengths have no
/// elements that correspond, so nothing is said about those.
pub(crate) fn differing(first: &Value, second: &Value, found: &mut Volatile) {
    walk(first, second, &mut Vec::new(), found);
}

fn walk(first: &Value, second: &Value, path: &mut Vec<Step>, found: &mut Volatile) {
    match (first, second) {
        (Value::Object(first), Value::Object(second)) => {
            for (key, value) in first {
                if let Some(other) = second.get(key) {
                    path.push(Step::Field(key.clone()));
                    walk(value, other, path, found);
                    path.pop();
                }
            }
        }
        (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
            path.push(Step::Item);
            for (one, other) in first.iter().zip(second) {
                walk(one, other, path, found);
            }
            path.pop();
        }
        (Value::Array(_), Value::Array(_)) => {}
        _ if first == second => {}
        _ => {
            found.insert(path.clone());
        }
    }
}

impl Shape {
    /// Marks what stands at these paths.
    pub(crate) fn mark_volatile(&mut self, paths: &Volatile) {
        for path in paths {
            if let Some(shape) = self.at_mut(path) {
                shape.is_volatile = true;
            }
        }
    }

    /// What stands at a path, if it is a path of fields and elements.
    pub(crate) fn at(&self, path: &[Step]) -> Option<&Shape> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        match first {
            Step::Field(key) => self.fields.get(key)?.shape.at(rest),
            Step::Item => self.items.as_ref()?.at(rest),
            Step::Entry => self.entries.as_ref()?.at(rest),
        }
    }

    fn at_mut(&mut self, path: &[Step]) -> Option<&mut Shape> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        match first {
            Step::Field(key) => self.fields.get_mut(key)?.shape.at_mut(rest),
            Step::Item => self.items.as_mut()?.at_mut(rest),
            Step::Entry => self.entries.as_mut()?.at_mut(rest),
        }
    }
}
