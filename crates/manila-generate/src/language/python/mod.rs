//! Python: `TypedDicts` for what documents hold, dataclasses for what code holds, pytest for the tests.

mod caller;
mod lines;
mod producer;

use super::Language;
use super::spell::{by_number, easier_quote, quoted, width};
use crate::Side;
use crate::contract::{Contract, plain};
use crate::name::is_identifier;
use crate::types::{Body, Definition, Type};
use lines::Spelled;
use serde_json::Value;

pub(super) static LANGUAGE: Language = Language {
    name: "python",
    title: "Python",
    one_side: None,
    generate: |contract, side| match side {
        Side::Producer => producer::files(contract),
        Side::Caller => caller::files(contract),
    },
};

const CHECKER: &str = include_str!("../../../templates/python/checker.py");
const TEST_CHECKER: &str = include_str!("../../../templates/python/checker_test.py");

/// The longest line that ruff and black leave as it is.
const WIDTH: usize = 88;

/// Two empty lines around a class, and one elsewhere, as the formatters want it.
fn join(parts: &[String]) -> String {
    let is_class = |part: &String| part.lines().any(|line| line.starts_with("class "));
    let mut out = String::new();
    for (number, part) in parts.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|before| parts.get(before));
        out.push_str(match before {
            None => "",
            Some(before) if is_class(before) || is_class(part) => "\n\n\n",
            Some(_) => "\n\n",
        });
        out.push_str(part);
    }
    out
}

/// The types of every payload.
fn payload_types(contract: &Contract) -> Vec<String> {
    let mut all: Vec<String> = contract.definitions.iter().map(definition).collect();
    for command in &contract.commands {
        let name = format!("{}Data", command.name);
        if command.data != Type::Named(name.clone()) {
            let doc = format!("What `{}` answers with.", plain(&command.path));
            all.push(alias(&name, &doc, &command.data));
        }
    }
    all
}

/// A definition of a payload.
fn definition(definition: &Definition) -> String {
    let Definition { name, doc, body } = definition;
    let doc = plain(doc);
    match body {
        Body::Choice(texts) => {
            let texts: Vec<String> = texts.iter().map(|one| text(one)).collect();
            let line = format!("{name} = Literal[{}]", texts.join(", "));
            let comment = if doc.is_empty() { String::new() } else { format!("# {doc}\n") };
            if width(&line) <= WIDTH {
                return format!("{comment}{line}");
            }
            let lines: Vec<String> = texts.iter().map(|one| format!("    {one},\n")).collect();
            format!("{comment}{name} = Literal[\n{}]", lines.concat())
        }
        Body::Alias(of) => alias(name, &doc, of),
        Body::Object(fields) => {
            let is_plain = fields.iter().all(|field| {
                is_identifier(&field.key)
                    && !field.key.contains('$')
                    && !is_keyword(&field.key)
                    && !field.key.starts_with("__")
            });
            let of = |field: &crate::types::Field| {
                let of = Spelled::of(&field.of);
                if field.required { of } else { Spelled::new("NotRequired", vec![of]) }
            };
            if is_plain {
                let lines: Vec<String> = fields
                    .iter()
                    .map(|field| {
                        let doc = plain(&field.doc);
                        let doc =
                            if doc.is_empty() { String::new() } else { format!("    # {doc}\n") };
                        format!("{doc}{}", of(field).lines(&format!("    {}: ", field.key), ""))
                    })
                    .collect();
                let doc = if doc.is_empty() {
                    String::new()
                } else {
                    format!("    \"\"\"{}\"\"\"\n\n", docstring(&doc))
                };
                let head = format!("class {name}(TypedDict):");
                let is_long = head.len() > WIDTH;
                let head = if is_long { format!("class {name}(\n    TypedDict\n):") } else { head };
                return format!("{head}\n{doc}{}", lines.join("\n"));
            }
            // Names that are not identifiers cannot be in a class.
            let lines: Vec<String> = fields
                .iter()
                .map(|field| {
                    format!("        {}: {},\n", text(&field.key), text(&of(field).flat()))
                })
                .collect();
            let comment = if doc.is_empty() { String::new() } else { format!("# {doc}\n") };
            format!(
                "{comment}{name} = TypedDict(\n    {},\n    {{\n{}    }},\n)",
                text(name),
                lines.concat()
            )
        }
    }
}

fn alias(name: &str, doc: &str, of: &Type) -> String {
    let comment = if doc.is_empty() { String::new() } else { format!("# {}\n", plain(doc)) };
    let of = text(&python(of));
    let line = format!("{name}: TypeAlias = {of}");
    if line.len() <= WIDTH || of.len() + 4 > WIDTH {
        return format!("{comment}{line}");
    }
    format!("{comment}{name}: TypeAlias = (\n    {of}\n)")
}

/// Text for a docstring, apart from the quotes around it.
fn docstring(doc: &str) -> String {
    let before = if doc.starts_with('"') { " " } else { "" };
    let behind = if doc.ends_with('"') { " " } else { "" };
    format!("{before}{doc}{behind}")
}

/// A type as Python spells it in an annotation.
fn python(of: &Type) -> String {
    match of {
        Type::Json => "Json".to_owned(),
        Type::Null => "None".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Integer => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::Named(name) => name.clone(),
        Type::List(_) | Type::Map(_) | Type::Union(_) => Spelled::of(of).flat(),
    }
}

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// The imports that the source needs.
fn imports(source: &str) -> String {
    let has = |name: &&&str| {
        source.split(|it: char| !it.is_alphanumeric() && it != '_').any(|word| word == **name)
    };
    let line = |module: &str, names: &[&str]| {
        let names: Vec<&str> = names.iter().filter(has).copied().collect();
        let line = format!("from {module} import {}", names.join(", "));
        if line.len() <= WIDTH {
            return line;
        }
        let lines: Vec<String> = names.iter().map(|name| format!("    {name},\n")).collect();
        format!("from {module} import (\n{})", lines.concat())
    };
    let typing = [
        "Final",
        "Generic",
        "Literal",
        "Never",
        "NotRequired",
        "Optional",
        "TextIO",
        "TypeAlias",
        "TypedDict",
        "TypeVar",
        "Union",
        "cast",
    ];
    let dataclasses = ["dataclass", "field", "replace"];
    let abc = ["Callable", "Mapping", "Sequence"];
    [line("collections.abc", &abc), line("dataclasses", &dataclasses), line("typing", &typing)]
        .join("\n")
}

/// A text as Python spells it.
fn text(text: &str) -> String {
    quoted(text, easier_quote(text), by_number)
}

/// A JSON value as Python spells it.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(one) => text(one),
        Value::Array(all) => {
            let all: Vec<String> = all.iter().map(literal).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Object(all) => {
            let all: Vec<String> = all
                .iter()
                .map(|(key, value)| format!("{}: {}", text(key), literal(value)))
                .collect();
            format!("{{{}}}", all.join(", "))
        }
    }
}
