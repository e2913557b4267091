//! Sets of values that a program declares in the schema of its output. No other set is closed.

use crate::shape::Shape;
use serde_json::Value;
use std::collections::BTreeSet;

/// How deep a schema is followed.
const DEEPEST: usize = 24;
/// Where a payload stands in an envelope.
const PAYLOADS: &[&str] = &["data", "result"];

/// Marks the closed sets of a schema, which describes the whole answer or its payload.
pub(super) fn declare(shape: &mut Shape, schema: &Value) {
    let named = |shape: &Shape| {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.is_none_or(|it| it.keys().any(|key| shape.fields.contains_key(key)))
    };
    if named(shape) && schema.get("properties").is_some() {
        return mark(shape, schema, schema, 0);
    }
    for name in PAYLOADS {
        if let Some(field) = shape.fields.get_mut(*name) {
            return mark(&mut field.shape, schema, schema, 0);
        }
    }
}

fn mark(shape: &mut Shape, schema: &Value, root: &Value, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        if let Some(target) = target.strip_prefix('#').and_then(|path| root.pointer(path)) {
            mark(shape, target, root, depth + 1);
        }
        return;
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let texts: BTreeSet<String> =
            values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if !texts.is_empty() {
            shape.choices.get_or_insert_default().extend(texts);
        }
    }
    for (key, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if let Some(field) = shape.fields.get_mut(key) {
            mark(&mut field.shape, inner, root, depth + 1);
        }
    }
    if let (Some(items), Some(inner)) = (shape.items.as_mut(), schema.get("items")) {
        mark(items, inner, root, depth + 1);
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        for inner in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
            mark(shape, inner, root, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Path, shape_of};
    use serde_json::json;

    #[test]
    fn a_set_is_closed_where_the_schema_says_so() {
        let answer = json!({"ok": true, "data": [{"state": "open", "name": "x"}]});
        let schema = json!({
            "type": "array",
            "items": {"$ref": "#/$defs/Task"},
            "$defs": {"Task": {"properties": {"state": {"enum": ["open", "done"]}}}},
        });
        let mut shape = shape_of(&answer, 0, 0);
        declare(&mut shape, &schema);
        let nodes = shape.nodes();
        let at = |path: &str| &nodes[&Path::parse(path).expect("a path")].choices;
        assert_eq!(at(".data[].state").as_ref().map(BTreeSet::len), Some(2));
        assert!(at(".data[].name").is_none());
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let mut shape = shape_of(&json!({"data": {"a": {"a": {}}}}), 0, 0);
        declare(&mut shape, &json!({"$ref": "#"}));
        declare(&mut shape, &json!({"properties": {"a": {"$ref": "#"}}}));
    }
}
