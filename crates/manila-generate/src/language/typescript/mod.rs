//! TypeScript: interfaces for what documents hold, a class with a getter for `ok`, node:test for the tests.

mod caller;
mod lines;
mod producer;

use super::Language;
use super::spell::{by_number, easier_quote, quoted};
use crate::Side;
use crate::contract::{Contract, plain};
use crate::types::{Body, Definition, Type};
use lines::{choice, declared};
use unicode_general_category::{GeneralCategory, get_general_category};

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
const TEST_CHECKER: &str = include_str!("../../../templates/typescript/checker.test.ts");

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
        Body::Alias(of) => format!("{doc}{}", declared(&format!("export type {name} ="), of)),
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
    choice(&format!("export type {name} ="), alternatives)
}

fn property(name: &str, of: &Type, is_required: bool) -> String {
    let mark = if is_required { "" } else { "?" };
    declared(&format!("  readonly {}{mark}:", key(name)), of)
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
    if is_identifier(name) { name.to_owned() } else { text(name) }
}

/// Whether a member needs no quotes. prettier takes them from letters, marks and digits of any script, but not
/// from characters that UTF-16 spells as two.
fn is_identifier(name: &str) -> bool {
    use GeneralCategory as Of;
    let is_part = |it: char, is_first: bool| match get_general_category(it) {
        _ if u32::from(it) > 0xffff => false,
        Of::UppercaseLetter
        | Of::LowercaseLetter
        | Of::TitlecaseLetter
        | Of::ModifierLetter
        | Of::OtherLetter
        | Of::LetterNumber => true,
        Of::NonspacingMark | Of::SpacingMark | Of::DecimalNumber | Of::ConnectorPunctuation => {
            !is_first || it == '_'
        }
        _ => it == '$',
    };
    !name.is_empty() && name.chars().enumerate().all(|(at, it)| is_part(it, at == 0))
}

/// A text as TypeScript spells it.
fn text(text: &str) -> String {
    quoted(text, easier_quote(text), by_number)
}
