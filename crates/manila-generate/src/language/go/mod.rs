//! Go: structs with JSON tags, methods for what is computed, `go test` for the tests.

mod caller;
mod producer;

use super::Language;
use super::spell::{by_number, named, quoted};
use crate::Side;
use crate::contract::{Contract, plain};
use crate::error::Error;
use crate::name::pascal;
use crate::types::{Body, Definition, Type};
use serde_json::Value;

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

/// A source with the packages that it needs.
fn with_imports(source: &str) -> String {
    source.replace("{{imports}}", &imports(source).replace('\n', "\n\t"))
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
    let is_used = |mark: &str| {
        let begins = |at: usize| {
            !source[..at].ends_with(|it: char| it.is_alphanumeric() || it == '.' || it == '"')
        };
        let is_call =
            |at: usize| source[at + mark.len()..].starts_with(|it: char| it.is_ascii_uppercase());
        source.match_indices(mark).any(|(at, _)| begins(at) && is_call(at))
    };
    let lines = packages.iter().filter(|(_, mark)| is_used(mark));
    lines.map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join("\n")
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
                let option = if field.required { "" } else { ",omitempty" };
                let tag = format!("`json:{}`", text(&format!("{}{option}", field.key)));
                lines.push((words(&field.doc), own, format!("{pointer}{}", go(&rest)), tag));
            }
            format!("{doc}type {name} struct {{\n{}\n}}", fields_of(&lines))
        }
    })
}

/// The constants of texts, each with a name of its own.
fn unique<'t>(texts: impl Iterator<Item = &'t str>, prefix: &str) -> Vec<(String, &'t str)> {
    let mut named: Vec<(String, &str)> = Vec::new();
    for one in texts {
        let mut name = format!("{prefix}{}", pascal(one));
        if named.iter().any(|(known, _)| *known == name) {
            let spelled: String =
                one.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
            name = format!("{prefix}_{spelled}");
        }
        named.push((name, one));
    }
    named
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
    plain(text).replace("``", "`").replace("''", "'")
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
