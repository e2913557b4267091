//! The flags and positional arguments that a description names.

use super::entry::{elements, first, text};
use crate::surface::model::{Flag, Positional};
use serde_json::{Map, Value};

/// An argument of either sort.
pub(super) enum Argument {
    Flag(Flag),
    Positional(Positional),
}

const FLAGS: &[&str] = &[
    "flags",
    "options",
    "switches",
    "opts",
    "global_flags",
    "globalFlags",
    "global_options",
    "globalOptions",
    "root_arguments",
];
const POSITIONALS: &[&str] =
    &["positionals", "positional", "positional_args", "positionalArgs", "operands"];
const EITHER: &[&str] =
    &["arguments", "args", "parameters", "params", "global_args", "globalArgs", "inputs"];

/// All arguments in this object.
pub(super) fn of(object: &Map<String, Value>) -> (Vec<Flag>, Vec<Positional>) {
    let mut found = (Vec::new(), Vec::new());
    for (keys, sort) in
        [(FLAGS, Sort::Flag), (POSITIONALS, Sort::Positional), (EITHER, Sort::Either)]
    {
        for value in keys.iter().filter_map(|key| object.get(*key)) {
            for (key, one) in elements(value) {
                match argument(key, one, sort) {
                    Some(Argument::Flag(flag)) => found.0.push(flag),
                    Some(Argument::Positional(positional)) => found.1.push(positional),
                    None => {}
                }
            }
        }
    }
    found
}

/// Whether an object has a place for positional arguments.
pub(super) fn are_declared(object: &Map<String, Value>) -> bool {
    POSITIONALS.iter().chain(EITHER).any(|key| object.contains_key(*key))
}

/// The flags that every command takes: those in a list of such, and those that are marked.
pub(super) fn everywhere(root: &Map<String, Value>) -> Vec<Flag> {
    let is_marked = |one: &Value| {
        ["global", "recursive", "inherited"]
            .iter()
            .any(|key| one.get(*key) == Some(&Value::Bool(true)))
    };
    let mut found = Vec::new();
    for key in FLAGS.iter().chain(EITHER) {
        let all = root.get(*key).map(elements).unwrap_or_default();
        let global = all.into_iter().filter(|(_, one)| key.starts_with("global") || is_marked(one));
        found.extend(global.filter_map(|(key, one)| match argument(key, one, Sort::Flag)? {
            Argument::Flag(flag) => Some(flag),
            Argument::Positional(_) => None,
        }));
    }
    found
}

/// What the list that an argument is in says it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Flag,
    Positional,
    Either,
}

fn argument(key: Option<&str>, value: &Value, sort: Sort) -> Option<Argument> {
    let empty = Map::new();
    let object = value.as_object().unwrap_or(&empty);
    let name = key
        .map(str::to_owned)
        .or_else(|| text(object, &["name", "flag", "long", "id", "usage", "flags"]))
        .or_else(|| value.as_str().map(str::to_owned))?;
    let is_flag = match sort {
        Sort::Positional => false,
        // Ours lists what comes before the command in one list, positional ones without long and
        // short.
        Sort::Flag => !is_positional(object),
        Sort::Either => name.starts_with('-') || is_declared_flag(object),
    };
    if is_flag {
        flag(&name, object).map(Argument::Flag)
    } else {
        Some(Argument::Positional(positional(&name, object)))
    }
}

fn kind(object: &Map<String, Value>) -> String {
    text(object, &["kind", "in", "location", "position_type"]).unwrap_or_default().to_lowercase()
}

fn is_positional(object: &Map<String, Value>) -> bool {
    object.get("positional") == Some(&Value::Bool(true)) || kind(object) == "positional"
}

fn is_declared_flag(object: &Map<String, Value>) -> bool {
    let kind = kind(object);
    !is_positional(object)
        && (["long", "short", "flag", "flags"].iter().any(|key| {
            object.get(*key).is_some_and(|it| !it.is_null() && *it != Value::Bool(false))
        }) || matches!(kind.as_str(), "flag" | "option" | "switch" | "named")
            || object.get("positional") == Some(&Value::Bool(false)))
}

fn flag(name: &str, object: &Map<String, Value>) -> Option<Flag> {
    let spelled = one_text(object.get("long"))
        .or_else(|| text(object, &["flag"]))
        .unwrap_or_else(|| name.to_owned());
    let short = one_text(object.get("short"))
        .or_else(|| alias(object))
        .or_else(|| Some(spelled.clone()).filter(|it| is_short(it)));
    // `-o, --output <FORMAT>` in one text.
    let spelled_out = spelled
        .contains([' ', ',', '=', '<'])
        .then(|| crate::surface::discover::help::flag_of(&spelled))
        .flatten();
    let mut flag = spelled_out.unwrap_or_else(|| Flag {
        long: Some(spelled.trim_start_matches('-').to_owned())
            .filter(|it| it.len() > 1 || !is_short(&spelled)),
        ..Flag::default()
    });
    flag.short =
        flag.short.or_else(|| short.and_then(|it| it.trim_start_matches('-').chars().next()));
    flag.about =
        text(object, &["help", "description", "about", "summary", "doc"]).unwrap_or_default();
    flag.choices = choices(object);
    let kind = type_of(object);
    let named =
        text(object, &["value_name", "valueName", "value", "metavar", "placeholder", "arg"]);
    let takes =
        object.get("takes_value").or_else(|| object.get("takesValue")).and_then(Value::as_bool);
    let is_switch =
        matches!(kind.as_str(), "boolean" | "bool" | "flag" | "switch" | "none" | "count" | "void");
    let has_argument = ["arg", "argument", "arguments"].iter().any(|key| {
        object
            .get(*key)
            .is_some_and(|it| it.is_object() || it.as_array().is_some_and(|it| !it.is_empty()))
    });
    let has_value = takes.unwrap_or(
        !is_switch
            && (!kind.is_empty()
                || named.is_some()
                || has_argument
                || !flag.choices.is_empty()
                || flag.value.is_some()),
    );
    flag.value =
        has_value.then(|| named.or(flag.value.take()).unwrap_or_else(|| "VALUE".to_owned()));
    flag.is_number = flag.value.is_some() && is_number(&kind) && flag.choices.is_empty();
    flag.is_required = is_required(object) == Some(true);
    flag.default = default(object);
    flag.in_manifest = true;
    (flag.long.is_some() || flag.short.is_some()).then_some(flag)
}

fn is_short(name: &str) -> bool {
    name.starts_with('-') && !name.starts_with("--") && name.chars().count() == 2
}

fn one_text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => list.first().and_then(Value::as_str).map(str::to_owned),
        _ => None,
    }
}

/// A short name among other names.
fn alias(object: &Map<String, Value>) -> Option<String> {
    let aliases = first(object, &["aliases", "alias"])?;
    let texts =
        elements(aliases).into_iter().filter_map(|(_, it)| it.as_str()).chain(aliases.as_str());
    texts.map(str::to_owned).find(|it| is_short(it) || it.chars().count() == 1)
}

fn positional(name: &str, object: &Map<String, Value>) -> Positional {
    let maximum = object.get("arity").and_then(|it| it.get("maximum"));
    let is_many = ["multiple", "variadic", "repeatable", "many", "var", "repeat", "rest"]
        .iter()
        .any(|key| object.get(*key).is_some_and(|it| *it == Value::Bool(true) || it.is_object()));
    Positional {
        name: name.trim_matches(|it: char| "[]<>. ".contains(it)).to_owned(),
        // By default an argument is required: a call without it would show nothing.
        is_required: is_required(object)
            .unwrap_or_else(|| !name.starts_with('[') && !object.contains_key("default")),
        is_many: is_many
            || name.ends_with("...")
            || maximum.and_then(Value::as_u64).is_some_and(|it| it > 1)
            || type_of(object) == "array",
        choices: choices(object),
    }
}

/// The default of a flag: one value that is not empty.
fn default(object: &Map<String, Value>) -> Option<String> {
    let one = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(bool) => Some(bool.to_string()),
        _ => None,
    };
    match first(object, &["default", "default_value", "defaultValue"])? {
        Value::Array(list) if list.len() == 1 => one(&list[0]),
        value => one(value),
    }
}

fn is_required(object: &Map<String, Value>) -> Option<bool> {
    let said = first(object, &["required", "is_required", "isRequired", "mandatory"])
        .and_then(Value::as_bool);
    let optional = object.get("optional").and_then(Value::as_bool).map(|it| !it);
    let minimum = object
        .get("arity")
        .and_then(|it| it.get("minimum"))
        .and_then(Value::as_u64)
        .map(|it| it > 0);
    said.or(optional).or(minimum)
}

fn type_of(object: &Map<String, Value>) -> String {
    let value = first(object, &["type", "value_type", "valueType", "schema"]);
    let word = match value {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Object(schema)) => text(schema, &["type"]).unwrap_or_default(),
        _ => String::new(),
    };
    word.to_lowercase().trim_start_matches("system.").to_owned()
}

fn is_number(kind: &str) -> bool {
    matches!(
        kind,
        "integer"
            | "number"
            | "int"
            | "float"
            | "double"
            | "usize"
            | "i64"
            | "u64"
            | "i32"
            | "u32"
            | "int32"
            | "int64"
            | "uint"
    )
}

fn choices(object: &Map<String, Value>) -> Vec<String> {
    let keys = [
        "choices",
        "enum",
        "possible_values",
        "possibleValues",
        "allowed",
        "allowed_values",
        "allowedValues",
        "acceptedValues",
        "accepted_values",
        "values",
    ];
    let schema = object.get("schema").and_then(Value::as_object);
    let value = first(object, &keys).or_else(|| first(schema?, &keys));
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(object) => text(object, &["name", "value", "id"]),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    value
        .map(elements)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(key, it)| key.map(str::to_owned).or_else(|| one(it)))
        .collect()
}
