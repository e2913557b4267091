//! Values as JSON Schema compares them: 1 and 1.0 are the same, and the order of keys does not count.

use serde_json::{Number, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The types, in the order in which messages name them.
pub(super) const TYPES: &[&str] =
    &["null", "boolean", "integer", "number", "string", "array", "object"];

pub(super) fn is_of_type(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(number) => {
            let is_whole = || number.as_f64().is_some_and(|float| float.fract() == 0.0);
            name == "number" || (name == "integer" && (!number.is_f64() || is_whole()))
        }
    }
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

pub(super) fn compared(one: &Number, other: &Number) -> Ordering {
    if let (Some(one), Some(other)) = (whole(one), whole(other)) {
        return one.cmp(&other);
    }
    let [one, other] = [one, other].map(|number| number.as_f64().unwrap_or(f64::NAN));
    one.partial_cmp(&other).unwrap_or(Ordering::Equal)
}

/// As decimals are meant: 0.3 is three times 0.1.
pub(super) fn is_multiple(number: &Number, step: &Number) -> bool {
    if let (Some(number), Some(step)) = (whole(number), whole(step)) {
        return step != 0 && number % step == 0;
    }
    let [number, step] = [number, step].map(|number| number.as_f64().unwrap_or(f64::NAN));
    let times = number / step;
    let off = (times - times.round()).abs();
    off <= f64::EPSILON * 4.0 * times.abs().max(1.0)
}

/// A text that two values share only if they are the same.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => match (whole(number), number.as_f64()) {
            (Some(whole), _) => whole.to_string(),
            (None, Some(float)) => format!("{float}"),
            (None, None) => number.to_string(),
        },
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(canonical).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Object(members) => {
            let members: BTreeMap<&String, &Value> = members.iter().collect();
            let members: Vec<String> = members
                .into_iter()
                .map(|(key, member)| format!("{key:?}:{}", canonical(member)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.to_string(),
    }
}

/// Whether two values are the same: 1 and 1.0 are, and the order of keys does not count.
pub(super) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compared(one, other) == Ordering::Equal,
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has = |(key, value)| other.get(key).is_some_and(|other| equal(value, other));
            one.len() == other.len() && one.iter().all(has)
        }
        _ => one == other,
    }
}
