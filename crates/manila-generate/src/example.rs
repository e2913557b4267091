//! Values that satisfy a schema, for tests.

use crate::schema::is_valid;
use serde_json::{Map, Value, json};

/// How deep an example goes before it takes whatever is shortest.
const DEEPEST: usize = 12;

/// How deep it goes before it takes whatever refers to nothing.
const SHALLOW: usize = 3;

/// A small value that satisfies a reduced schema, if one is found.
pub(crate) fn of(schema: &Value, root: &Value) -> Option<Value> {
    make(schema, root, 0).filter(|value| is_valid(schema, value, root))
}

fn make(schema: &Value, root: &Value, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    let Value::Object(members) = schema else { return Some(json!({})) };
    if let Some(name) = members.get("$ref").and_then(Value::as_str) {
        let target = root.get("$defs")?.get(name.strip_prefix("#/$defs/")?)?;
        return make(target, root, depth + 1);
    }
    if let Some(value) = members.get("const") {
        return Some(value.clone());
    }
    if let Some(Value::Array(values)) = members.get("enum") {
        return values.first().cloned();
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(Value::Array(variants)) = members.get(key) {
            // Far down what ends soonest comes first, so that no example grows without bound.
            let is_far = |one: &&Value| depth > SHALLOW && one.get("$ref").is_some();
            let near = variants.iter().filter(|one| !is_far(one));
            let all = near.chain(variants.iter().filter(is_far));
            let mut made = all.filter_map(|one| make(one, root, depth + 1));
            return made.find_map(|value| {
                let value = merged(object(members, root, depth), value);
                is_valid(schema, &value, root).then_some(value)
            });
        }
    }
    if let Some(Value::Array(parts)) = members.get("allOf") {
        let made = parts.iter().filter_map(|one| make(one, root, depth + 1));
        return Some(made.fold(object(members, root, depth).unwrap_or(json!({})), |all, one| {
            merged(Some(all), one)
        }));
    }
    let of = match members.get("type") {
        Some(Value::Array(types)) => types.first().and_then(Value::as_str).unwrap_or_default(),
        Some(one) => one.as_str().unwrap_or_default(),
        None => "object",
    };
    Some(match of {
        "null" => Value::Null,
        "boolean" => json!(true),
        "integer" | "number" => members.get("minimum").cloned().unwrap_or(json!(1)),
        "string" => {
            let length = members.get("minLength").and_then(Value::as_u64).unwrap_or(0);
            json!("text".repeat(usize::try_from(length.div_ceil(4).max(1)).ok()?.min(64)))
        }
        "array" => {
            let least = members.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            let item = || make(members.get("items").unwrap_or(&json!({})), root, depth + 1);
            match usize::try_from(least.max(1)).ok()?.min(64) {
                1 if least == 0 => item().map_or(json!([]), |item| json!([item])),
                count => Value::Array(vec![item()?; count]),
            }
        }
        _ => return object(members, root, depth).or(Some(json!({}))),
    })
}

/// An object with the members that must be there.
fn object(members: &Map<String, Value>, root: &Value, depth: usize) -> Option<Value> {
    let properties = members.get("properties")?.as_object()?;
    let required = members.get("required").and_then(Value::as_array);
    let mut made = Map::new();
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        let schema = properties.get(name).cloned().unwrap_or(json!(true));
        made.insert(name.to_owned(), make(&schema, root, depth + 1)?);
    }
    Some(Value::Object(made))
}

fn merged(base: Option<Value>, other: Value) -> Value {
    match (base, other) {
        (Some(Value::Object(mut base)), Value::Object(other)) => {
            base.extend(other);
            Value::Object(base)
        }
        (_, other) => other,
    }
}
