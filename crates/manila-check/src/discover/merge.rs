//! Help and manifest laid over each other: what either says is kept, and where each was found.

use super::effect;
use super::manifest::Entry;
use crate::surface::{Command, Effects, Flag, Positional};
use std::collections::BTreeMap;

/// The examples of each command.
pub(super) type Examples = Vec<(Vec<String>, Vec<Vec<String>>)>;

/// Lays a description over what help told. Says which examples it gives.
pub(super) fn lay_over(commands: &mut Vec<Command>, entries: Vec<Entry>) -> Examples {
    let mut examples = Vec::new();
    for mut entry in entries {
        examples.push((entry.path.clone(), std::mem::take(&mut entry.examples)));
        let at = commands.iter().position(|it| it.path == entry.path).unwrap_or_else(|| {
            let path = entry.path.clone();
            commands.push(Command { path, is_untold: true, ..Command::default() });
            commands.len() - 1
        });
        lay(&mut commands[at], entry);
    }
    examples
}

fn lay(command: &mut Command, entry: Entry) {
    command.known_from.manifest = true;
    command.is_untold &= !entry.tells_arguments;
    if command.about.is_empty() {
        command.about = entry.about;
    }
    for alias in entry.aliases {
        if !command.aliases.contains(&alias) {
            command.aliases.push(alias);
        }
    }
    for flag in entry.flags {
        add_flag(&mut command.flags, flag);
    }
    if !entry.positionals.is_empty() {
        command.positionals = entry.positionals;
    }
    command.is_group = match entry.runs {
        Some(runs) => !runs,
        None => command.is_group || entry.has_commands,
    };
    if let Some((effects, because)) = entry.effects {
        command.effects = effects;
        command.effects_because = because;
    }
    command.lists = entry.lists.or(command.lists);
    command.streams |= entry.streams.unwrap_or(false);
    command.is_text_only |= entry.is_text_only;
    command.exit_codes = Some(entry.exit_codes).filter(|it| !it.is_empty());
    command.error_codes = Some(entry.error_codes).filter(|it| !it.is_empty());
    command.output_schema = entry.output_schema;
}

fn add_flag(flags: &mut Vec<Flag>, flag: Flag) {
    let is_same = |other: &&mut Flag| match (&flag.long, &other.long) {
        (Some(long), Some(other)) => long == other,
        _ => flag.short.is_some() && flag.short == other.short,
    };
    match flags.iter_mut().find(is_same) {
        Some(known) => {
            known.in_manifest |= flag.in_manifest;
            known.is_required |= flag.is_required;
            known.is_number |= flag.is_number;
            if known.choices.is_empty() {
                known.choices = flag.choices;
            }
        }
        None => flags.push(flag),
    }
}

/// Concludes what running a command may do, where the manifest does not say.
pub(super) fn believe(command: &mut Command, program: &str) {
    if command.effects != Effects::Unknown {
        return;
    }
    let about = if command.help.is_empty() {
        command.about.clone()
    } else {
        format!("{}. {}", command.about, first_paragraph(&command.help))
    };
    let is_script = |it: &Positional| it.name.to_lowercase().starts_with("script");
    (command.effects, command.effects_because) = if command.positionals.iter().any(is_script) {
        (Effects::Unknown, "it runs the script that it is given".to_owned())
    } else if !command.is_root() {
        effect::of(&command.path, &about)
    } else if command.is_group {
        (Effects::Unknown, "it only leads to its commands".to_owned())
    } else {
        effect::of_program(program, &command.about, &command.help)
    };
}

/// What a page says before its usage or its first list.
fn first_paragraph(help: &str) -> String {
    let lines = help.lines().map(str::trim).skip_while(|line| line.is_empty());
    let prose =
        lines.take_while(|line| !line.is_empty() && !line.to_lowercase().starts_with("usage"));
    prose.collect::<Vec<_>>().join(" ")
}

/// The root first, then each command before those below it, otherwise in the order in which they were
/// found.
pub(super) fn sorted(commands: Vec<Command>) -> Vec<Command> {
    let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (at, command) in commands.iter().enumerate() {
        for length in 0..=command.path.len() {
            places.entry(command.path[..length].to_vec()).or_insert(at);
        }
    }
    let mut commands = commands;
    commands.sort_by_key(|command| {
        let prefixes =
            (0..=command.path.len()).map(|length| places.get(&command.path[..length]).copied());
        prefixes.collect::<Vec<_>>()
    });
    commands
}
