//! Reads one JSON Schema into definitions.

use super::{Body, Definition, Definitions, Field, Type, free, union};
use crate::error::{Error, ErrorKind};
use crate::name::pascal;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// One schema on its way into the definitions.
pub(super) struct Reading<'a> {
    pub(super) into: &'a mut Definitions,
    pub(super) root: &'a Value,
    pub(super) place: String,
    pub(super) command: String,
    /// The type name of each definition of this schema that was met.
    pub(super) names: BTreeMap<String, String>,
}

/// A schema that is nested deeper than this is refused.
const DEEPEST: usize = 64;

impl Reading<'_> {
    fn fail<T>(&self, what: impl std::fmt::Display) -> Result<T, Error> {
        Err(Error::schema(format!("{}: {what}", self.place)))
    }

    /// The type of a schema; a new definition is called `name`.
    pub(super) fn of(&mut self, schema: &Value, name: &str, depth: usize) -> Result<Type, Error> {
        if depth > DEEPEST {
            return self.fail("its schema is nested too deeply");
        }
        let object = match schema {
            Value::Bool(true) => return Ok(Type::Json),
            Value::Bool(false) => return self.fail("`false` is a schema that no value satisfies"),
            Value::Object(object) => object,
            _ => return self.fail("a schema is an object, true or false"),
        };
        if let Some(reference) = object.get("$ref") {
            return self.reference(reference, depth);
        }
        if let Some(values) = constants(object) {
            return self.constants(values, object, name);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(variants)) = object.get(key) {
                return self.variants(object, variants, name, depth);
            }
        }
        if let Some(Value::Array(parts)) = object.get("allOf") {
            return self.merged(object, parts, name, depth);
        }
        match object.get("type") {
            Some(Value::Array(types)) => {
                let mut all = Vec::new();
                for one in types {
                    all.push(self.plain(one.as_str().unwrap_or_default(), object, name, depth)?);
                }
                Ok(union(all))
            }
            Some(Value::String(one)) => self.plain(one, object, name, depth),
            Some(_) => self.fail("`type` is neither a text nor a list of texts"),
            None if object.contains_key("properties") => self.plain("object", object, name, depth),
            None if object.contains_key("items") => self.plain("array", object, name, depth),
            None => Ok(Type::Json),
        }
    }

    fn plain(
        &mut self,
        of: &str,
        object: &Map<String, Value>,
        name: &str,
        depth: usize,
    ) -> Result<Type, Error> {
        Ok(match of {
            "null" => Type::Null,
            "boolean" => Type::Bool,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "string" => Type::Text,
            "array" => {
                let item = format!("{name}Item");
                let of = match (object.get("items"), object.get("prefixItems")) {
                    (_, Some(Value::Array(each))) => {
                        let mut all = Vec::new();
                        for (number, one) in each.iter().enumerate() {
                            all.push(self.of(one, &format!("{item}{}", number + 1), depth + 1)?);
                        }
                        union(all)
                    }
                    (Some(items), _) => self.of(items, &item, depth + 1)?,
                    (None, _) => Type::Json,
                };
                Type::List(Box::new(of))
            }
            "object" => return self.object(object, name, depth),
            other => return self.fail(format!("{other:?} is not a type of JSON Schema")),
        })
    }

    fn object(
        &mut self,
        object: &Map<String, Value>,
        name: &str,
        depth: usize,
    ) -> Result<Type, Error> {
        let properties = object.get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|it| !it.is_empty()) else {
            let others = match (object.get("additionalProperties"), object.get("patternProperties"))
            {
                (Some(schema @ Value::Object(_)), _) => {
                    self.of(schema, &format!("{name}Value"), depth + 1)?
                }
                (_, Some(Value::Object(patterns))) => {
                    let mut all = Vec::new();
                    for schema in patterns.values() {
                        all.push(self.of(schema, &format!("{name}Value"), depth + 1)?);
                    }
                    union(all)
                }
                _ => Type::Json,
            };
            return Ok(Type::Map(Box::new(others)));
        };
        let required = object.get("required").and_then(Value::as_array);
        let is_required = |key: &str| required.is_some_and(|all| all.iter().any(|one| one == key));
        let mut fields = Vec::new();
        for (key, schema) in properties {
            if *schema == Value::Bool(false) {
                continue;
            }
            fields.push(Field {
                key: key.clone(),
                doc: doc_of(schema),
                of: self.of(schema, &format!("{name}{}", pascal(key)), depth + 1)?,
                required: is_required(key),
            });
        }
        let doc = object.get("description").and_then(Value::as_str).unwrap_or_default();
        self.define(name, doc, Body::Object(fields))
    }

    /// Adds a definition. A second one of that name must be the same.
    fn define(&mut self, name: &str, doc: &str, body: Body) -> Result<Type, Error> {
        let definition = Definition { name: name.to_owned(), doc: doc.to_owned(), body };
        match self.into.all.iter().find(|it| it.name == name) {
            Some(known) if *known == definition => {}
            Some(_) => {
                return Err(Error::new(
                    ErrorKind::Collision,
                    format!("{}: two different types would be called {name}", self.place),
                    "rename one of them in the manifest",
                ));
            }
            None => self.into.all.push(definition),
        }
        Ok(Type::Named(name.to_owned()))
    }

    fn constants(
        &mut self,
        values: Vec<&Value>,
        object: &Map<String, Value>,
        name: &str,
    ) -> Result<Type, Error> {
        let texts: Vec<String> =
            values.iter().filter_map(|value| value.as_str()).map(str::to_owned).collect();
        let mut all = Vec::new();
        if !texts.is_empty() {
            let doc = object.get("description").and_then(Value::as_str).unwrap_or_default();
            all.push(self.define(name, doc, Body::Choice(texts))?);
        }
        for value in values {
            all.push(match value {
                Value::String(_) => continue,
                Value::Null => Type::Null,
                Value::Bool(_) => Type::Bool,
                Value::Number(number) if number.is_f64() => Type::Number,
                Value::Number(_) => Type::Integer,
                _ => Type::Json,
            });
        }
        if all.is_empty() {
            return self.fail("an `enum` without values is satisfied by none");
        }
        Ok(union(all))
    }

    fn variants(
        &mut self,
        object: &Map<String, Value>,
        variants: &[Value],
        name: &str,
        depth: usize,
    ) -> Result<Type, Error> {
        // Texts that are described one by one are one choice.
        let texts: Option<Vec<&Value>> = variants
            .iter()
            .map(|one| {
                let texts = one.as_object().and_then(constants)?;
                texts.iter().all(|text| text.is_string()).then_some(texts)
            })
            .collect::<Option<Vec<_>>>()
            .map(|all| all.concat());
        if let Some(texts) = texts.filter(|texts| !texts.is_empty()) {
            return self.constants(texts, object, name);
        }
        let mut all = Vec::new();
        for (number, variant) in variants.iter().enumerate() {
            let merged = with_common(object, variant);
            let name = format!("{name}{}", variant_name(variant, number));
            all.push(self.of(&merged, &name, depth + 1)?);
        }
        if all.is_empty() {
            return self.fail("a choice between no schemas is satisfied by no value");
        }
        Ok(union(all))
    }

    /// `allOf`: one object with the members of all.
    fn merged(
        &mut self,
        object: &Map<String, Value>,
        parts: &[Value],
        name: &str,
        depth: usize,
    ) -> Result<Type, Error> {
        if let ([one], false) = (parts, object.contains_key("properties")) {
            return self.of(one, name, depth + 1);
        }
        let mut whole = object.clone();
        whole.remove("allOf");
        for part in parts {
            let mut part = part;
            let mut hops = 0;
            while let Some(reference) = part.get("$ref") {
                hops += 1;
                match self.target(reference) {
                    Some((_, target)) if hops < DEEPEST => part = target,
                    _ => return self.fail(format!("{reference} leads nowhere")),
                }
            }
            whole = match with_common(&whole, part) {
                Value::Object(whole) => whole,
                _ => whole,
            };
        }
        if !whole.contains_key("properties") {
            return Ok(Type::Json);
        }
        self.of(&Value::Object(whole), name, depth + 1)
    }

    /// The definition that a reference leads to.
    fn target(&self, reference: &Value) -> Option<(String, &'_ Value)> {
        let (name, target) = target(self.root, reference.as_str()?)?;
        Some((name.unwrap_or_else(|| self.command.clone()), target))
    }

    fn reference(&mut self, reference: &Value, depth: usize) -> Result<Type, Error> {
        let Some((name, target)) = self.target(reference) else {
            return self.fail(format!("{reference} is not a definition of the same schema"));
        };
        if let Some(known) = self.names.get(&name) {
            return Ok(Type::Named(known.clone()));
        }
        let target = target.clone();
        let origin = closure(&target, self.root);
        // Equal definitions of two commands share a name; different ones get the command's before it.
        let mut type_name = free(pascal(&name));
        let is_other = |known: Option<&String>| known.is_some_and(|known| *known != origin);
        if self.names.values().any(|known| *known == type_name) {
            return Err(Error::new(
                ErrorKind::Collision,
                format!("{}: two definitions would be called {type_name}", self.place),
                "rename one of them in the manifest",
            ));
        }
        if is_other(self.into.origins.get(&type_name)) {
            type_name = format!("{}{type_name}", self.command);
        }
        self.names.insert(name, type_name.clone());
        if self.into.origins.insert(type_name.clone(), origin).is_some() {
            // It was read before, with everything that it refers to.
            self.visit_names(&target, depth)?;
            return Ok(Type::Named(type_name));
        }
        let of = self.of(&target, &type_name, depth + 1)?;
        if of != Type::Named(type_name.clone()) {
            self.define(&type_name, &doc_of(&target), Body::Alias(of))?;
        }
        let schema = self.rename(&target);
        self.into.schemas.insert(type_name.clone(), schema);
        Ok(Type::Named(type_name))
    }

    /// Finds the type names of what a known definition refers to.
    fn visit_names(&mut self, schema: &Value, depth: usize) -> Result<(), Error> {
        match schema {
            Value::Object(members) => {
                if let Some(reference) = members.get("$ref").filter(|it| it.is_string()) {
                    self.reference(reference, depth + 1)?;
                }
                members.values().try_for_each(|member| self.visit_names(member, depth + 1))
            }
            Value::Array(elements) => {
                elements.iter().try_for_each(|element| self.visit_names(element, depth + 1))
            }
            _ => Ok(()),
        }
    }

    /// A schema with references by type name, and without definitions of its own.
    pub(super) fn rename(&self, schema: &Value) -> Value {
        match schema {
            Value::Object(members) => {
                let renamed = members.iter().filter(|(key, _)| {
                    *key != "$defs" && *key != "definitions" && *key != "$schema" && *key != "$id"
                });
                let renamed = renamed.map(|(key, value)| {
                    let value = match (key.as_str(), self.target(value)) {
                        ("$ref", Some((name, _))) => {
                            let name = self.names.get(&name).unwrap_or(&name);
                            Value::String(format!("#/$defs/{name}"))
                        }
                        _ => self.rename(value),
                    };
                    (key.clone(), value)
                });
                Value::Object(renamed.collect())
            }
            Value::Array(elements) => {
                Value::Array(elements.iter().map(|element| self.rename(element)).collect())
            }
            other => other.clone(),
        }
    }
}

/// What a reference within a schema leads to, and the name that it has there; the schema itself has none.
pub(super) fn target<'v>(root: &'v Value, path: &str) -> Option<(Option<String>, &'v Value)> {
    if path == "#" {
        return Some((None, root));
    }
    let name = path.strip_prefix("#/$defs/").or(path.strip_prefix("#/definitions/"))?;
    let name = name.replace("~1", "/").replace("~0", "~");
    let holder = if path.starts_with("#/$defs/") { "$defs" } else { "definitions" };
    let target = root.get(holder)?.get(&name)?;
    Some((Some(name), target))
}

/// The values of `enum` or `const`.
fn constants(object: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (object.get("const"), object.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// A variant with the members that all variants have.
fn with_common(object: &Map<String, Value>, variant: &Value) -> Value {
    let (Some(common), Some(own)) =
        (object.get("properties").and_then(Value::as_object), variant.as_object())
    else {
        return variant.clone();
    };
    if own.contains_key("$ref") {
        return variant.clone();
    }
    let mut merged = own.clone();
    let mut properties = common.clone();
    let own_properties = own.get("properties").and_then(Value::as_object);
    properties.extend(own_properties.into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
    let list = |of: &Map<String, Value>| {
        of.get("required").and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let mut required = list(object);
    required.extend(list(own));
    merged.insert("type".to_owned(), json!("object"));
    merged.insert("properties".to_owned(), Value::Object(properties));
    merged.insert("required".to_owned(), Value::Array(required));
    Value::Object(merged)
}

/// What distinguishes a variant: the text of a member that has only one, or its number.
fn variant_name(variant: &Value, number: usize) -> String {
    let members = variant.get("properties").and_then(Value::as_object);
    let mut texts = members.into_iter().flatten().filter_map(|(_, schema)| {
        let one = schema.as_object().and_then(constants)?;
        if let [Value::String(text)] = one.as_slice() { Some(pascal(text)) } else { None }
    });
    let title = variant.get("title").and_then(Value::as_str).map(pascal);
    title.or_else(|| texts.next()).unwrap_or_else(|| format!("Variant{}", number + 1))
}

fn doc_of(schema: &Value) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A definition with everything that it leads to, as one text that can be compared.
fn closure(definition: &Value, root: &Value) -> String {
    let mut met: BTreeMap<String, &Value> = BTreeMap::new();
    let mut pending = vec![definition];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                let target = members.get("$ref").and_then(Value::as_str);
                let name = target.and_then(|target| target.rsplit('/').next());
                if let Some(name) = name.filter(|name| !met.contains_key(*name)) {
                    let found = ["$defs", "definitions"]
                        .iter()
                        .find_map(|holder| root.get(*holder)?.get(name));
                    if let Some(found) = found {
                        met.insert(name.to_owned(), found);
                        pending.push(found);
                    }
                }
                pending.extend(members.values());
            }
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    json!([definition, met]).to_string()
}
