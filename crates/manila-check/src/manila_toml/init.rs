//! A first `manila.toml` from what was found out, with every guess open to be corrected.

use crate::declaration::{CommandDeclaration, Declaration, JsonPosition};
use crate::subject::Subject;
use crate::surface::model::{Command, Json, Surface};
use manila_pack::Effect;
use std::fmt::Write;

/// What was found out, as a declaration.
pub fn declared(subject: &Subject, surface: &Surface) -> Declaration {
    let json = match &surface.json {
        Json::Arguments(words) | Json::ArgumentsFirst(words) => Some(words.clone()),
        Json::Always => Some(Vec::new()),
        Json::Unknown => None,
    };
    let json_position = match &surface.json {
        Json::ArgumentsFirst(_) => JsonPosition::Before,
        Json::Arguments(_) | Json::Always | Json::Unknown => JsonPosition::After,
    };
    let commands = surface.commands.iter().filter(|command| is_declared(command));
    Declaration {
        program: subject.shown.clone(),
        json,
        json_position,
        manifest: surface.manifest.as_ref().map(|manifest| manifest.args.clone()),
        commands: commands.map(|command| (command.name(), of(command))).collect(),
        ..Declaration::default()
    }
}

/// Whether there is anything to say about a command: groups are not run, the root of a program that has commands among
/// them.
fn is_declared(command: &Command) -> bool {
    !command.is_group
}

fn of(command: &Command) -> CommandDeclaration {
    let effects = Some(command.effects).filter(|effects| *effects != Effect::Unknown);
    // Commands that are not run need no arguments.
    let known = |args: &Option<Vec<String>>| args.clone().filter(|_| command.is_safe());
    CommandDeclaration {
        effects,
        args: known(&command.sample),
        missing: known(&command.missing),
        empty: known(&command.empty),
        slow: known(&command.slow),
        lists: command.lists,
        streams: command.streams.then_some(true),
    }
}

const HEAD: &str = "\
# What `manila check` cannot guess about this program, and what was guessed: correct what is wrong.
# docs/manila.toml.md says what each key means.
";
const TAIL: &str = "\
# [rules]
# select = [\"document\", \"status\"]
# ignore = [\"secret-as-argument\"]
# severity = { \"update-notice\" = \"note\" }

# [[waive]]
# rule = \"prose-on-stdout\"
# command = \"export\"
# reason = \"why it is accepted\"
# expires = 2027-01-31
";

/// The text of a `manila.toml` that says what was found out; it reads back as [`declared`].
pub fn init(subject: &Subject, surface: &Surface) -> String {
    let declaration = declared(subject, surface);
    let mut text = format!("{HEAD}\n[program]\n");
    line(&mut text, "command", Some(&declaration.program));
    match &declaration.json {
        Some(words) => line(&mut text, "json", Some(words)),
        None => text.push_str("# json = [\"--json\"]    # no words that ask for JSON were found\n"),
    }
    if declaration.json_position == JsonPosition::Before {
        text.push_str("json_position = \"before\"\n");
    }
    match &declaration.manifest {
        Some(words) => line(&mut text, "manifest", Some(words)),
        None => {
            text.push_str("# manifest = [\"manifest\"]    # no description of itself was found\n");
        }
    }
    text.push_str("# fixture = \"tests/fixture\"    # a directory whose files are copied into the working directory of each run\n# env = { KEY = \"value\" }\n\n");
    for command in surface.commands.iter().filter(|command| is_declared(command)) {
        section(&mut text, command, &of(command));
    }
    text.push_str(TAIL);
    text
}

fn section(text: &mut String, command: &Command, declared: &CommandDeclaration) {
    let about: String = command.about.chars().filter(|it| !it.is_control()).take(90).collect();
    if !about.is_empty() {
        let _ = writeln!(text, "# {about}");
    }
    let _ = writeln!(text, "[commands.{}]", quoted(&command.name()));
    let because: String = command.effects_because.chars().filter(|it| !it.is_control()).collect();
    let _ = match declared.effects.map(Effect::as_str) {
        Some(word) => writeln!(text, "effects = \"{word}\"    # {because}"),
        None => writeln!(text, "# effects = \"none\"    # it is not run: {because}"),
    };
    if command.is_safe() && declared.args.is_none() && declared.slow.is_none() {
        text.push_str("# args = []    # it is not run: no complete call is known\n");
    }
    line(text, "args", declared.args.as_ref());
    line(text, "missing", declared.missing.as_ref());
    line(text, "empty", declared.empty.as_ref());
    line(text, "slow", declared.slow.as_ref());
    for (key, value) in [("lists", declared.lists), ("streams", declared.streams)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {value}");
        }
    }
    text.push('\n');
}

fn line(text: &mut String, key: &str, words: Option<&Vec<String>>) {
    if let Some(words) = words {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "{key} = [{}]", words.join(", "));
    }
}

/// A text as TOML writes it, as one line.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::model::Manifest;

    fn command(path: &str, effects: Effect) -> Command {
        Command {
            path: path.split(' ').map(str::to_owned).collect(),
            about: "Does \u{1b}[1m\"it\"\n".to_owned(),
            effects,
            effects_because: "it is\ncalled so".to_owned(),
            ..Command::default()
        }
    }

    #[test]
    fn what_was_found_reads_back_the_same() {
        let args = Some(vec!["it's".to_owned(), "a \"b\" \\ \u{1b}\n".to_owned()]);
        let commands = vec![
            Command { is_group: true, ..Command::default() },
            Command { sample: args, lists: Some(true), ..command("task list", Effect::None) },
            Command { slow: Some(Vec::new()), streams: true, ..command("watch", Effect::None) },
            Command { sample: Some(Vec::new()), ..command("add", Effect::Writes) },
            command("odd.name", Effect::Unknown),
        ];
        let manifest =
            Some(Manifest { args: vec!["manifest".to_owned()], format: "manila", is_whole: true });
        let json = Json::Arguments(vec!["--json".to_owned()]);
        let surface = Surface { commands, json, manifest, ..Surface::default() };
        let shown = vec!["./tool".to_owned(), "it's".to_owned()];
        let subject = Subject { argv: Vec::new(), shown, variables: Vec::new(), fixture: None };
        let read = Declaration::parse(&init(&subject, &surface)).expect("what was written");
        assert_eq!(read, declared(&subject, &surface));
        assert_eq!(read.commands.len(), 4);
        for json in [Json::Always, Json::Unknown] {
            let surface = Surface { json, ..Surface::default() };
            let read = Declaration::parse(&init(&subject, &surface)).expect("what was written");
            assert_eq!(read, declared(&subject, &surface));
        }
    }
}
