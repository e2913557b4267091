//! Help and manifest laid over each other: what either says is kept, and where each was found.

use super::effect;
use super::manifest::Entry;
use crate::surface::model::{Command, EffectSource, Flag, Positional, Subcommand};
use manila_pack::Effect;
use std::collections::{BTreeMap, BTreeSet};

/// The examples of each command.
pub(super) type Examples = Vec<(Vec<String>, Vec<Vec<String>>)>;

/// Merges a manifest into what help said. Returns the examples that it gives.
pub(super) fn lay_over(commands: &mut Vec<Command>, entries: Vec<Entry>) -> Examples {
    let mut examples = Vec::new();
    for mut entry in entries {
        examples.push((entry.path.clone(), std::mem::take(&mut entry.examples)));
        let at = commands.iter().position(|it| it.path == entry.path).unwrap_or_else(|| {
            let path = entry.path.clone();
            commands.push(Command { path, has_unknown_arguments: true, ..Command::default() });
            commands.len() - 1
        });
        lay(&mut commands[at], entry);
    }
    examples
}

fn lay(command: &mut Command, entry: Entry) {
    command.known_from.manifest = true;
    command.has_unknown_arguments &= !entry.tells_arguments;
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
    if entry.has_commands && command.positionals.is_empty() && command.help.is_empty() {
        command.subcommand = match entry.runs {
            Some(false) => Subcommand::Required,
            None if entry.tells_arguments || entry.path.is_empty() => Subcommand::Optional,
            _ => Subcommand::Unproven,
        };
    }
    command.is_group = match entry.runs {
        Some(runs) => !runs,
        None => command.is_group || entry.has_commands,
    };
    if let Some((effects, because)) = entry.effects {
        command.effects = effects;
        command.effects_because = because;
        command.effects_from = EffectSource::Manifest;
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
            known.default = known.default.take().or(flag.default);
            if known.choices.is_empty() {
                known.choices = flag.choices;
            }
        }
        None => flags.push(flag),
    }
}

/// Concludes what running each command may do, where the manifest does not say.
pub(super) fn believe(commands: &mut [Command], program: &str) {
    // A flag that the program lists itself is every command's, and says nothing of one.
    let root = commands.iter().find(|command| command.is_root());
    let everywhere: BTreeSet<String> =
        root.iter().flat_map(|root| &root.flags).filter_map(|flag| flag.long.clone()).collect();
    for command in commands {
        let own = |flag: &&Flag| flag.long.as_ref().is_some_and(|it| !everywhere.contains(it));
        let flags: Vec<&Flag> = command.flags.iter().filter(own).collect();
        let (effects, because) = concluded(command, &flags, program);
        command.is_doubted = command.effects == Effect::None && effects == Effect::Destroys;
        if command.effects == Effect::Unknown {
            (command.effects, command.effects_because) = (effects, because);
            command.effects_from = EffectSource::Guess;
        }
    }
}

fn concluded(command: &Command, own_flags: &[&Flag], program: &str) -> (Effect, String) {
    let is_script = |it: &Positional| it.name.to_lowercase().starts_with("script");
    if command.positionals.iter().any(is_script) {
        (Effect::Unknown, "it runs the script that it is given".to_owned())
    } else if !command.is_root() {
        let prose = format!("{}.\n{}", command.about, prose(&command.help));
        let words = effect::Words { path: &command.path, aliases: &command.aliases };
        effect::of(&words, own_flags, &command.about, &prose)
    } else if command.is_group {
        (Effect::Unknown, "it only leads to its commands".to_owned())
    } else {
        effect::of_program(program, &command.about, &command.help)
    }
}

/// What a page says in sentences: everything before its first list but the usage.
fn prose(help: &str) -> String {
    let mut is_usage = false;
    let mut kept = Vec::new();
    for line in help.lines() {
        let text = line.trim();
        let is_heading = text.ends_with(':') || (text.len() > 3 && text == text.to_uppercase());
        let begins_usage = text.to_lowercase().starts_with("usage");
        if text.starts_with('-') || (is_heading && !begins_usage && text.split(' ').count() < 4) {
            break;
        }
        is_usage = begins_usage || (is_usage && !text.is_empty());
        if !is_usage {
            kept.push(text);
        }
    }
    kept.join("\n")
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
