//! Go: structs with JSON tags, methods for what is computed, `go test` for the tests.

mod caller;
mod producer;

use super::Language;
use super::spell::{self, by_number, named, quoted};
use crate::Side;
use crate::contract::{Contract, plain};
use crate::error::{Error, ErrorKind};
use crate::name::pascal;
use crate::template::Fill;
use crate::types::{Body, Definition, Type};
use serde_json::Value;
use std::collections::BTreeSet;
use unicode_general_category::{GeneralCategory, get_general_category};

pub(super) static LANGUAGE: Language = Language {
    name: "go",
    title: "Go",
    one_side: Some("go"),
    generate: |contract, side| match side {
        Side::Producer => producer::files(contract),
        Side::Caller => caller::files(contract),
    },
};

const CHECKER: &str = include_str!("../../../templates/go/checker.go");
const TEST_CHECKER: &str = include_str!("../../../templates/go/checker_test.go");

/// A source with the packages that it needs, which only the filled template shows.
fn with_imports(fill: Fill, template: &str) -> (Fill, String) {
    let packages = imports(&fill.fill(template));
    let fill = fill.text("imports", packages);
    let source = fill.fill(template);
    (fill, source)
}

/// The packages that a source needs, each on its line.
fn imports(source: &str) -> String {
    let packages = [
        ("bytes", "bytes."),
        ("encoding/json", "json."),
        ("fmt", "fmt."),
        ("io", "io."),
        ("math", "math."),
        ("os", "os."),
        ("reflect", "reflect."),
        ("sort", "sort."),
        ("strings", "strings."),
        ("testing", "testing."),
        ("time", "time."),
        ("unicode/utf8", "utf8."),
    ];
    let source = code_of(source);
    let is_used = |mark: &str| {
        let begins =
            |at: usize| !source[..at].ends_with(|it: char| it.is_alphanumeric() || it == '.');
        let is_call =
            |at: usize| source[at + mark.len()..].starts_with(|it: char| it.is_ascii_uppercase());
        source.match_indices(mark).any(|(at, _)| begins(at) && is_call(at))
    };
    let lines = packages.iter().filter(|(_, mark)| is_used(mark));
    lines.map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join("\n")
}

/// Refuses a source that declares a name twice, as a package cannot.
fn check_declared(source: &str) -> Result<(), Error> {
    let mut known = BTreeSet::new();
    let code = code_of(source);
    for line in code.lines() {
        let words = ["type ", "const ", "func ", "var "];
        let Some(rest) = words.iter().find_map(|word| line.strip_prefix(word)) else { continue };
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        if !name.is_empty() && !known.insert(name) {
            return Err(Error::new(
                ErrorKind::Collision,
                format!("two things of the package would be called {name}"),
                "rename a type or a text of the manifest",
            ));
        }
    }
    Ok(())
}

/// A source without its comments and texts.
fn code_of(source: &str) -> String {
    let mut code = String::new();
    let mut quote: Option<char> = None;
    let mut characters = source.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (Some('"' | '\''), '\\') => drop(characters.next()),
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '/') if characters.peek() == Some(&'/') => {
                characters.by_ref().find(|it| *it == '\n');
                code.push('\n');
            }
            (None, other) => code.push(other),
        }
    }
    code
}

/// The types of every payload.
fn payload_types(contract: &Contract) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for definition in &contract.definitions {
        all.push(payload_type(definition)?);
    }
    for command in &contract.commands {
        let name = format!("{}Data", command.name);
        if command.data != Type::Named(name.clone()) {
            let path = words(&command.path);
            let path = if path.is_empty() { "the program itself".to_owned() } else { path };
            all.push(format!(
                "// {name} is what {path} answers with.\n{}",
                alias(&name, &command.data)
            ));
        }
    }
    Ok(all)
}

fn payload_type(definition: &Definition) -> Result<String, Error> {
    let Definition { name, doc, body } = definition;
    let doc = comment(name, doc);
    Ok(match body {
        Body::Alias(of) => format!("{doc}{}", alias(name, of)),
        Body::Choice(texts) => {
            let mut all = vec![format!("{doc}type {name} string")];
            for one in unique(texts.iter().map(String::as_str), name) {
                let (constant, value) = one;
                all.push(format!("const {constant} {name} = {}", text(value)));
            }
            all.join("\n\n")
        }
        Body::Object(fields) => {
            let mut lines = Vec::new();
            for (own, field) in named(name, fields, pascal)? {
                let (rest, has_null) = field.of.split_null();
                let is_list =
                    matches!(rest, Type::List(_) | Type::Map(_) | Type::Json | Type::Union(_));
                let pointer = if (has_null || !field.required) && !is_list { "*" } else { "" };
                let option = match (field.required, field.key.as_str()) {
                    (true, "-") => ",",
                    (true, _) => "",
                    (false, _) => ",omitempty",
                };
                check_tag(name, &field.key)?;
                let tag = format!("`json:\"{}{option}\"`", field.key);
                lines.push((words(&field.doc), own, format!("{pointer}{}", go(&rest)), tag));
            }
            format!("{doc}type {name} struct {{\n{}\n}}", fields_of(&lines))
        }
    })
}

/// Refuses a member that encoding/json has no tag for.
fn check_tag(of: &str, key: &str) -> Result<(), Error> {
    use GeneralCategory as Of;
    let is_letter = |it: char| {
        matches!(
            get_general_category(it),
            Of::UppercaseLetter
                | Of::LowercaseLetter
                | Of::TitlecaseLetter
                | Of::ModifierLetter
                | Of::OtherLetter
                | Of::DecimalNumber
        )
    };
    let is_tag = |it: char| is_letter(it) || "!#$%&()*+-./:;<=>?@[]^_{|}~ ".contains(it);
    if !key.is_empty() && key.chars().all(is_tag) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Collision,
        format!("encoding/json has no tag for the member {key:?} of {of}"),
        "rename it in the manifest, or leave the schema out",
    ))
}

/// The constants of texts, each with a name of its own.
fn unique<'t>(texts: impl Iterator<Item = &'t str>, prefix: &str) -> Vec<(String, &'t str)> {
    spell::unique(texts, |one| format!("{prefix}{}", pascal(one)))
}

/// A type of that name. What is decoded later keeps the methods of its type.
fn alias(name: &str, of: &Type) -> String {
    let of = go(of);
    let sign = if of == "json.RawMessage" { "= " } else { "" };
    format!("type {name} {sign}{of}")
}

/// Every constant of a text, by type, as a test lists them, and the texts that they stand for.
fn constants(contract: &Contract, choices: &[Definition]) -> (String, Vec<Value>) {
    let (mut lines, mut texts) = (Vec::new(), Vec::new());
    let mut add = |named: Vec<(String, &str)>| {
        let names: Vec<String> = named.iter().map(|(name, _)| format!("string({name})")).collect();
        lines.push(format!("{{{}}},", names.join(", ")));
        texts.push(named.iter().map(|(_, text)| Value::from(*text)).collect());
    };
    if !contract.codes.is_empty() {
        add(unique(contract.codes.iter().map(|row| row.code.as_str()), "Code"));
    }
    for definition in contract.definitions.iter().chain(choices) {
        if let Body::Choice(texts) = &definition.body {
            add(unique(texts.iter().map(String::as_str), &definition.name));
        }
    }
    (lines.join("\n"), texts)
}

/// Text for a comment; gofmt turns two quotes into one.
fn words(text: &str) -> String {
    let mut words: Vec<char> = plain(text).chars().collect();
    words.dedup_by(|next, before| next == before && matches!(next, '`' | '\''));
    words.into_iter().collect()
}

/// A doc comment as Go wants it, beginning with the name.
fn comment(name: &str, doc: &str) -> String {
    let doc = words(doc);
    if doc.is_empty() { String::new() } else { format!("// {name}: {doc}\n") }
}

/// The members of a struct: doc, name, type and tag. Members with comments stand apart.
fn fields_of(fields: &[(String, String, String, String)]) -> String {
    if fields.iter().any(|(doc, ..)| !doc.is_empty()) {
        let one = |(doc, name, of, tag): &(String, String, String, String)| {
            let doc = if doc.is_empty() { String::new() } else { format!("\t// {doc}\n") };
            format!("{doc}\t{name} {of} {tag}").trim_end().to_owned()
        };
        return fields.iter().map(one).collect::<Vec<_>>().join("\n\n");
    }
    let width = |part: fn(&(String, String, String, String)) -> &String| {
        fields.iter().map(|field| part(field).chars().count()).max().unwrap_or_default()
    };
    let (names, types) = (width(|field| &field.1), width(|field| &field.2));
    let line = |(_, name, of, tag): &(String, String, String, String)| {
        format!("\t{name:<names$} {of:<types$} {tag}").trim_end().to_owned()
    };
    fields.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A type as Go spells it. A union is decoded by who knows which of its types it is.
fn go(of: &Type) -> String {
    match of {
        Type::Json | Type::Null => "json.RawMessage".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Integer => "int64".to_owned(),
        Type::Number => "float64".to_owned(),
        Type::Text => "string".to_owned(),
        Type::List(of) => format!("[]{}", go(of)),
        Type::Map(of) => format!("map[string]{}", go(of)),
        Type::Named(name) => name.clone(),
        Type::Union(_) => match of.split_null() {
            (Type::Union(_), _) => "json.RawMessage".to_owned(),
            (one, _) => format!("*{}", go(&one)),
        },
    }
}

/// A text as Go spells it.
fn text(text: &str) -> String {
    quoted(text, '"', by_number)
}
