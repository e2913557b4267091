//! JSON in which a program describes itself, in any of the formats there are, read as one.
//!
//! The formats differ in names and nesting and agree in what they say; so there is one reader that
//! knows all the names, and not one for each format.

mod argument;
mod command;
mod effect;
mod entry;
mod exit;

use command::Tree;
pub(super) use entry::Entry;
use entry::{COMMANDS, text};
use serde_json::{Map, Value};

/// A program as it describes itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Described {
    pub format: &'static str,
    pub name: Option<String>,
    pub version: Option<String>,
    pub is_whole: bool,
    pub commands: Vec<Entry>,
}

/// Keys below which a manifest may be in an envelope.
const WRAPPERS: &[&str] = &[
    "data",
    "result",
    "payload",
    "response",
    "manifest",
    "schema",
    "spec",
    "cli",
    "introspection",
    "output",
    "value",
    "structuredContent",
    "program",
];
const DEEPEST: usize = 4;

/// Reads a document, if it describes commands at all.
pub(super) fn read(document: &Value, program: &str) -> Option<Described> {
    let root = find(document, 0)?;
    let format = format(document, root);
    let named = ["binary", "bin", "name", "tool", "program", "title", "command"];
    let places = [
        Some(root),
        root.get("tool").and_then(Value::as_object),
        root.get("info").and_then(Value::as_object),
    ];
    let places: Vec<&Map<String, Value>> = places.into_iter().flatten().collect();
    let declared = |keys: &[&str]| places.iter().rev().find_map(|place| text(place, keys));
    let name = declared(&named);
    let mut tree = Tree::new([name.as_deref(), Some(program)].into_iter().flatten(), root);
    // usage puts the root of the tree below `cmd`.
    let top = root.get("cmd").and_then(Value::as_object).unwrap_or(root);
    tree.add_root(top);
    let commands = tree.finish();
    let version = declared(&["version", "tool_version", "toolVersion"]);
    let is_whole = !["truncated", "partial", "has_more", "hasMore"]
        .iter()
        .any(|key| root.get(*key) == Some(&Value::Bool(true)));
    (!commands.is_empty()).then_some(Described { format, name, version, is_whole, commands })
}

/// The object that holds the commands.
fn find(value: &Value, depth: usize) -> Option<&Map<String, Value>> {
    let object = value.as_object()?;
    if describes(object) {
        return Some(object);
    }
    if depth >= DEEPEST {
        return None;
    }
    WRAPPERS.iter().filter_map(|key| object.get(*key)).find_map(|inner| find(inner, depth + 1))
}

/// Whether there are commands in it, or it is the `cmd` of usage, or a program without commands.
fn describes(object: &Map<String, Value>) -> bool {
    let holds_commands = |value: &Value| match value {
        Value::Object(map) => !map.is_empty() && map.values().all(Value::is_object),
        Value::Array(list) => {
            !list.is_empty() && list.iter().all(|one| one.is_object() && names(one))
        }
        _ => false,
    };
    let names_commands = COMMANDS.iter().filter_map(|key| object.get(*key)).any(holds_commands);
    names_commands || object.get("cmd").and_then(Value::as_object).is_some_and(describes)
}

/// Whether an element of a list is a command: it has a name.
fn names(value: &Value) -> bool {
    command::NAMES
        .iter()
        .any(|key| value.get(*key).is_some_and(|it| it.is_string() || it.is_array()))
}

/// Which format it is, in a word; for people, nothing depends on it.
fn format(document: &Value, root: &Map<String, Value>) -> &'static str {
    let has = |key: &str| root.contains_key(key) || document.get(key).is_some();
    match () {
        () if has("dialect") && has("framework_version") => "manila",
        () if has("opencli") => "opencli",
        () if has("clispec") || has("clispec_version") || has("spec_version") => "clispec",
        () if has("acli_version") || has("acli") => "acli",
        () if has("framework_version") || (has("etag") && has("schema_version")) => {
            "cli-agent-spec"
        }
        () if has("cmd") && has("bin") => "usage",
        () if has("next_actions") => "agcli",
        () if root.get("subcommands").is_some_and(Value::is_object)
            && root.get("options").is_some_and(Value::is_object) =>
        {
            "dotnet"
        }
        () => "other",
    }
}
