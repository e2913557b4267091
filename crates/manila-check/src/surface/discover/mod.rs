//! What a program offers, found out by asking it: its help, read recursively, and its manifest
//! where it has one. What `manila.toml` declares overrides both.
//!
//! ```text
//! help ─▶ Page ─┐
//!               ├─▶ merge ─▶ effects ─▶ calls ─▶ declared ─▶ words for JSON ─▶ names ─▶ Surface
//! manifest ─────┘
//! ```

mod ask;
mod call;
mod crawl;
mod effect;
mod form;
mod help;
mod listed;
mod manifest;
mod merge;
mod plain;
mod word_list;

use crate::declaration::{Declaration, JsonPosition};
use crate::subject::Subject;
use crate::surface::known_effects::KnownEffects;
use crate::surface::model::{Command, EffectSource, Json, KnownFrom, Surface};
use ask::Asking;
pub(crate) use ask::Reach;
pub use ask::Runner;
pub(crate) use call::{is_for_people, is_showing};
use manila_pack::Packs;

/// Finds out what a program offers. Whatever it answers, this ends: there are limits to everything.
pub fn discover(
    lab: &Runner<'_>,
    subject: &Subject,
    declaration: &Declaration,
    packs: &Packs,
) -> Surface {
    discover_within(lab, subject, declaration, packs, &Reach::default())
}

/// The same for a part of the program.
pub(crate) fn discover_within(
    lab: &Runner<'_>,
    subject: &Subject,
    declaration: &Declaration,
    packs: &Packs,
    reach: &Reach,
) -> Surface {
    let known = KnownEffects::new(subject, packs);
    let asking = Asking { lab, subject, known, reach };
    let crawl::Found { mut commands, name, version, mut gaps, has_page } = crawl::crawl(&asking);
    let candidates = form::candidates(&commands);
    let words =
        declaration.json.clone().or_else(|| candidates.first().cloned()).unwrap_or_default();
    // Where it describes itself is found by calls too, and only those that read are made.
    let described = ask::manifest(
        &asking,
        &believed(&commands, subject, declaration, known),
        declaration,
        &words,
    );
    if !has_page && described.is_none() {
        gaps.push("it has no help that could be read: --help prints no usage".to_owned());
    }
    let program = name.clone().unwrap_or_else(|| subject.name());
    let mut surface = Surface { name: program, version, ..Surface::default() };
    let mut examples = Vec::new();
    if let Some((manifest, described)) = described {
        surface.manifest = Some(manifest);
        surface.name = described.name.clone().filter(|_| name.is_none()).unwrap_or(surface.name);
        surface.version = surface.version.or_else(|| described.version.clone());
        examples = merge::lay_over(&mut commands, described.commands);
    }
    merge::believe(&mut commands, &surface.name);
    known.believe(&mut commands);
    surface.commands = merge::sorted(commands);
    declare_effects(&mut surface.commands, declaration);
    let help_lists =
        surface.commands.iter().any(|command| !command.is_root() && command.known_from.help);
    // Where help lists commands, one that only the manifest names may not exist: rules look at that.
    let is_real = |command: &&mut Command| {
        command.known_from.help || command.known_from.declaration || !help_lists
    };
    for command in surface.commands.iter_mut().filter(is_real) {
        let own =
            examples.iter().find(|(path, _)| *path == command.path).map_or(&[][..], |(_, it)| it);
        call::fill(command, own, subject, &words);
    }
    declare_calls(&mut surface.commands, declaration);
    surface.json = match &declaration.json {
        Some(words) if words.is_empty() => Json::Always,
        Some(words) => match declaration.json_position {
            JsonPosition::After => Json::Arguments(words.clone()),
            JsonPosition::Before => Json::ArgumentsFirst(words.clone()),
        },
        None => form::find(&asking, &surface.commands),
    };
    listed::complete(&asking, &mut surface.commands, &surface.json);
    surface.gaps = gaps;
    surface
}

/// The commands with what help and the declaration say that they do.
fn believed(
    commands: &[Command],
    subject: &Subject,
    declaration: &Declaration,
    known: KnownEffects<'_>,
) -> Vec<Command> {
    let mut commands = commands.to_vec();
    merge::believe(&mut commands, &subject.name());
    known.believe(&mut commands);
    declare_effects(&mut commands, declaration);
    commands
}

/// The declared effect of a command, which counts before anything else. Commands that only the
/// declaration names are added.
fn declare_effects(commands: &mut Vec<Command>, declaration: &Declaration) {
    for (name, declared) in &declaration.commands {
        let path: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
        if !commands.iter().any(|command| command.path == path) {
            commands.push(Command { path: path.clone(), ..Command::default() });
        }
        for command in commands.iter_mut().filter(|command| command.path == path) {
            command.known_from = KnownFrom { declaration: true, ..command.known_from };
            if let Some(effects) = declared.effects {
                command.effects = effects;
                command.is_doubted = false;
                command.is_known_by_pack = false;
                command.effects_from = EffectSource::Declaration;
                "manila.toml says so".clone_into(&mut command.effects_because);
                // A declaration of what running it does implies that it can be run.
                command.is_group = false;
            }
            command.lists = declared.lists.or(command.lists);
            command.streams = declared.streams.unwrap_or(command.streams);
        }
    }
}

/// The declared calls.
fn declare_calls(commands: &mut [Command], declaration: &Declaration) {
    for (name, declared) in &declaration.commands {
        for command in commands.iter_mut().filter(|command| command.name() == *name) {
            for (own, declared) in [
                (&mut command.sample, &declared.args),
                (&mut command.missing, &declared.missing),
                (&mut command.empty, &declared.empty),
                (&mut command.slow, &declared.slow),
            ] {
                if declared.is_some() {
                    own.clone_from(declared);
                }
            }
            // A call that is declared to take long is not a sample, unless one is declared too.
            if declared.slow.as_ref() == command.sample.as_ref() && declared.args.is_none() {
                command.sample = None;
            }
        }
    }
}
