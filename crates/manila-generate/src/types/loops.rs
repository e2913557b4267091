//! Schemas that lead to themselves without a step into a value: no validator of them ends.

use super::read::target;
use serde_json::Value;
use std::collections::BTreeSet;

/// Keywords whose schemas are about the same value.
const SAME_VALUE: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// A reference that leads back to itself, if there is one.
pub(super) fn find(root: &Value) -> Option<String> {
    let mut done = BTreeSet::new();
    let mut pending = vec![root];
    while let Some(value) = pending.pop() {
        if let Some(found) = follow(value, root, &mut Vec::new(), &mut done) {
            return Some(found);
        }
        match value {
            Value::Object(members) => pending.extend(members.values()),
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    None
}

/// Follows everything that is about the same value as a schema.
fn follow<'v>(
    schema: &'v Value,
    root: &'v Value,
    path: &mut Vec<&'v str>,
    done: &mut BTreeSet<&'v str>,
) -> Option<String> {
    let members = schema.as_object()?;
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        if path.contains(&reference) {
            return Some(reference.to_owned());
        }
        if !done.contains(reference)
            && let Some((_, next)) = target(root, reference)
        {
            path.push(reference);
            let found = follow(next, root, path, done);
            path.pop();
            if found.is_some() {
                return found;
            }
            done.insert(reference);
        }
    }
    let same = SAME_VALUE.iter().filter_map(|key| members.get(*key));
    let dependent = members.get("dependentSchemas").and_then(Value::as_object);
    same.flat_map(|value| match value {
        Value::Array(all) => all.iter().collect::<Vec<_>>(),
        one => vec![one],
    })
    .chain(dependent.into_iter().flat_map(|all| all.values()))
    .find_map(|inner| follow(inner, root, path, done))
}
