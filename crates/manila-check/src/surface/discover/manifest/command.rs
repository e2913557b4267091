//! The tree of commands in a description: nested, flat by dotted path, or a list of whole calls.

use super::entry::{COMMANDS, Entry, elements, first, text};
use super::exit::Exits;
use super::{argument, effect};
use crate::surface::discover::help::{Usage, usage_of};
use serde_json::{Map, Value};

/// Keys that hold the name of a command.
pub(super) const NAMES: &[&str] =
    &["path", "full_path", "full_cmd", "name", "command", "id", "cmd", "usage"];
/// A tree that is deeper or larger than these is cut.
const DEEPEST: usize = 8;
const MOST: usize = 2_000;

/// The commands on the way out of a description.
pub(super) struct Tree<'d> {
    /// What the program may be called.
    programs: Vec<&'d str>,
    /// What the whole program says about its ends.
    exits: Exits,
    /// What every command takes.
    everywhere: Vec<crate::surface::model::Flag>,
    entries: Vec<Entry>,
}

impl<'d> Tree<'d> {
    pub(super) fn new(
        programs: impl Iterator<Item = &'d str>,
        root: &Map<String, Value>,
    ) -> Tree<'d> {
        let exits = Exits::of(root);
        let exits = root
            .get("global")
            .and_then(Value::as_object)
            .map(Exits::of)
            .unwrap_or_default()
            .and(&exits);
        Tree { programs: programs.collect(), exits, everywhere: Vec::new(), entries: Vec::new() }
    }

    /// Adds the root and everything below it.
    pub(super) fn add_root(&mut self, root: &Map<String, Value>) {
        let (flags, positionals) = argument::of(root);
        self.everywhere = argument::everywhere(root);
        let about = text(root, &["description", "about", "summary", "help"]).unwrap_or_default();
        let has_commands = true;
        let entry = Entry {
            flags,
            positionals,
            about,
            has_commands,
            exit_codes: self.exits.statuses.clone(),
            error_codes: self.exits.codes.clone(),
            ..Entry::default()
        };
        self.entries.push(entry);
        self.add_below(root, &[], 0);
    }

    fn add_below(&mut self, object: &Map<String, Value>, path: &[String], depth: usize) {
        let Some(children) = first(object, COMMANDS) else { return };
        for (key, child) in elements(children) {
            if self.entries.len() >= MOST || depth >= DEEPEST {
                return;
            }
            let empty = Map::new();
            let child = child.as_object().unwrap_or(&empty);
            let Some((words, usage)) = self.words(key, child) else { continue };
            let is_whole = path.is_empty() || (words.starts_with(path) && words.len() > path.len());
            let path = if is_whole { words } else { [path, &words].concat() };
            self.add(child, &path, usage, depth);
        }
    }

    fn add(
        &mut self,
        object: &Map<String, Value>,
        path: &[String],
        usage: Option<Usage>,
        depth: usize,
    ) {
        let (mut flags, mut positionals) = argument::of(object);
        let usage = text(object, &["usage", "synopsis"]).map(|it| self.usage(&it)).or(usage);
        let tells_arguments = argument::are_declared(object) || usage.is_some();
        if let Some(usage) = usage.filter(|_| flags.is_empty() && positionals.is_empty()) {
            flags = usage
                .flags
                .into_iter()
                .map(|flag| crate::surface::model::Flag {
                    in_manifest: true,
                    in_help: false,
                    ..flag
                })
                .collect();
            positionals = usage.positionals;
        }
        flags.extend(
            self.everywhere.iter().filter(|flag| !path.is_empty() && flag.long.is_some()).cloned(),
        );
        let exits = Exits::of(object).and(&self.exits);
        let mut entry = Entry {
            about: text(object, &["description", "about", "summary", "help", "short"])
                .unwrap_or_default(),
            aliases: first(object, &["aliases", "alias"]).map(texts).unwrap_or_default(),
            flags,
            positionals,
            tells_arguments,
            has_commands: has_commands(object),
            runs: first(object, &["runnable", "executable", "callable"]).and_then(Value::as_bool),
            effects: effect::of(object),
            is_text_only: object.get("json") == Some(&Value::Bool(false)),
            exit_codes: exits.statuses,
            error_codes: exits.codes,
            output_schema: output_schema(object),
            examples: examples(object),
            ..Entry::default()
        };
        entry.lists = lists(object, entry.output_schema.as_ref());
        entry.streams = streams(object);
        if entry.runs == Some(false) && !entry.has_commands {
            entry.has_commands = true;
        }
        entry.path = path.to_vec();
        let is_nested = first(object, COMMANDS)
            .is_some_and(|it| elements(it).iter().any(|(_, it)| it.is_object()));
        match self.entries.iter_mut().find(|it| it.path == path) {
            Some(root) if path.is_empty() => {
                let flags = std::mem::take(&mut root.flags);
                *root = entry;
                root.has_commands = true;
                root.flags.extend(flags);
            }
            Some(_) => return,
            None => self.entries.push(entry),
        }
        if is_nested {
            self.add_below(object, path, depth + 1);
        }
    }

    /// The words of a command: its key or its name, dotted, in a list, or as a whole call.
    fn words(
        &self,
        key: Option<&str>,
        object: &Map<String, Value>,
    ) -> Option<(Vec<String>, Option<Usage>)> {
        let listed = ["path", "full_cmd", "full_path", "command"]
            .iter()
            .find_map(|key| object.get(*key)?.as_array());
        if let Some(list) = listed {
            let words = list.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
            return Some((self.without_program(words), None));
        }
        let name = key.map(str::to_owned).or_else(|| text(object, NAMES))?;
        if name.contains(' ') {
            let usage = self.usage(&name);
            return Some((usage.words.clone(), Some(usage)));
        }
        let words: Vec<String> =
            name.split(['.', '/']).filter(|it| !it.is_empty()).map(str::to_owned).collect();
        Some((self.without_program(words), None))
    }

    fn usage(&self, call: &str) -> Usage {
        let call = call.trim();
        let first = call.split_whitespace().next().unwrap_or_default();
        if self.programs.contains(&first) { usage_of(call) } else { usage_of(&format!("- {call}")) }
    }

    fn without_program(&self, mut words: Vec<String>) -> Vec<String> {
        if words.len() > 1 && self.programs.contains(&words[0].as_str()) {
            words.remove(0);
        }
        words
    }

    /// All entries; one that has others below it is a group, however the manifest is built.
    pub(super) fn finish(mut self) -> Vec<Entry> {
        let paths: Vec<Vec<String>> = self.entries.iter().map(|it| it.path.clone()).collect();
        for entry in &mut self.entries {
            entry.has_commands |= paths
                .iter()
                .any(|path| path.len() > entry.path.len() && path.starts_with(&entry.path));
        }
        if self.entries.len() > 1 { self.entries } else { Vec::new() }
    }
}

fn has_commands(object: &Map<String, Value>) -> bool {
    first(object, COMMANDS).is_some_and(|it| !elements(it).is_empty())
}

fn texts(value: &Value) -> Vec<String> {
    let all = elements(value).into_iter().filter_map(|(_, it)| it.as_str()).chain(value.as_str());
    all.map(str::to_owned).collect()
}

fn output_schema(object: &Map<String, Value>) -> Option<Value> {
    let direct = first(
        object,
        &["output_schema", "outputSchema", "response_schema", "responseSchema", "returns"],
    );
    let nested = || object.get("output").and_then(|it| it.get("schema").or(Some(it)));
    direct.or_else(nested).filter(|it| is_schema(it)).cloned()
}

fn is_schema(value: &Value) -> bool {
    ["type", "properties", "$ref", "oneOf", "anyOf", "allOf", "items", "$schema", "enum", "const"]
        .iter()
        .any(|key| value.get(*key).is_some())
}

/// Whether it answers with a list, if that is said.
fn lists(object: &Map<String, Value>, schema: Option<&Value>) -> Option<bool> {
    let cardinality =
        text(object, &["cardinality", "output_kind", "outputKind"]).map(|it| it.to_lowercase());
    match cardinality.as_deref() {
        Some("many" | "list" | "array" | "multiple" | "collection" | "0..n" | "*") => {
            return Some(true);
        }
        Some("one" | "single" | "object" | "none" | "1" | "record") => return Some(false),
        _ => {}
    }
    let pages = first(object, &["pagination", "paginated", "pages"])
        .is_some_and(|it| *it != Value::Bool(false) && it.as_str() != Some("none"));
    let is_array = schema.is_some_and(|it| it.get("type").and_then(Value::as_str) == Some("array"));
    (pages || is_array).then_some(true)
}

fn streams(object: &Map<String, Value>) -> Option<bool> {
    let said = first(object, &["streaming", "streams", "stream", "streaming_default"])
        .and_then(Value::as_bool);
    let kind = text(object, &["output_kind", "outputKind", "framing", "output_format"])
        .map(|it| it.to_lowercase());
    said.or_else(|| {
        kind.map(|it| {
            matches!(
                it.as_str(),
                "stream"
                    | "ndjson"
                    | "jsonl"
                    | "json-lines"
                    | "json_lines"
                    | "event_stream"
                    | "events"
            )
        })
    })
}

fn examples(object: &Map<String, Value>) -> Vec<Vec<String>> {
    let all = first(object, &["examples", "example"]).map(|it| match it {
        Value::String(_) => vec![it],
        _ => elements(it).into_iter().map(|(_, it)| it).collect(),
    });
    let words = |value: &Value| match value {
        Value::String(call) => words_of(call),
        Value::Object(object) => match first(
            object,
            &[
                "call",
                "argv",
                "command",
                "invocation",
                "cmd",
                "usage",
                "example",
                "input",
                "code",
                "args",
            ],
        )? {
            Value::String(call) => words_of(call),
            Value::Array(list) => list.iter().map(|it| it.as_str().map(str::to_owned)).collect(),
            _ => None,
        },
        _ => None,
    };
    all.unwrap_or_default().into_iter().filter_map(words).collect()
}

/// The words of a call that needs no shell.
fn words_of(call: &str) -> Option<Vec<String>> {
    let call = call.trim().trim_start_matches("$ ");
    if call.contains(['|', ';', '&', '>', '<', '$', '`', '\n']) {
        return None;
    }
    shlex::split(call)
}
