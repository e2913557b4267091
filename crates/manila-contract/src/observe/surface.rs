//! What a program offers, as facts of a lock.

use crate::lock::{Argument, Attribute, Command, Facts, Flag, Lock};
use crate::shape::Format;
use manila_check::surface::{self, Json, Surface};
use manila_pack::{Effect, mask};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The lock of a surface alone.
pub(super) fn lock(surface: &Surface) -> Lock {
    let mut lock = Lock::default();
    for command in &surface.commands {
        lock.commands.insert(command.path.clone(), self::command(command));
    }
    let root = lock.commands.entry(Vec::new()).or_default();
    let json = match &surface.json {
        Json::Arguments(words) => Some(words.join(" ")),
        Json::ArgumentsFirst(words) => Some(format!("{} before the command", words.join(" "))),
        Json::Always => Some("always".to_owned()),
        Json::Unknown => None,
    };
    set(&mut root.facts, Attribute::Json, json);
    set(
        &mut root.facts,
        Attribute::Manifest,
        surface.manifest.as_ref().map(|it| it.args.join(" ")),
    );
    lock
}

fn set(facts: &mut Facts, attribute: Attribute, values: impl IntoIterator<Item = String>) {
    let values: BTreeSet<String> = values.into_iter().collect();
    if !values.is_empty() {
        facts.insert(attribute, values);
    }
}

fn command(command: &surface::Command) -> Command {
    let mut own = Command {
        is_group: command.is_group,
        aliases: command.aliases.iter().cloned().collect(),
        ..Command::default()
    };
    let effects = match command.effects {
        Effect::None => Some("none"),
        Effect::Idempotent => Some("idempotent"),
        Effect::Writes => Some("writes"),
        Effect::Destroys => Some("destroys"),
        Effect::Unknown => None,
    };
    set(&mut own.facts, Attribute::Effects, effects.map(str::to_owned));
    let statuses = command.exit_codes.iter().flatten().map(ToString::to_string);
    set(&mut own.facts, Attribute::DeclaresStatus, statuses);
    set(&mut own.facts, Attribute::DeclaresError, command.error_codes.iter().flatten().cloned());
    for flag in &command.flags {
        let name = flag.spelling();
        // What every program has promises nothing.
        if !matches!(name.as_str(), "" | "--help" | "-h" | "--version" | "-V") {
            Arc::make_mut(&mut own.flags).insert(name, Arc::new(self::flag(flag)));
        }
    }
    for (place, argument) in (1..).zip(&command.positionals) {
        own.arguments.insert(place, self::argument(argument));
    }
    own
}

fn flag(flag: &surface::Flag) -> Flag {
    let takes = match (&flag.value, flag.is_number) {
        (None, _) => "switch",
        (Some(_), true) => "number",
        (Some(_), false) => "value",
    };
    let short = flag.short.filter(|_| flag.long.is_some()).map(|it| format!("-{it}"));
    Flag {
        takes: BTreeSet::from([takes.to_owned()]),
        shorts: short.into_iter().collect(),
        defaults: flag.default.iter().map(|it| default(it)).collect(),
        choices: flag.choices.iter().cloned().collect(),
        variables: variable(&flag.about).into_iter().collect(),
        is_required: flag.is_required,
    }
}

/// A default without what is the machine's own: a path becomes the word for one.
fn default(value: &str) -> String {
    const LONGEST: usize = 80;
    let is_path = Format::detect(value).contains(&Format::Path) || value.contains('\\');
    if is_path || value.len() > LONGEST { "<path>".to_owned() } else { mask(value, None) }
}

/// The variable that a description names: `[env: NAME=]`, `($NAME)`.
fn variable(about: &str) -> Option<String> {
    let after = ["[env: ", "[env ", "(env: ", "[$", "($", "(env "]
        .iter()
        .find_map(|mark| about.split_once(mark).map(|(_, after)| after))?;
    let name: String = after
        .chars()
        .take_while(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || *it == '_')
        .collect();
    (name.len() > 2).then_some(name)
}

fn argument(argument: &surface::Positional) -> Argument {
    let name = argument.name.trim_matches(|it: char| "[]<>.".contains(it));
    Argument {
        names: BTreeSet::from([name.to_owned()]),
        choices: argument.choices.iter().cloned().collect(),
        is_required: argument.is_required,
        is_many: argument.is_many,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_machine_is_a_default() {
        assert_eq!(default("20"), "20");
        assert_eq!(default("/home/somebody/.config/notes"), "<path>");
        assert_eq!(default("ghp_0123456789012345678901234567890123"), "[MASKED]");
    }

    #[test]
    fn a_variable_is_found_in_a_description() {
        assert_eq!(variable("Where [env: NOTES_FILE=]").as_deref(), Some("NOTES_FILE"));
        assert_eq!(variable("Token ($GH_TOKEN)").as_deref(), Some("GH_TOKEN"));
        assert_eq!(variable("Costs ($5)"), None);
    }
}
