//! Values of payload types for tests: as Rust spells them, and as JSON with and without a mistake.

use super::payload::{call, contains, reaches, variant_names};
use super::{WIDTH, identifier, text, unique};
use crate::contract::Contract;
use crate::name::snake;
use crate::types::{Body, Definition, Field, Type};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A function for each object of a payload that makes one, and a check of the members that it writes.
pub(super) fn producer(contract: &Contract) -> (String, String) {
    let (mut functions, mut checks) = (Vec::new(), Vec::new());
    for (name, fields) in objects(contract) {
        let function = snake(name);
        let lines: String = fields
            .iter()
            .map(|field| {
                let own = identifier(&field.key);
                let line = format!("        {own}: {},\n", member(contract, name, field));
                let is_long = line.trim_end().len() > WIDTH;
                let parts = line.strip_suffix("),\n").and_then(|it| it.split_once("then(|| "));
                match parts.filter(|_| is_long) {
                    Some((head, value)) => {
                        format!("{head}then(|| {{\n            {value}\n        }}),\n")
                    }
                    None => line,
                }
            })
            .collect();
        let depth = if lines.contains("depth") { "depth" } else { "_" };
        let head = format!("fn a_{function}({depth}: usize) -> {name} {{");
        let head = if head.len() <= WIDTH {
            head
        } else {
            format!("fn a_{function}(\n    {depth}: usize,\n) -> {name} {{")
        };
        functions.push(format!("{head}\n    {name} {{\n{lines}    }}\n}}"));
        let mut keys: Vec<&str> = fields.iter().map(|field| field.key.as_str()).collect();
        keys.sort_unstable();
        let keys = text(&json!(keys).to_string());
        checks.push(call("check", &[&format!("&a_{function}(1)"), &keys], ";", 4));
    }
    (functions.join("\n\n"), checks.concat())
}

/// Each object of a payload, a value of it, and values with one mistake: a type, a value, and whether it fits.
pub(super) fn caller(contract: &Contract) -> Vec<Value> {
    let mut all = Vec::new();
    for (name, fields) in objects(contract) {
        let whole = object(contract, fields, 1);
        all.push(json!([name, whole, true]));
        for field in fields {
            if let Some(wrong) = wrong(contract, &field.of) {
                let mut changed = whole.clone();
                changed.insert(field.key.clone(), wrong);
                all.push(json!([name, changed, false]));
            }
            if field.required {
                let mut changed = whole.clone();
                changed.remove(&field.key);
                all.push(json!([name, changed, false]));
            }
        }
    }
    all
}

/// The names of the objects of all payloads.
pub(super) fn objects(contract: &Contract) -> impl Iterator<Item = (&str, &Vec<Field>)> {
    contract.definitions.iter().filter_map(|definition| match &definition.body {
        Body::Object(fields) => Some((definition.name.as_str(), fields)),
        _ => None,
    })
}

fn definition<'c>(contract: &'c Contract, name: &str) -> Option<&'c Definition> {
    contract.definitions.iter().find(|it| it.name == name)
}

/// Whether a value of a type needs an object.
fn needs_object(contract: &Contract, of: &Type, seen: &mut BTreeSet<String>) -> bool {
    match of {
        Type::List(of) | Type::Map(of) => needs_object(contract, of, seen),
        Type::Union(_) => match of.split_null() {
            (Type::Union(_), _) => false,
            (one, _) => needs_object(contract, &one, seen),
        },
        Type::Named(name) if seen.insert(name.clone()) => {
            match definition(contract, name).map(|it| &it.body) {
                Some(Body::Alias(Type::Union(all))) => {
                    all.iter().any(|one| needs_object(contract, one, seen))
                }
                Some(Body::Alias(of)) => needs_object(contract, of, seen),
                Some(Body::Object(_)) => true,
                _ => false,
            }
        }
        _ => false,
    }
}

fn member(contract: &Contract, name: &str, field: &Field) -> String {
    let mut value = expression(contract, &field.of);
    if contains(contract, &field.of, name, &mut BTreeSet::new()) {
        let (inner, has_null) = field.of.split_null();
        value = format!("Box::new({})", expression(contract, &inner));
        if has_null {
            value = format!("Some({value})");
        }
    }
    if field.required {
        return value;
    }
    if needs_object(contract, &field.of, &mut BTreeSet::new()) {
        return match value.strip_suffix("::new()") {
            Some(of) => format!("(depth > 0).then({of}::new)"),
            None => format!("(depth > 0).then(|| {value})"),
        };
    }
    format!("Some({value})")
}

/// A value of a type as Rust spells it.
fn expression(contract: &Contract, of: &Type) -> String {
    match of {
        Type::Json => "Json::Bool(true)".to_owned(),
        Type::Null => "Json::Null".to_owned(),
        Type::Bool => "true".to_owned(),
        Type::Integer => "7".to_owned(),
        Type::Number => "1.5".to_owned(),
        Type::Text => "\"text\".to_owned()".to_owned(),
        Type::List(_) => "Vec::new()".to_owned(),
        Type::Map(_) => "BTreeMap::new()".to_owned(),
        Type::Union(_) => match of.split_null() {
            (Type::Union(_), _) => "Json::Bool(true)".to_owned(),
            (one, _) => format!("Some({})", expression(contract, &one)),
        },
        Type::Named(name) => match definition(contract, name).map(|it| &it.body) {
            Some(Body::Choice(texts)) => {
                let named = unique(texts.iter().map(String::as_str));
                named.first().map_or_else(String::new, |(own, _)| format!("{name}::{own}"))
            }
            Some(Body::Alias(of)) => match of.split_null() {
                (Type::Union(variants), _) => {
                    let own = variant_names(name, &variants).remove(0);
                    format!("{name}::{own}(Box::new({}))", expression(contract, &variants[0]))
                }
                _ if reaches(contract, of, name, &mut BTreeSet::new()) => {
                    format!("{name}({})", expression(contract, of))
                }
                _ => expression(contract, of),
            },
            _ => format!("a_{}(depth.saturating_sub(1))", snake(name)),
        },
    }
}

fn object(contract: &Contract, fields: &[Field], depth: usize) -> Map<String, Value> {
    let is_there = |field: &&Field| {
        depth > 0 || field.required || !needs_object(contract, &field.of, &mut BTreeSet::new())
    };
    let one = |field: &Field| (field.key.clone(), value(contract, &field.of, depth));
    fields.iter().filter(is_there).map(one).collect()
}

/// A value of a type as JSON.
fn value(contract: &Contract, of: &Type, depth: usize) -> Value {
    match of {
        Type::Json | Type::Bool => json!(true),
        Type::Null => json!(null),
        Type::Integer => json!(7),
        Type::Number => json!(1.5),
        Type::Text => json!("text"),
        Type::List(_) => json!([]),
        Type::Map(_) => json!({}),
        Type::Union(_) => match of.split_null() {
            (Type::Union(_), _) => json!(true),
            (one, _) if depth > 0 => value(contract, &one, depth - 1),
            _ => json!(null),
        },
        Type::Named(name) => match definition(contract, name).map(|it| &it.body) {
            Some(Body::Choice(texts)) => json!(texts.first()),
            Some(Body::Alias(Type::Union(all))) => value(contract, &all[0], depth),
            Some(Body::Alias(of)) => value(contract, of, depth),
            Some(Body::Object(fields)) => {
                Value::Object(object(contract, fields, depth.saturating_sub(1)))
            }
            None => json!(true),
        },
    }
}

/// A value that a type does not have, unless it has all.
fn wrong(contract: &Contract, of: &Type) -> Option<Value> {
    match of.split_null().0 {
        Type::Json | Type::Null | Type::Union(_) => None,
        Type::Text => Some(json!(7)),
        Type::Named(name) => match &definition(contract, &name)?.body {
            Body::Choice(_) => Some(json!("surprise")),
            Body::Object(_) => Some(json!(7)),
            Body::Alias(of) => wrong(contract, of),
        },
        _ => Some(json!("surprise")),
    }
}
