//! TypeScript: interfaces for what documents hold, a class with a getter for `ok`, node:test for the tests.

mod caller;
mod producer;

use super::Language;
use super::spell::{by_number, easier_quote, quoted};
use crate::Side;
use crate::contract::{Contract, plain};
use crate::name::is_identifier;
use crate::types::{Body, Definition, Type};

pub(super) static LANGUAGE: Language = Language {
    name: "typescript",
    title: "TypeScript",
    one_side: None,
    generate: |contract, side| match side {
        Side::Producer => producer::files(contract),
        Side::Caller => caller::files(contract),
    },
};

const CHECKER: &str = include_str!("../../../templates/typescript/checker.ts");

/// The longest line that prettier leaves as it is.
const WIDTH: usize = 80;

/// The types of every payload, and which command answers with which.
fn payload_types(contract: &Contract) -> Vec<String> {
    let mut all: Vec<String> = contract.definitions.iter().map(definition).collect();
    if contract.commands.is_empty() {
        return all;
    }
    let mut lines = Vec::new();
    for command in &contract.commands {
        let about = plain(&command.about);
        if !about.is_empty() {
            lines.push(format!("  /** {about} */"));
        }
        lines.push(property(&command.path, &command.data, true));
    }
    all.push(format!(
        "/** What each command answers with. */\nexport interface Payloads {{\n{}\n}}",
        lines.join("\n")
    ));
    all
}

/// A definition of a payload.
fn definition(definition: &Definition) -> String {
    let Definition { name, doc, body } = definition;
    let doc = plain(doc);
    let doc = if doc.is_empty() { String::new() } else { format!("/** {doc} */\n") };
    match body {
        Body::Choice(texts) => {
            let texts: Vec<String> = texts.iter().map(|one| text(one)).collect();
            format!("{doc}{}", alias(name, &texts))
        }
        Body::Alias(of) => format!("{doc}{}", alias(name, &alternatives(of))),
        Body::Object(fields) => {
            let lines: Vec<String> = fields
                .iter()
                .map(|field| {
                    let doc = plain(&field.doc);
                    let doc =
                        if doc.is_empty() { String::new() } else { format!("  /** {doc} */\n") };
                    format!("{doc}{}", property(&field.key, &field.of, field.required))
                })
                .collect();
            format!("{doc}export interface {name} {{\n{}\n}}", lines.join("\n"))
        }
    }
}

fn alias(name: &str, alternatives: &[String]) -> String {
    let line = format!("export type {name} = {};", alternatives.join(" | "));
    if line.len() <= WIDTH || alternatives.len() == 1 {
        return line;
    }
    let inner = format!("  {};", alternatives.join(" | "));
    if inner.len() <= WIDTH {
        return format!("export type {name} =\n{inner}");
    }
    let lines: Vec<String> = alternatives.iter().map(|one| format!("\n  | {one}")).collect();
    format!("export type {name} ={};", lines.concat())
}

fn property(name: &str, of: &Type, is_required: bool) -> String {
    let mark = if is_required { "" } else { "?" };
    let head = format!("  readonly {}{mark}:", key(name));
    let alternatives = alternatives(of);
    let line = format!("{head} {};", alternatives.join(" | "));
    if line.len() <= WIDTH || alternatives.len() == 1 {
        return line;
    }
    let lines: Vec<String> = alternatives.iter().map(|one| format!("\n    | {one}")).collect();
    format!("{head}{};", lines.concat())
}

fn alternatives(of: &Type) -> Vec<String> {
    match of {
        Type::Union(all) => all.iter().map(typescript).collect(),
        other => vec![typescript(other)],
    }
}

/// A type as TypeScript spells it.
fn typescript(of: &Type) -> String {
    match of {
        Type::Json => "Json".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Integer | Type::Number => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::List(of) => match &**of {
            Type::Union(_) | Type::List(_) => format!("readonly ({})[]", typescript(of)),
            _ => format!("readonly {}[]", typescript(of)),
        },
        Type::Map(of) => format!("{{ readonly [name: string]: {} }}", typescript(of)),
        Type::Named(name) => name.clone(),
        Type::Union(all) => all.iter().map(typescript).collect::<Vec<_>>().join(" | "),
    }
}

/// The name of a member.
fn key(name: &str) -> String {
    // prettier takes letters of any script for identifiers.
    let is_letter = |it: char| it.is_alphabetic() && u32::from(it) <= 0xffff;
    let plain: String = name.chars().map(|it| if is_letter(it) { 'a' } else { it }).collect();
    if is_identifier(&plain) { name.to_owned() } else { text(name) }
}

/// A text as TypeScript spells it.
fn text(text: &str) -> String {
    quoted(text, easier_quote(text), by_number)
}
