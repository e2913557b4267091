//! A lock as a manifest: what it says of answers and failures, for whatever is made from a manifest.

use crate::lock::{Attribute, Command, Facts, Failure, Group, Lock};
use crate::shape::{Shape, Types};
use manila::manifest::{Entry, ExitCode, Manifest};
use manila::table::Field;
use manila::{Dialect, Exit};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The commands that answer in an envelope, with the schemas of their data and the codes of their
/// failures. A lock does not name its program, and neither does the manifest.
pub fn manifest(lock: &Lock) -> Manifest {
    let answers = lock.commands.values().filter_map(|command| command.answers.get(&Group::Ok));
    let named: BTreeSet<&String> =
        answers.filter_map(|answer| one(&answer.facts, Attribute::Dialect)).collect();
    // Commands of several dialects have no envelope in common.
    let id = if named.len() == 1 { named.into_iter().next() } else { None };
    let dialect = id.and_then(|id| manila::dialect(id));
    let entry = |(words, command): (&Vec<String>, &Command)| {
        let is_called = !command.is_group && command.answers.contains_key(&Group::Ok);
        (words.join("."), Entry { runnable: is_called, ..entry(command, dialect) })
    };
    Manifest {
        dialect: id.cloned().unwrap_or_default(),
        commands: lock.commands.iter().map(entry).collect(),
        ..Manifest::default()
    }
}

fn entry(command: &Command, dialect: Option<&'static dyn Dialect>) -> Entry {
    let mut entry =
        Entry { aliases: command.aliases.iter().cloned().collect(), ..Entry::default() };
    if let Some(answer) = command.answers.get(&Group::Ok) {
        entry
            .output_kinds
            .extend(answer.facts.get(&Attribute::Kind).into_iter().flatten().cloned());
        let data = dialect.and_then(|dialect| data(&answer.body, dialect));
        entry.output_schema = data.map(schema);
        let success = ExitCode { name: Exit::Success.name().to_owned(), ..ExitCode::default() };
        entry.exit_codes.insert(0, success);
    }
    for (failure, facts) in &command.failures {
        let (code, status) = match failure {
            Failure::Code(code) => {
                (Some(code), one(facts, Attribute::Status).and_then(|status| status.parse().ok()))
            }
            Failure::Exit(status) => (None, Some(*status)),
        };
        let Some(status) = status else { continue };
        let row = dialect.and_then(|dialect| dialect.table().exits.row(status));
        let class =
            row.map(|row| row.exit.name()).or(one(facts, Attribute::Class).map(String::as_str));
        let Some(class) = class else { continue };
        let exit = entry.exit_codes.entry(status).or_default();
        exit.name = class.to_owned();
        exit.codes.extend(code.cloned());
    }
    entry
}

/// The only value of an attribute.
fn one(facts: &Facts, attribute: Attribute) -> Option<&String> {
    facts.get(&attribute).filter(|values| values.len() == 1)?.first()
}

/// The shape of the payload, where the dialect keeps it under a key.
fn data<'s>(body: &'s Shape, dialect: &'static dyn Dialect) -> Option<&'s Shape> {
    let key = dialect.table().keys.iter().find(|key| key.field == Field::Data)?;
    body.fields.get(key.name).map(|field| field.shape.as_ref()).filter(|shape| !shape.is_empty())
}

/// The JSON Schema of a shape. Only what was met often enough is required.
fn schema(shape: &Shape) -> Value {
    let names: Vec<Value> = shape.types.names().map(Value::from).collect();
    let mut schema = Map::new();
    match names.as_slice() {
        [] => return json!({}),
        [one] => schema.insert("type".to_owned(), one.clone()),
        _ => schema.insert("type".to_owned(), Value::from(names)),
    };
    if let Some(choices) = shape.choices.as_ref().filter(|_| shape.types == Types::STRING) {
        schema.insert("enum".to_owned(), choices.iter().cloned().collect());
    }
    if let Some(items) = &shape.items {
        schema.insert("items".to_owned(), self::schema(items));
    }
    if let Some(entries) = &shape.entries {
        schema.insert("additionalProperties".to_owned(), self::schema(entries));
    }
    if !shape.fields.is_empty() {
        let properties = shape.fields.iter();
        let properties: Map<String, Value> =
            properties.map(|(key, field)| (key.clone(), self::schema(&field.shape))).collect();
        schema.insert("properties".to_owned(), Value::Object(properties));
        let is_required = |key: &&String| shape.seen.is_enough() && !shape.fields[*key].is_optional;
        let required: Vec<Value> =
            shape.fields.keys().filter(is_required).cloned().map(Value::from).collect();
        if !required.is_empty() {
            schema.insert("required".to_owned(), Value::from(required));
        }
    }
    Value::Object(schema)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::Join;
    use crate::shape::shape_of;

    #[test]
    fn a_schema_accepts_what_its_shape_was_made_of_and_refuses_another_type() {
        let samples = [
            json!({"id": 1, "name": "a", "tags": ["x"], "due": null}),
            json!({"id": 2, "name": "b", "tags": [], "due": "2026-11-16", "more": {"n": 1.5}}),
            json!({"id": 3, "name": "c", "tags": [], "due": null}),
        ];
        let mut shape = Shape::default();
        for (sample, value) in (0..).zip(&samples) {
            shape.join(&shape_of(value, sample % 2, sample));
        }
        let schema = schema(&shape);
        assert_eq!(schema["required"], json!(["due", "id", "name", "tags"]));
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        assert!(samples.iter().all(|value| validator.is_valid(value)), "{schema}");
        for wrong in [json!([]), json!({"id": "1", "name": "a", "tags": [], "due": null})] {
            assert!(!validator.is_valid(&wrong), "{wrong} {schema}");
        }
    }

    #[test]
    fn a_lock_tells_the_data_and_the_codes_of_each_command() {
        let lock = "manila.lock 1\n\
                    /ls : command\n\
                    /ls error not_found class : NOT_FOUND\n\
                    /ls error not_found status : 1\n\
                    /ls ok\n\
                    /ls ok . : object\n\
                    /ls ok .data : array always?\n\
                    /ls ok .data[] : object\n\
                    /ls ok .data[].id : string always\n\
                    /ls ok .ok : boolean always\n\
                    /ls ok dialect : td/1\n\
                    /ls ok kind : task_list\n\
                    /ls ok status : 0\nend\n";
        let manifest = manifest(&Lock::read(lock).expect("a lock"));
        assert_eq!(manifest.dialect, "td/1");
        let entry = &manifest.commands["ls"];
        assert!(entry.runnable);
        assert_eq!(entry.output_kinds, ["task_list"]);
        let items = &entry.output_schema.as_ref().expect("a schema")["items"];
        assert_eq!((&items["type"], &items["required"]), (&json!("object"), &json!(["id"])));
        let codes: Vec<(i32, &str, &[String])> = entry
            .exit_codes
            .iter()
            .map(|(status, code)| (*status, code.name.as_str(), code.codes.as_slice()))
            .collect();
        let failed = ["not_found".to_owned()];
        assert_eq!(codes, [(0, "SUCCESS", &[][..]), (1, "GENERAL_ERROR", &failed[..])]);
    }
}
