//! The part of JSON Schema that generated code checks, and the same check here.

use serde_json::{Map, Value, json};

/// Every keyword that generated code checks.
const CHECKED: &[&str] = &[
    "$ref",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// A schema reduced to what generated code checks. It accepts what the schema accepts, and more where
/// the schema has other keywords.
pub(crate) fn reduce(schema: &Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let mut reduced = Map::new();
    for (key, value) in members {
        let value = match (key.as_str(), value) {
            ("properties" | "dependentSchemas" | "$defs", Value::Object(all)) => {
                let each = all.iter().map(|(name, schema)| (name.clone(), reduce(schema)));
                Value::Object(each.collect())
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(all)) => {
                Value::Array(all.iter().map(reduce).collect())
            }
            ("additionalProperties" | "items" | "not" | "if" | "then" | "else", schema) => {
                reduce(schema)
            }
            (key, value) if CHECKED.contains(&key) => value.clone(),
            _ => continue,
        };
        reduced.insert(key.clone(), value);
    }
    // The names that a pattern allows are not known: any may have one of its values.
    if let Some(Value::Object(patterns)) = members.get("patternProperties") {
        let mut all: Vec<Value> = patterns.values().map(reduce).collect();
        all.extend(members.get("additionalProperties").filter(|it| it.is_object()).map(reduce));
        reduced.insert("additionalProperties".to_owned(), json!({ "anyOf": all }));
    }
    if let Some(Value::Array(each)) = members.get("prefixItems") {
        let mut all: Vec<Value> = each.iter().map(reduce).collect();
        all.extend(members.get("items").filter(|it| it.is_object()).map(reduce));
        reduced.insert("items".to_owned(), json!({ "anyOf": all }));
    }
    Value::Object(reduced)
}

/// Whether a value satisfies a reduced schema. References lead into `root`.
pub(crate) fn is_valid(schema: &Value, value: &Value, root: &Value) -> bool {
    let members = match schema {
        Value::Object(members) => members,
        other => return *other != Value::Bool(false),
    };
    let valid = |schema: &Value| is_valid(schema, value, root);
    let list = |all: &Value| all.as_array().cloned().unwrap_or_default();
    members.iter().all(|(key, rule)| match key.as_str() {
        "$ref" => {
            let name = rule.as_str().and_then(|it| it.strip_prefix("#/$defs/"));
            let target = name.and_then(|name| root.get("$defs")?.get(name));
            target.is_some_and(&valid)
        }
        "type" => match rule {
            Value::Array(all) => all.iter().any(|one| is_of_type(value, one)),
            one => is_of_type(value, one),
        },
        "enum" => list(rule).contains(value),
        "const" => rule == value,
        "anyOf" => list(rule).iter().any(valid),
        "oneOf" => list(rule).iter().filter(|one| valid(one)).count() == 1,
        "allOf" => list(rule).iter().all(valid),
        "not" => !valid(rule),
        "if" => {
            let branch = if valid(rule) { "then" } else { "else" };
            members.get(branch).is_none_or(valid)
        }
        "minimum" => value.as_f64().is_none_or(|it| it >= rule.as_f64().unwrap_or(it)),
        "maximum" => value.as_f64().is_none_or(|it| it <= rule.as_f64().unwrap_or(it)),
        "minLength" => value.as_str().is_none_or(|it| it.chars().count() as u64 >= count(rule)),
        "maxLength" => value.as_str().is_none_or(|it| it.chars().count() as u64 <= count(rule)),
        "minItems" => value.as_array().is_none_or(|it| it.len() as u64 >= count(rule)),
        "maxItems" => value.as_array().is_none_or(|it| it.len() as u64 <= count(rule)),
        "items" => value.as_array().is_none_or(|all| all.iter().all(|it| is_valid(rule, it, root))),
        _ => value.as_object().is_none_or(|object| holds(key, rule, members, object, value, root)),
    })
}

/// The keywords that are about objects.
fn holds(
    key: &str,
    rule: &Value,
    members: &Map<String, Value>,
    object: &Map<String, Value>,
    value: &Value,
    root: &Value,
) -> bool {
    let empty = Map::new();
    let schemas = rule.as_object().unwrap_or(&empty);
    match key {
        "required" => rule.as_array().is_none_or(|all| {
            all.iter().filter_map(Value::as_str).all(|it| object.contains_key(it))
        }),
        "properties" => schemas
            .iter()
            .all(|(name, schema)| object.get(name).is_none_or(|it| is_valid(schema, it, root))),
        "dependentSchemas" => schemas
            .iter()
            .all(|(name, schema)| !object.contains_key(name) || is_valid(schema, value, root)),
        "additionalProperties" => {
            let named = members.get("properties").and_then(Value::as_object).unwrap_or(&empty);
            let mut others = object.iter().filter(|(name, _)| !named.contains_key(*name));
            others.all(|(_, it)| is_valid(rule, it, root))
        }
        _ => true,
    }
}

fn count(rule: &Value) -> u64 {
    rule.as_u64().unwrap_or_default()
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|it| it.fract() == 0.0)
        }
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
