//! A command as a manifest describes it, and how the keys of any format are looked up.

use crate::surface::model::{Flag, Positional};
use serde_json::{Map, Value};

/// One command as it is described; what is not said is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub path: Vec<String>,
    pub about: String,
    pub aliases: Vec<String>,
    pub flags: Vec<Flag>,
    pub positionals: Vec<Positional>,
    /// Whether it says which positional arguments there are, if only that there are none.
    pub tells_arguments: bool,
    pub has_commands: bool,
    /// Whether it can be called itself.
    pub runs: Option<bool>,
    pub effects: Option<(manila_pack::Effect, String)>,
    pub lists: Option<bool>,
    pub streams: Option<bool>,
    /// Whether it never answers in JSON.
    pub is_text_only: bool,
    pub exit_codes: Vec<i32>,
    pub error_codes: Vec<String>,
    pub output_schema: Option<Value>,
    /// Whole calls, the program's name among their words.
    pub examples: Vec<Vec<String>>,
}

/// Keys under which commands are.
pub(super) const COMMANDS: &[&str] =
    &["commands", "subcommands", "cmds", "command_tree", "commandTree", "tools", "actions"];

/// The first of these keys that holds a text.
pub(super) fn text(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| object.get(*key)?.as_str()).map(str::to_owned)
}

/// The first of these keys that is there.
pub(super) fn first<'v>(object: &'v Map<String, Value>, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|key| object.get(*key)).filter(|value| !value.is_null())
}

/// The elements of a list, or the members of a map each with its key as its name.
pub(super) fn elements(value: &Value) -> Vec<(Option<&str>, &Value)> {
    match value {
        Value::Array(list) => list.iter().map(|one| (None, one)).collect(),
        Value::Object(map) => map.iter().map(|(key, one)| (Some(key.as_str()), one)).collect(),
        _ => Vec::new(),
    }
}
