//! A server with a tool for each subcommand, as published ones are made: each option is a property, the answer is the
//! text of both streams and the exit code, and `isError` is never set.

use crate::session::Count;
use manila_check::surface::{Command, Flag, Surface};
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;
use std::process;

/// The server. It needs no process of its own to be measured.
pub(crate) struct PerCommand<'s> {
    surface: &'s Surface,
    program: String,
    variables: Vec<(String, String)>,
    pub(crate) count: Count,
}

impl<'s> PerCommand<'s> {
    pub(crate) fn new(
        surface: &'s Surface,
        program: &str,
        variables: &[(String, String)],
    ) -> PerCommand<'s> {
        let tools: Vec<Value> = commands(surface).map(definition).collect();
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}});
        let count = Count { definitions: answer.to_string().len() + 1, ..Count::default() };
        PerCommand { surface, program: program.to_owned(), variables: variables.to_vec(), count }
    }

    /// Makes a call, if a tool and its properties can express it; returns the result.
    pub(crate) fn call(&mut self, directory: &Path, args: &[&str]) -> io::Result<Option<Value>> {
        let Some((tool, arguments)) = said(self.surface, args) else { return Ok(None) };
        let request = json!({"jsonrpc": "2.0", "id": self.count.calls + 2, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        let mut command = process::Command::new(&self.program);
        command.args(args).current_dir(directory).envs(self.variables.iter().cloned());
        let output = command.stdin(process::Stdio::null()).output()?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            text.push_str(&format!("\nExit code: {}", output.status.code().unwrap_or(-1)));
        }
        let result = json!({"content": [{"type": "text", "text": text}]});
        let answer = json!({"jsonrpc": "2.0", "id": self.count.calls + 2, "result": result});
        self.count.calls += 1;
        self.count.bytes += request.to_string().len() + answer.to_string().len() + 2;
        Ok(Some(result))
    }
}

/// What can be called: every command that is not only a group of others.
fn commands(surface: &Surface) -> impl Iterator<Item = &Command> {
    surface.commands.iter().filter(|command| !command.is_root() && !command.is_group)
}

fn tool_name(command: &Command) -> String {
    command.path.join("_")
}

fn definition(command: &Command) -> Value {
    let mut properties = Map::new();
    for flag in &command.flags {
        let kind = if flag.value.is_some() { "string" } else { "boolean" };
        properties.insert(property(flag), json!({"type": kind, "description": flag.about}));
    }
    let mut required = Vec::new();
    for positional in &command.positionals {
        let kind = if positional.is_many { "array" } else { "string" };
        properties.insert(positional.name.clone(), json!({"type": kind}));
        if positional.is_required {
            required.push(positional.name.clone());
        }
    }
    json!({
        "name": tool_name(command),
        "description": command.about,
        "inputSchema": {"type": "object", "properties": properties, "required": required},
    })
}

fn property(flag: &Flag) -> String {
    flag.spelling().trim_start_matches('-').to_owned()
}

/// The tool and the properties that say a call, if there are any: an option that help does not list has no property.
fn said(surface: &Surface, args: &[&str]) -> Option<(String, Value)> {
    let command = commands(surface)
        .filter(|command| {
            command.path.len() <= args.len() && command.path.iter().zip(args).all(|(a, b)| a == b)
        })
        .max_by_key(|command| command.path.len())?;
    let mut properties = Map::new();
    let mut words = args[command.path.len()..].iter();
    let mut positionals = Vec::new();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            positionals.push(*word);
            continue;
        };
        let name = name.trim_start_matches('-');
        let flag = command.flags.iter().find(|flag| {
            flag.long.as_deref() == Some(name)
                || flag.short.is_some_and(|it| name == it.to_string())
        })?;
        let value = match flag.value {
            Some(_) => json!(words.next()?),
            None => json!(true),
        };
        properties.insert(property(flag), value);
    }
    let mut slots = command.positionals.iter();
    let mut rest = positionals.into_iter();
    while let Some(word) = rest.next() {
        let slot = slots.next()?;
        let value = if slot.is_many {
            json!(std::iter::once(word).chain(rest.by_ref()).collect::<Vec<_>>())
        } else {
            json!(word)
        };
        properties.insert(slot.name.clone(), value);
    }
    Some((tool_name(command), Value::Object(properties)))
}
