//! What a call may change, as far as a pack, a manifest or a declaration proves it.
//!
//! Names and help prove nothing: a command named `list` may do anything. A manifest describes a command with the
//! options that it lists, so a call with another option is not proven.

use crate::catalog::Catalog;
use crate::program::Program;
use manila_check::surface::{Command, EffectSource, Flag};
use manila_pack::{Effect, effects};

/// What a call may change, and the source of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub(crate) effect: Effect,
    /// The source; empty if the effect is not known.
    pub(crate) by: &'static str,
    pub(crate) why: String,
}

impl Proof {
    fn unknown(why: impl Into<String>) -> Proof {
        Proof { effect: Effect::Unknown, by: "nothing", why: why.into() }
    }
}

/// What the pack and the operator prove, without asking the program anything.
pub(crate) fn at_once(program: &Program, args: &[String]) -> Proof {
    let pack = effects(&program.call(args), &program.packs);
    let pack = match pack.effect {
        Effect::Unknown => Proof::unknown(pack.why),
        effect => Proof { effect, by: "pack", why: pack.why },
    };
    match program.policy.reads.iter().find(|read| begins(args, read)) {
        Some(read) => {
            let why = format!("the operator declares that `{read}` only reads");
            let declared = Proof { effect: Effect::None, by: "declaration", why };
            if pack.effect == Effect::Unknown { declared } else { worse(pack, declared) }
        }
        None => pack,
    }
}

/// The same, and what the program's manifest and `manila.toml` say of the command.
pub(crate) fn prove(program: &Program, args: &[String], catalog: &Catalog) -> Proof {
    let known = at_once(program, args);
    let described = described(args, catalog);
    match (known.effect, described.effect) {
        (Effect::Unknown, Effect::Unknown) if catalog.commands.is_empty() => known,
        (Effect::Unknown, _) => described,
        (_, Effect::Unknown) => known,
        _ => worse(known, described),
    }
}

fn worse(one: Proof, other: Proof) -> Proof {
    if other.effect > one.effect { other } else { one }
}

fn begins(args: &[String], read: &str) -> bool {
    let words: Vec<&str> = read.split_whitespace().collect();
    !words.is_empty() && args.len() >= words.len() && words.iter().zip(args).all(|(a, b)| a == b)
}

/// What the manifest or the declaration says of a call.
fn described(args: &[String], catalog: &Catalog) -> Proof {
    let command = match called(args, catalog) {
        Ok(command) => command,
        Err(why) => return Proof::unknown(why),
    };
    let by = match command.effects_from {
        EffectSource::Manifest => "manifest",
        EffectSource::Declaration => "declaration",
        // A pack judges whole calls and has done so; a guess proves nothing.
        EffectSource::Pack | EffectSource::Guess => {
            return Proof::unknown("neither a pack nor a manifest nor a declaration describes it");
        }
    };
    if command.is_doubted {
        return Proof::unknown("its name contradicts the manifest");
    }
    Proof { effect: command.effects, by, why: command.effects_because.clone() }
}

/// The command that a call names, if every option in it is one that the program lists.
fn called<'c>(args: &[String], catalog: &'c Catalog) -> Result<&'c Command, String> {
    let root = catalog.command(&[]).ok_or("the program describes no commands")?;
    let mut command = root;
    let mut flags: Vec<&Flag> = root.flags.iter().collect();
    let mut has_arguments = false;
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if word.len() > 1 && word.starts_with('-') {
            if takes_next(word, &flags)? {
                let value = words.next().ok_or_else(|| format!("{word} has no value"))?;
                if value.starts_with('-') && value != "-" {
                    return Err(format!("the value of {word} begins with a dash"));
                }
            }
        } else if let Some(below) = catalog.below(&command.path, word).filter(|_| !has_arguments) {
            command = below;
            flags.extend(&below.flags);
        } else if catalog.has_below(&command.path) && !has_arguments {
            return Err(format!("{word} is not a command that the program lists"));
        } else {
            has_arguments = true;
        }
    }
    if command.is_group { Err("it only leads to its commands".to_owned()) } else { Ok(command) }
}

/// Whether the value of an option is the next word.
fn takes_next(word: &str, flags: &[&Flag]) -> Result<bool, String> {
    let unlisted = || format!("{word} is not an option that the program lists");
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(a, b)| (a, Some(b)));
        let flag = flags.iter().find(|flag| flag.long.as_deref() == Some(name));
        let flag = flag.ok_or_else(unlisted)?;
        return match (&flag.value, value) {
            (None, Some(_)) => Err(format!("--{name} takes no value")),
            (None, None) | (Some(_), Some(_)) => Ok(false),
            (Some(_), None) => Ok(true),
        };
    }
    let mut letters = word.chars().skip(1);
    while let Some(letter) = letters.next() {
        let flag = flags.iter().find(|flag| flag.short == Some(letter)).ok_or_else(unlisted)?;
        if flag.value.is_some() {
            return Ok(letters.next().is_none());
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(long: &str, short: Option<char>, value: Option<&str>) -> Flag {
        let value = value.map(str::to_owned);
        Flag { long: Some(long.to_owned()), short, value, ..Flag::default() }
    }

    fn command(path: &str, effects: Effect, from: EffectSource, flags: Vec<Flag>) -> Command {
        Command {
            path: path.split_whitespace().map(str::to_owned).collect(),
            effects,
            effects_from: from,
            flags,
            ..Command::default()
        }
    }

    fn catalog() -> Catalog {
        let root = Command {
            is_group: true,
            flags: vec![flag("quiet", Some('q'), None), flag("root", None, Some("DIR"))],
            ..Command::default()
        };
        let manifest = EffectSource::Manifest;
        let limit = vec![flag("limit", Some('n'), Some("N")), flag("all", Some('a'), None)];
        let mut doubted = command("purge", Effect::None, manifest, Vec::new());
        doubted.is_doubted = true;
        let list = Command {
            aliases: vec!["ls".to_owned()],
            ..command("task list", Effect::None, manifest, limit)
        };
        let commands = vec![
            root,
            Command { is_group: true, ..command("task", Effect::Unknown, manifest, Vec::new()) },
            list,
            command("task add", Effect::Writes, manifest, Vec::new()),
            command("show", Effect::None, EffectSource::Guess, Vec::new()),
            command("view", Effect::None, EffectSource::Declaration, Vec::new()),
            doubted,
        ];
        Catalog { commands, gaps: Vec::new() }
    }

    fn of(line: &str) -> Effect {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        described(&args, &catalog()).effect
    }

    #[test]
    fn a_manifest_proves_a_call_with_the_options_that_it_lists() {
        for line in [
            "task list",
            "task ls",
            "task list -n 5",
            "task list -n5 --all",
            "task list --limit=5",
            "-q task list",
            "--root x task list",
            "task list -aq",
            "task list x y",
            "task list -- -x",
            "view",
            "task list -",
            "task list -aan 5",
        ] {
            assert_eq!(of(line), Effect::None, "{line}");
        }
        assert_eq!(of("task add x"), Effect::Writes);
    }

    #[test]
    fn everything_else_is_unknown() {
        for line in [
            "",
            "task",
            "task nope",
            "nope",
            "task list --output=x",
            "task list -x",
            "--limit 5 task list",
            "task list --all=1",
            "task list -n",
            "task list -n --all",
            "show",
            "purge",
            "--root",
            "-qx task list",
            "task list --lim 5",
            "task list -n -5",
        ] {
            assert_eq!(of(line), Effect::Unknown, "{line}");
        }
    }
}
