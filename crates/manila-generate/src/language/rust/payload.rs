//! The types of payloads in Rust, and how each is written or read.

use super::{WIDTH, arm, identifier, text, unique};
use crate::Side;
use crate::contract::{Contract, plain};
use crate::error::Error;
use crate::language::spell::{named, width};
use crate::types::{Body, Definition, Field, Type};
use std::collections::BTreeSet;

/// The types of every payload, with how each is written.
pub(super) fn payload_types(contract: &Contract, side: Side) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for definition in &contract.definitions {
        all.push(payload_type(contract, definition, side)?);
    }
    for command in &contract.commands {
        let name = format!("{}Data", command.name);
        if command.data != Type::Named(name.clone()) {
            let path = plain(&command.path);
            let path =
                if path.is_empty() { "the program itself".to_owned() } else { format!("`{path}`") };
            let doc = format!("/// What {path} answers with.\n");
            all.push(format!("{doc}{}", alias(contract, &name, &command.data, side)));
        }
    }
    Ok(all)
}

/// A type of that name: an enum for a union, else an alias.
fn alias(contract: &Contract, name: &str, of: &Type, side: Side) -> String {
    match of.split_null() {
        (Type::Union(variants), has_null) => union(contract, name, &variants, has_null, side),
        _ if reaches(contract, of, name, &mut BTreeSet::new()) => {
            let body = match side {
                Side::Producer => "self.0.to_json()\n".to_owned(),
                Side::Caller => "FromJson::from_json(value).map(Self)\n".to_owned(),
            };
            format!(
                "#[derive(Clone, Debug, PartialEq)]\npub struct {name}(pub {});\n\n{}",
                rust(of),
                conversion(name, &body, side)
            )
        }
        _ => type_alias(name, &rust(of)),
    }
}

pub(super) fn type_alias(name: &str, of: &str) -> String {
    let line = format!("pub type {name} = {of};");
    if line.len() <= WIDTH { line } else { format!("pub type {name} =\n    {of};") }
}

/// An enum of boxes.
fn union(contract: &Contract, name: &str, variants: &[Type], has_null: bool, side: Side) -> String {
    let mut lines = Vec::new();
    let mut arms = Vec::new();
    let mut readings = Vec::new();
    for (own, variant) in variant_names(name, variants).into_iter().zip(variants) {
        lines.push(format!("    {own}(Box<{}>),\n", rust(variant)));
        arms.push(format!("    {name}::{own}(one) => one.to_json(),\n"));
        readings.push(match variant {
            // Objects may be alike, and only their schemas differ.
            Type::Named(named) if contract.schemas.contains_key(named) => format!(
                "if fits({}, value) {{\n    return FromJson::from_json(value).map(Self::{own});\n}}\n",
                text(named)
            ),
            _ => format!(
                "if let Ok(one) = FromJson::from_json(value) {{\n    return Ok(Self::{own}(one));\n}}\n"
            ),
        });
    }
    if has_null {
        lines.push("    Null,\n".to_owned());
        arms.push(format!("    {name}::Null => Json::Null,\n"));
        readings.insert(0, "if *value == Json::Null {\n    return Ok(Self::Null);\n}\n".to_owned());
    }
    let body = match side {
        Side::Producer => format!("match self {{\n{}}}\n", arms.concat()),
        Side::Caller => {
            format!("{}Err(format!(\"{{value}} is no {name}\"))\n", readings.concat())
        }
    };
    format!(
        "#[derive(Clone, Debug, PartialEq)]\npub enum {name} {{\n{}}}\n\n{}",
        lines.concat(),
        conversion(name, &body, side)
    )
}

/// The names of the variants of a union.
pub(super) fn variant_names(name: &str, variants: &[Type]) -> Vec<String> {
    let one = |(number, variant): (usize, &Type)| {
        let own = match variant {
            Type::Named(named) => named.strip_prefix(name).unwrap_or(named),
            _ => "",
        };
        let is_name = own.starts_with(|it: char| it.is_ascii_uppercase());
        if is_name { own.to_owned() } else { format!("Variant{}", number + 1) }
    };
    variants.iter().enumerate().map(one).collect()
}

/// How a type is written or read, from the body of the function that does so.
fn conversion(name: &str, body: &str, side: Side) -> String {
    let body: String = body.lines().map(|line| format!("        {line}\n")).collect();
    let head = match side {
        Side::Producer => {
            format!("impl ToJson for {name} {{\n    fn to_json(&self) -> Json {{\n")
        }
        Side::Caller => format!(
            "impl FromJson for {name} {{\n    fn from_json(value: &Json) -> Result<Self, String> {{\n"
        ),
    };
    format!("{head}{body}    }}\n}}")
}

fn payload_type(contract: &Contract, definition: &Definition, side: Side) -> Result<String, Error> {
    let Definition { name, doc, body } = definition;
    let doc = plain(doc);
    let doc = if doc.is_empty() { String::new() } else { format!("/// {doc}\n") };
    Ok(match body {
        Body::Alias(of) => format!("{doc}{}", alias(contract, name, of, side)),
        Body::Choice(texts) => format!("{doc}{}", choice(name, texts, side)),
        Body::Object(fields) => format!("{doc}{}", structure(contract, name, fields, side)?),
    })
}

/// An enum of texts.
pub(super) fn choice(name: &str, texts: &[String], side: Side) -> String {
    let conversion = match side {
        Side::Producer => {
            let arms = arms(name, texts, "text(match self {", "})");
            conversion(name, &arms, side)
        }
        Side::Caller => {
            let body = format!(
                "let found = text(Some(value)).and_then(|text| {name}::from_text(&text));\nfound.ok_or_else(|| format!(\"{{value}} is no {name}\"))\n"
            );
            format!("{}\n\n{}", literal(name, texts), conversion(name, &body, side))
        }
    };
    format!("{}\n\n{conversion}", variants(name, texts))
}

/// A check of how each variant is spelled.
pub(super) fn choice_checks(name: &str, texts: &[String]) -> Vec<String> {
    let named = unique(texts.iter().map(String::as_str));
    let one = |(own, spelled): &(String, &str)| {
        let line = call("check", &[&format!("&{name}::{own}"), &text(spelled)], ";", 4);
        line.trim_end().to_owned()
    };
    named.iter().map(one).collect()
}

/// An enum of texts that is no payload.
pub(super) fn code(name: &str, texts: &[String]) -> String {
    format!("{}\n\n{}", variants(name, texts), literal(name, texts))
}

fn variants(name: &str, texts: &[String]) -> String {
    let named = unique(texts.iter().map(String::as_str));
    let variants: Vec<String> = named.iter().map(|(own, _)| format!("    {own},\n")).collect();
    format!(
        "#[allow(clippy::enum_variant_names)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum {name} {{\n{}}}",
        variants.concat()
    )
}

/// A match from each variant to its text, two levels deep.
fn arms(name: &str, texts: &[String], head: &str, foot: &str) -> String {
    let named = unique(texts.iter().map(String::as_str));
    let arms = named.iter().map(|(own, one)| {
        let arm = arm(&format!("{name}::{own}"), &text(one), 12);
        format!("    {}\n", arm.replace('\n', "\n    "))
    });
    format!("{head}\n{}{foot}\n", arms.collect::<String>())
}

/// How callers read and spell an enum of texts.
fn literal(name: &str, texts: &[String]) -> String {
    let named = unique(texts.iter().map(String::as_str));
    let found = named.iter().map(|(own, one)| {
        let arm = arm(&text(one), &format!("{name}::{own}"), 12);
        format!("            {}\n", arm.replace('\n', "\n            "))
    });
    let spelled = arms(name, texts, "match self {", "}");
    let spelled: String = spelled.lines().map(|line| format!("        {line}\n")).collect();
    format!(
        "impl Literal for {name} {{\n    fn from_text(text: &str) -> Option<{name}> {{\n        Some(match text {{\n{}            _ => return None,\n        }})\n    }}\n\n    fn as_text(&self) -> &str {{\n{spelled}    }}\n}}",
        found.collect::<String>()
    )
}

fn structure(
    contract: &Contract,
    name: &str,
    fields: &[Field],
    side: Side,
) -> Result<String, Error> {
    let mut lines = Vec::new();
    let mut parts = Vec::new();
    for (own, field) in named(name, fields, identifier)? {
        let doc = plain(&field.doc);
        let doc = if doc.is_empty() { String::new() } else { format!("    /// {doc}\n") };
        let mut of = rust(&field.of);
        if contains(contract, &field.of, name, &mut BTreeSet::new()) {
            let (inner, has_null) = field.of.split_null();
            of = format!("Box<{}>", rust(&inner));
            if has_null {
                of = format!("Option<{of}>");
            }
        }
        if !field.required {
            of = format!("Option<{of}>");
        }
        let line = format!("    pub {own}: {of},\n");
        let is_long = line.trim_end().len() > WIDTH;
        let line = if is_long { format!("    pub {own}:\n        {of},\n") } else { line };
        lines.push(format!("{doc}{line}"));
        let key = text(&field.key);
        parts.push(match (side, field.required) {
            (Side::Producer, true) => {
                call("put", &["&mut members", &key, &format!("self.{own}.to_json()")], ";", 8)
            }
            (Side::Producer, false) => {
                call("put_some", &["&mut members", &key, &format!("&self.{own}")], ";", 8)
            }
            (Side::Caller, true) => call(&format!("    {own}: member"), &["value", &key], "?,", 8),
            (Side::Caller, false) => {
                call(&format!("    {own}: optional"), &["value", &key], "?,", 8)
            }
        });
    }
    let parts = parts.concat();
    let body = match side {
        Side::Producer => {
            format!("let mut members = Members::new();\n{parts}Json::Object(members)\n")
        }
        Side::Caller => format!("Ok(Self {{\n{parts}}})\n"),
    };
    Ok(format!(
        "#[derive(Clone, Debug, PartialEq)]\npub struct {name} {{\n{}}}\n\n{}",
        lines.concat(),
        conversion(name, &body, side)
    ))
}

/// A call as rustfmt leaves it so deep.
pub(super) fn call(head: &str, arguments: &[&str], tail: &str, depth: usize) -> String {
    let inner = arguments.join(", ");
    let line = format!("{head}({inner}){tail}\n");
    // The widest list of arguments that rustfmt leaves on one line.
    if width(&inner) <= 60 && width(line.trim_end()) + depth <= WIDTH {
        return line;
    }
    let indent = &head[..head.len() - head.trim_start().len()];
    let lines: String = arguments.iter().map(|one| format!("{indent}    {one},\n")).collect();
    format!("{head}(\n{lines}{indent}){tail}\n")
}

/// Whether a value of a type holds one of that name without a list or a map between.
pub(super) fn contains(
    contract: &Contract,
    of: &Type,
    name: &str,
    seen: &mut BTreeSet<String>,
) -> bool {
    match of {
        Type::Named(other) if other == name => true,
        Type::Named(other) if seen.insert(other.clone()) => {
            let definition = contract.definitions.iter().find(|it| it.name == *other);
            definition.is_some_and(|it| match &it.body {
                Body::Object(fields) => {
                    fields.iter().any(|field| contains(contract, &field.of, name, seen))
                }
                Body::Alias(of) => contains(contract, of, name, seen),
                Body::Choice(_) => false,
            })
        }
        Type::Union(all) => {
            // A union is an enum of boxes, unless it is only an option.
            matches!(of.split_null(), (Type::Named(_), true))
                && all.iter().any(|one| contains(contract, one, name, seen))
        }
        _ => false,
    }
}

/// Whether a type leads to that name at all, so that an alias would have no end.
pub(super) fn reaches(
    contract: &Contract,
    of: &Type,
    name: &str,
    seen: &mut BTreeSet<String>,
) -> bool {
    match of {
        Type::List(of) | Type::Map(of) => reaches(contract, of, name, seen),
        Type::Union(all) => all.iter().any(|one| reaches(contract, one, name, seen)),
        Type::Named(other) if other == name => true,
        Type::Named(other) if seen.insert(other.clone()) => {
            let definition = contract.definitions.iter().find(|it| it.name == *other);
            definition.is_some_and(
                |it| matches!(&it.body, Body::Alias(of) if reaches(contract, of, name, seen)),
            )
        }
        _ => false,
    }
}

/// A type as Rust spells it. A union without a name is any JSON.
fn rust(of: &Type) -> String {
    match of {
        Type::Json | Type::Null => "Json".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Integer => "i64".to_owned(),
        Type::Number => "f64".to_owned(),
        Type::Text => "String".to_owned(),
        Type::List(of) => format!("Vec<{}>", rust(of)),
        Type::Map(of) => format!("BTreeMap<String, {}>", rust(of)),
        Type::Named(name) => name.clone(),
        Type::Union(_) => match of.split_null() {
            (Type::Union(_), _) => "Json".to_owned(),
            (one, _) => format!("Option<{}>", rust(&one)),
        },
    }
}
