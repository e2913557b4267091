//! The JSON Schema that the documents of a dialect satisfy, from its keys.

use super::{
    CodeSet, Field, Key, Need, Null, OutcomeFrom, Outcomes, Rest, Role, Schema, Table, Type,
};
use crate::exit::Exit;
use serde_json::{Map, Value, json};

impl Table {
    /// The JSON Schema that its documents satisfy.
    pub fn json_schema(&self) -> Value {
        if let Schema::Own(text) = self.schema {
            // A schema beside a dialect is part of the source, and a test parses each.
            return serde_json::from_str(text).unwrap_or_default();
        }
        let mut schema = self.object(self.keys, self.rest, Outcomes::Both);
        if self.outcome == OutcomeFrom::Failure {
            // A success has no envelope: anything that does not have the keys of a failure.
            let failure = json!({ "required": schema.get("required") });
            schema = map(json!({ "anyOf": [schema, { "not": failure }] }));
        }
        schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        schema.insert("$id".to_owned(), json!(format!("manila:schema/{}", self.id)));
        schema.insert("title".to_owned(), json!(self.title));
        schema.insert("description".to_owned(), json!(self.description));
        let conditions = self.conditions();
        if !conditions.is_empty() {
            schema.insert("allOf".to_owned(), json!(conditions));
        }
        Value::Object(schema)
    }

    /// An object of these keys. `on` says in which outcome it is there at all.
    fn object(&self, keys: &[Key], rest: Rest, on: Outcomes) -> Map<String, Value> {
        let mut properties = Map::new();
        for key in keys {
            let schema = match key.role {
                Role::Own => self.property(key, if key.on == Outcomes::Both { on } else { key.on }),
                Role::Forbidden => json!(false),
                Role::Undeclared | Role::Tolerated => continue,
            };
            // Two keys of one name are two things that it may be.
            let schema = match properties.remove(key.name) {
                Some(other) => json!({ "anyOf": [other, schema] }),
                None => schema,
            };
            properties.insert(key.name.to_owned(), schema);
        }
        let is_always = |key: &&Key| {
            let applies = key.on == Outcomes::Both || self.outcome == OutcomeFrom::Failure;
            is_required(key) && applies
        };
        let required: Vec<_> = keys.iter().filter(is_always).map(|key| key.name).collect();
        let mut object = Map::new();
        object.insert("type".to_owned(), json!("object"));
        object.insert("properties".to_owned(), json!(properties));
        object.insert("required".to_owned(), json!(required));
        object.insert("additionalProperties".to_owned(), json!(rest != Rest::Odd));
        if let Some(dependent) = waiting(keys) {
            object.insert("dependentSchemas".to_owned(), dependent);
        }
        let numbers = self.numbers_of_codes(keys);
        if !numbers.is_empty() {
            object.insert("allOf".to_owned(), json!(numbers));
        }
        object
    }

    fn property(&self, key: &Key, on: Outcomes) -> Value {
        let mut schema = match key.of {
            Type::Object if key.keys.is_empty() => map(json!({ "type": "object" })),
            Type::Object => self.object(key.keys, key.rest, on),
            Type::Issues => {
                let items = self.object(key.keys, key.rest, on);
                map(json!({ "type": "array", "items": items }))
            }
            Type::Text if key.field == Field::Code && self.code_set == CodeSet::Closed => {
                let mut codes: Vec<_> = self.codes.iter().map(|(code, _)| code).collect();
                codes.sort_unstable();
                map(json!({ "enum": codes }))
            }
            Type::Text if key.field == Field::SchemaVersion && self.version.is_some() => {
                map(json!({ "type": "string", "pattern": "^\\d+\\.\\d+$" }))
            }
            Type::Text => map(json!({ "type": "string" })),
            Type::Scalar => map(json!({ "type": ["string", "integer"] })),
            Type::Flag => map(json!({ "type": "boolean" })),
            Type::Status => {
                let rows = self.exits.rows.iter();
                let numbers = || {
                    let rows =
                        rows.clone().filter(|row| on != Outcomes::Failure || row.status != 0);
                    rows.map(|row| row.status)
                };
                let (least, most) = (numbers().min(), numbers().max());
                map(json!({ "type": "integer", "minimum": least, "maximum": most }))
            }
            Type::Integer => map(json!({ "type": "integer" })),
            Type::Count => map(json!({ "type": "integer", "minimum": 0 })),
            Type::Array => map(json!({ "type": "array" })),
            Type::Texts => map(json!({ "type": "array", "items": { "type": "string" } })),
            Type::Container => map(json!({ "type": ["object", "array"] })),
            Type::Any => Map::new(),
            Type::Const(texts) => map(json!({ "const": texts.first() })),
            Type::OneOf(texts) => map(json!({ "enum": texts })),
            Type::Outcome { success, failure } => {
                let all: Vec<_> = success.iter().chain(failure).collect();
                map(json!({ "enum": all }))
            }
        };
        if matches!(key.null, Null::Nothing | Null::Value)
            && let Some(types) = schema.get_mut("type")
        {
            match types {
                Value::Array(types) => types.push(json!("null")),
                one => *one = json!([one, "null"]),
            }
        }
        if !key.doc.is_empty() {
            schema.insert("description".to_owned(), json!(key.doc));
        }
        Value::Object(schema)
    }

    /// Where the set of codes is closed, each goes with the number of its class.
    fn numbers_of_codes(&self, keys: &[Key]) -> Vec<Value> {
        let name = |field| keys.iter().find(|key| key.field == field).map(|key| key.name);
        let (Some(code), Some(number)) = (name(Field::Code), name(Field::Status)) else {
            return Vec::new();
        };
        if self.code_set == CodeSet::Open {
            return Vec::new();
        }
        let rule = |(text, exit): &(&str, Exit)| {
            json!({
                "if": { "properties": { code: { "const": text } }, "required": [code] },
                "then": { "properties": { number: { "const": self.exits.status(*exit) } } },
            })
        };
        // In an order of their own: a file lists them by class.
        let mut codes = self.codes.to_vec();
        codes.sort_unstable();
        codes.iter().map(rule).collect()
    }

    /// What goes with which outcome.
    fn conditions(&self) -> Vec<Value> {
        let mut conditions = Vec::new();
        for (ok, other) in [(true, Outcomes::Failure), (false, Outcomes::Success)] {
            let Some(condition) = self.condition(ok) else { continue };
            let own = if ok { Outcomes::Success } else { Outcomes::Failure };
            let mut properties = Map::new();
            for key in self.keys {
                let has_twin = self.keys.iter().any(|it| it.name == key.name && it.on != other);
                let schema = match key.field {
                    _ if key.on == other && has_twin => continue,
                    _ if key.on == other => json!(false),
                    Field::Error if key.null == Null::Nothing && ok => json!({ "type": "null" }),
                    Field::Error if key.null == Null::Nothing => json!({ "type": "object" }),
                    Field::Data if key.null == Null::Nothing && !ok => json!({ "type": "null" }),
                    _ => continue,
                };
                properties.insert(key.name.to_owned(), schema);
            }
            let is_own = |key: &&Key| key.on == own && is_required(key);
            let required: Vec<_> = self.keys.iter().filter(is_own).map(|key| key.name).collect();
            if !properties.is_empty() || !required.is_empty() {
                let then = json!({ "properties": properties, "required": required });
                conditions.push(json!({ "if": condition, "then": then }));
            }
        }
        conditions.extend(self.nothing_said());
        conditions
    }

    /// What holds in one outcome only.
    fn condition(&self, ok: bool) -> Option<Value> {
        let holds = |name: &str, schema: Value| {
            Some(json!({ "properties": { name: schema }, "required": [name] }))
        };
        for key in self.keys.iter().filter(|key| key.role == Role::Own) {
            match (key.field, key.of) {
                (Field::Ok, _) => return holds(key.name, json!({ "const": ok })),
                (Field::Failed, _) => return holds(key.name, json!({ "const": !ok })),
                (Field::Status, _) if ok => return holds(key.name, json!({ "const": 0 })),
                (Field::Status, _) => return holds(key.name, json!({ "not": { "const": 0 } })),
                (Field::Outcome, Type::Outcome { success, failure }) => {
                    let texts = if ok { success } else { failure };
                    return holds(key.name, json!({ "enum": texts }));
                }
                _ => {}
            }
        }
        let is_error = |key: &&Key| matches!(key.field, Field::Error | Field::Message);
        let error =
            self.keys.iter().find(is_error).filter(|_| self.outcome == OutcomeFrom::Error)?;
        let failed = json!({ "required": [error.name] });
        Some(if ok { json!({ "not": failed }) } else { failed })
    }

    /// Where data and error are always there, both are null only if `meta` says why.
    fn nothing_said(&self) -> Option<Value> {
        let nullable = |field| {
            self.keys.iter().find(move |key| key.field == field && key.null == Null::Nothing)
        };
        let (data, error) = (nullable(Field::Data)?.name, nullable(Field::Error)?.name);
        let meta = self.keys.iter().find(|key| key.field == Field::Meta)?;
        let is_true =
            |name: &str| json!({ "properties": { name: { "const": true } }, "required": [name] });
        let not_modified = meta.keys.iter().find(|key| key.field == Field::NotModified);
        let mut reasons: Vec<_> = not_modified.map(|key| is_true(key.name)).into_iter().collect();
        for name in self.no_data {
            let is_flag = meta.keys.iter().any(|key| key.name == *name && key.of == Type::Flag);
            reasons.push(if is_flag { is_true(name) } else { json!({ "required": [name] }) });
        }
        let is_null = json!({ "type": "null" });
        Some(json!({
            "if": { "properties": { data: is_null, error: is_null }, "required": [data, error] },
            "then": { "properties": { meta.name: { "anyOf": reasons } } },
        }))
    }
}

fn is_required(key: &Key) -> bool {
    key.role == Role::Own && key.need == Need::Required && key.need_if.is_empty()
}

/// A waiting time makes sense only for a failure that may be retried.
fn waiting(keys: &[Key]) -> Option<Value> {
    let own = |fields: &[Field]| {
        keys.iter().find(|key| key.role == Role::Own && fields.contains(&key.field))
    };
    let wait = own(&[Field::WaitSeconds, Field::WaitMs])?.name;
    let retryable = own(&[Field::Retryable])?.name;
    let rule = json!({ "properties": { retryable: { "const": true } }, "required": [retryable] });
    Some(json!({ wait: rule }))
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
