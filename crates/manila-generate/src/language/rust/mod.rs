//! Rust: structs and enums with a small JSON of their own, `cargo test` for the tests.

mod producer;

use super::Language;
use crate::Side;
use crate::contract::{Contract, plain};
use crate::error::{Error, ErrorKind};
use crate::name::{pascal, snake};
use crate::types::{Body, Definition, Field, Type};
use std::collections::BTreeSet;

pub(super) static LANGUAGE: Language = Language {
    name: "rust",
    title: "Rust",
    generate: |contract, side| match side {
        Side::Producer => producer::files(contract),
        Side::Caller => Err(Error::new(
            ErrorKind::NoCaller,
            "callers are not generated in Rust: the crate manila-run has all that and more",
            "depend on manila-run, or pass --for producer",
        )),
    },
};

const CHECKER: &str = include_str!("../../../templates/rust/checker.rs.txt");
const JSON: &str = include_str!("../../../templates/rust/json.rs.txt");

/// The longest line that rustfmt leaves as it is.
const WIDTH: usize = 100;

/// Names for texts, each different from the others.
fn unique<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<(String, &'t str)> {
    let mut named: Vec<(String, &str)> = Vec::new();
    for one in texts {
        let name = pascal(one);
        let name = if name == "Self" { "Own".to_owned() } else { name };
        let same = |name: &str| named.iter().any(|(known, _)| known == name);
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| !same(name));
        named.push((name.unwrap_or_default(), one));
    }
    named
}

/// The types of every payload, with how each is written.
fn payload_types(contract: &Contract) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for definition in &contract.definitions {
        all.push(payload_type(contract, definition)?);
    }
    for command in &contract.commands {
        let name = format!("{}Data", command.name);
        if command.data != Type::Named(name.clone()) {
            let path = plain(&command.path);
            let path =
                if path.is_empty() { "the program itself".to_owned() } else { format!("`{path}`") };
            let doc = format!("/// What {path} answers with.\n");
            all.push(format!("{doc}{}", alias(contract, &name, &command.data)));
        }
    }
    Ok(all)
}

/// A type of that name: an enum for a union, else an alias.
fn alias(contract: &Contract, name: &str, of: &Type) -> String {
    match of.split_null() {
        (Type::Union(variants), has_null) => {
            let mut lines = Vec::new();
            let mut arms = Vec::new();
            for (number, variant) in variants.iter().enumerate() {
                let own = match variant {
                    Type::Named(named) => named.strip_prefix(name).unwrap_or(named).to_owned(),
                    _ => format!("Variant{}", number + 1),
                };
                let own = if own.starts_with(|it: char| it.is_ascii_uppercase()) {
                    own
                } else {
                    format!("Variant{}", number + 1)
                };
                lines.push(format!("    {own}(Box<{}>),\n", rust(variant)));
                arms.push(format!("            {name}::{own}(one) => one.to_json(),\n"));
            }
            if has_null {
                lines.push("    Null,\n".to_owned());
                arms.push(format!("            {name}::Null => Json::Null,\n"));
            }
            format!(
                "#[derive(Clone, Debug, PartialEq)]\npub enum {name} {{\n{}}}\n\nimpl ToJson for {name} {{\n    fn to_json(&self) -> Json {{\n        match self {{\n{}        }}\n    }}\n}}",
                lines.concat(),
                arms.concat()
            )
        }
        _ if reaches(contract, of, name, &mut BTreeSet::new()) => {
            format!(
                "#[derive(Clone, Debug, PartialEq)]\npub struct {name}(pub {});\n\nimpl ToJson for {name} {{\n    fn to_json(&self) -> Json {{\n        self.0.to_json()\n    }}\n}}",
                rust(of)
            )
        }
        _ => format!("pub type {name} = {};", rust(of)),
    }
}

fn payload_type(contract: &Contract, definition: &Definition) -> Result<String, Error> {
    let Definition { name, doc, body } = definition;
    let doc = plain(doc);
    let doc = if doc.is_empty() { String::new() } else { format!("/// {doc}\n") };
    Ok(match body {
        Body::Alias(of) => format!("{doc}{}", alias(contract, name, of)),
        Body::Choice(texts) => format!("{doc}{}", choice(name, texts)),
        Body::Object(fields) => format!("{doc}{}", structure(contract, name, fields)?),
    })
}

/// An arm of a match that stands three levels deep.
fn arm(pattern: &str, value: &str) -> String {
    let line = format!("{pattern} => {value},");
    if line.len() + 12 <= WIDTH {
        return line;
    }
    format!("{pattern} => {{\n    {value}\n}}")
}

/// An enum of texts.
fn choice(name: &str, texts: &[String]) -> String {
    let named = unique(texts.iter().map(String::as_str));
    let variants: Vec<String> = named.iter().map(|(own, _)| format!("    {own},\n")).collect();
    let arms: Vec<String> = named
        .iter()
        .map(|(own, one)| {
            let arm = arm(&format!("{name}::{own}"), &text(one));
            format!("            {}\n", arm.replace('\n', "\n            "))
        })
        .collect();
    format!(
        "#[allow(clippy::enum_variant_names)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum {name} {{\n{}}}\n\nimpl ToJson for {name} {{\n    fn to_json(&self) -> Json {{\n        text(match self {{\n{}        }})\n    }}\n}}",
        variants.concat(),
        arms.concat()
    )
}

fn structure(contract: &Contract, name: &str, fields: &[Field]) -> Result<String, Error> {
    let mut met: Vec<(String, &str)> = Vec::new();
    let mut lines = Vec::new();
    let mut puts = Vec::new();
    for field in fields {
        let own = identifier(&field.key);
        if let Some((_, other)) = met.iter().find(|(known, _)| *known == own) {
            return Err(Error::new(
                ErrorKind::Collision,
                format!(
                    "the members {other:?} and {:?} of {name} would both be called {own}",
                    field.key
                ),
                "rename one of them in the manifest",
            ));
        }
        met.push((own.clone(), &field.key));
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
        lines.push(format!("{doc}    pub {own}: {of},\n"));
        let key = text(&field.key);
        puts.push(if field.required {
            statement("put(&mut members", &[key, format!("self.{own}.to_json()")])
        } else {
            statement("put_some(&mut members", &[key, format!("&self.{own}")])
        });
    }
    Ok(format!(
        "#[derive(Clone, Debug, PartialEq)]\npub struct {name} {{\n{}}}\n\nimpl ToJson for {name} {{\n    fn to_json(&self) -> Json {{\n        let mut members = Members::new();\n{}        Json::Object(members)\n    }}\n}}",
        lines.concat(),
        puts.concat()
    ))
}

fn statement(head: &str, arguments: &[String]) -> String {
    let (name, first) = head.split_once('(').unwrap_or((head, ""));
    let inner = format!("{first}, {}", arguments.join(", "));
    // The widest list of arguments that rustfmt leaves on one line.
    if inner.len() <= 60 {
        return format!("        {name}({inner});\n");
    }
    let lines: Vec<String> = arguments.iter().map(|one| format!("            {one},\n")).collect();
    format!("        {name}(\n            {first},\n{}        );\n", lines.concat())
}

/// Whether a value of a type holds one of that name without a list or a map between.
fn contains(contract: &Contract, of: &Type, name: &str, seen: &mut BTreeSet<String>) -> bool {
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
fn reaches(contract: &Contract, of: &Type, name: &str, seen: &mut BTreeSet<String>) -> bool {
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

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The name of a member. A keyword gets an underscore.
fn identifier(name: &str) -> String {
    let name = snake(name);
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// A text as Rust spells it.
fn text(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            it if it.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(it))),
            it => out.push(it),
        }
    }
    out.push('"');
    out
}
