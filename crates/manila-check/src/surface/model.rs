//! What a program offers, as far as it is known: its commands, their arguments, and what was declared
//! about them. It is found by `discover`, and what `manila.toml` declares is laid over it.

use manila_pack::Effect;
use serde::Serialize;

/// What a program offers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Surface {
    /// How it calls itself.
    pub name: String,
    /// What it says when asked for its version.
    pub version: Option<String>,
    /// The root first, then each command before its subcommands.
    pub commands: Vec<Command>,
    /// How JSON is asked for.
    pub json: Json,
    /// The words that print the program's own manifest or schema, if it has one.
    pub manifest: Option<Manifest>,
    /// What of the program could not be found out, and why.
    pub gaps: Vec<String>,
}

impl Surface {
    /// Whether a command has the flag that asks for JSON, as far as help shows. A group has it if most of the commands
    /// below it do: a call of one that does not exist asks for JSON too.
    pub(crate) fn takes_json(&self, path: &[String]) -> bool {
        let Some(asking) = self.json.words().first() else { return true };
        let lists = |command: &Command| command.flags.iter().any(|flag| flag.spells(asking));
        let of = |path: &[String]| self.commands.iter().find(|command| command.path == path);
        // What stands above a command counts for it, and of one without a page nothing is known.
        let is_known = |command: &Command| !command.flags.is_empty() || !command.help.is_empty();
        let is_above = (0..path.len()).any(|at| of(&path[..at]).is_some_and(lists));
        let Some(command) = of(path).filter(|_| !is_above) else { return true };
        if !is_known(command) {
            // Its page was not read, and the pages of others say which of them have it.
            let others = self.commands.iter().filter(|it| !it.is_root());
            return !command.known_from.help || !others.into_iter().any(is_known);
        }
        let below = self
            .commands
            .iter()
            .filter(|it| it.path.len() > path.len() && it.path.starts_with(path) && !it.is_group);
        let (with, without): (Vec<&Command>, Vec<&Command>) = below.partition(|it| lists(it));
        lists(command) || with.len() > without.len()
    }
}

/// Where the program describes itself.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    /// The arguments that print it.
    pub args: Vec<String>,
    /// Which format it is in, in a word.
    pub format: &'static str,
    /// Whether it says that it names every command.
    pub is_whole: bool,
}

/// How JSON is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Json {
    /// With these words, after the command.
    Arguments(Vec<String>),
    /// With these words, before the command.
    ArgumentsFirst(Vec<String>),
    /// It answers in JSON without being asked, when it writes to a pipe.
    Always,
    /// It has no such mode, as far as anyone can see.
    #[default]
    Unknown,
}

impl Json {
    /// The words to add to a call.
    pub fn words(&self) -> &[String] {
        match self {
            Json::Arguments(words) | Json::ArgumentsFirst(words) => words,
            Json::Always | Json::Unknown => &[],
        }
    }

    /// A call with the words that ask for JSON, at the place where they stand.
    #[must_use]
    pub(crate) fn added_to<W: Clone + for<'w> From<&'w String>>(&self, call: Vec<W>) -> Vec<W> {
        let words: Vec<W> = self.words().iter().map(W::from).collect();
        match self {
            Json::ArgumentsFirst(_) => [words, call].concat(),
            Json::Arguments(_) | Json::Always | Json::Unknown => [call, words].concat(),
        }
    }

    /// Whether it must be asked for.
    pub fn is_asked(&self) -> bool {
        !self.words().is_empty()
    }

    /// Whether there is a way to get JSON at all.
    pub fn is_known(&self) -> bool {
        *self != Json::Unknown
    }
}

/// One command; the root is the one with an empty path.
#[derive(Clone, Debug, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Command {
    /// Its words, without the program.
    pub path: Vec<String>,
    /// What it says that it does.
    pub about: String,
    /// Other words for it.
    pub aliases: Vec<String>,
    /// What it takes, flags and positional arguments.
    pub flags: Vec<Flag>,
    /// In their order.
    pub positionals: Vec<Positional>,
    /// Whether it only leads to commands below it.
    pub is_group: bool,
    /// What running it may do.
    pub effects: Effect,
    /// Why that is believed, such as "the manifest says so".
    pub effects_because: String,
    /// The source of it.
    #[serde(skip)]
    pub effects_from: EffectSource,
    /// Whether its name contradicts a manifest that calls it safe. Such a command is never run.
    #[serde(skip)]
    pub is_doubted: bool,
    /// Whether a pack says what it does, so that each call of it has to be allowed by the pack.
    #[serde(skip)]
    pub is_known_by_pack: bool,
    /// Whether a command of its own follows it, by its own description.
    #[serde(skip)]
    pub subcommand: Subcommand,
    /// Arguments that make it a complete, harmless call, if it needs any: from an example in its
    /// manifest or from `manila.toml`. Empty if it needs none; nothing if none are known.
    pub sample: Option<Vec<String>>,
    /// Arguments of a call that asks for something which does not exist.
    pub missing: Option<Vec<String>>,
    /// Whether it answers with a list, if that is known.
    pub lists: Option<bool>,
    /// Arguments of a call that lists nothing, if they are known.
    pub empty: Option<Vec<String>>,
    /// Arguments of a call that runs long enough to be interrupted, if they are known.
    pub slow: Option<Vec<String>>,
    /// Whether it answers with many documents, one per line.
    pub streams: bool,
    /// The exit statuses that it declares, if it declares any.
    pub exit_codes: Option<Vec<i32>>,
    /// The error codes that it declares, if it declares any.
    pub error_codes: Option<Vec<String>>,
    /// The JSON Schema of its `data`, or of its whole answer, if it declares one.
    pub output_schema: Option<serde_json::Value>,
    /// Whether it never answers in JSON, by its own word.
    pub is_text_only: bool,
    /// Whether nothing says which arguments it needs.
    #[serde(skip)]
    pub has_unknown_arguments: bool,
    /// The arguments of the first usage in its help, which make a complete call.
    #[serde(skip)]
    pub first_usage: Vec<Positional>,
    /// Its help, as plain text.
    #[serde(skip)]
    pub help: String,
    /// Where it was found.
    pub known_from: KnownFrom,
}

impl Command {
    /// Its words in one, empty for the root.
    pub fn name(&self) -> String {
        self.path.join(" ")
    }

    /// Whether it is the program without a command.
    pub fn is_root(&self) -> bool {
        self.path.is_empty()
    }

    /// Whether it only reads, as far as anything says. A group that does may still have nothing to run.
    pub(crate) fn only_reads(&self) -> bool {
        self.effects == Effect::None && !self.is_doubted
    }

    /// Whether it may be run as it is. A group has nothing to run.
    pub fn is_safe(&self) -> bool {
        self.only_reads() && !self.is_group
    }

    /// Its words and the arguments of its sample call, if it may be run and one is known.
    pub fn safe_call(&self) -> Option<Vec<String>> {
        let sample = self.sample.as_ref().filter(|_| self.is_safe())?;
        Some(self.path.iter().chain(sample).cloned().collect())
    }

    /// Whether it prints a text about the program for people or shells, such as help or a completion
    /// script, whatever format is asked for.
    pub(crate) fn prints_text_about_program(&self) -> bool {
        const NAMES: &[&str] =
            &["help", "completion", "completions", "completion-script", "autocomplete", "man"];
        self.path.last().is_some_and(|name| NAMES.contains(&name.as_str()))
    }

    /// Whether `manila.toml` names it.
    pub(crate) fn is_declared(&self) -> bool {
        self.known_from.declaration
    }

    /// The flag of that long name, without dashes.
    pub fn flag(&self, long: &str) -> Option<&Flag> {
        self.flags.iter().find(|flag| flag.long.as_deref() == Some(long))
    }
}

/// The source of a command's effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EffectSource {
    /// Its name and its help, which prove nothing.
    #[default]
    Guess,
    /// A pack, about the command without arguments.
    Pack,
    /// The program's own manifest.
    Manifest,
    /// `manila.toml`.
    Declaration,
}

/// Whether a command of its own follows a command, by the usages of its help or by its manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subcommand {
    /// Nothing proves it: an unknown word may be an argument that it acts on.
    #[default]
    Unproven,
    /// One may follow, and nothing else: an unknown word cannot be an argument.
    Optional,
    /// One must follow, and nothing else: without one there is nothing to run.
    Required,
}

/// Where a command was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KnownFrom {
    /// Its parent's help lists it.
    pub help: bool,
    /// The program's manifest names it.
    pub manifest: bool,
    /// `manila.toml` names it.
    pub declaration: bool,
}

/// A flag or an option.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Flag {
    /// Without its dashes.
    pub long: Option<String>,
    /// Without its dash.
    pub short: Option<char>,
    /// The word for its value, if it takes one.
    pub value: Option<String>,
    /// Whether the value may be left out, as in `--color[=WHEN]`: it then follows an equals sign.
    #[serde(skip)]
    pub is_value_optional: bool,
    /// The only values it takes, if they are known.
    pub choices: Vec<String>,
    /// Whether its value is a number.
    pub is_number: bool,
    /// The value that it has if it is not given, if that is known.
    #[serde(skip)]
    pub default: Option<String>,
    /// Whether the command needs it.
    pub is_required: bool,
    /// Whether only some usages of the command have it: with another one it may be refused.
    #[serde(skip)]
    pub is_of_one_usage: bool,
    /// What it says that it does.
    pub about: String,
    /// Found in the command's help.
    pub in_help: bool,
    /// Found in the manifest.
    pub in_manifest: bool,
}

impl Flag {
    /// Whether this word, without a value behind an equals sign, is the flag.
    pub(crate) fn spells(&self, word: &str) -> bool {
        let name = word.split('=').next().unwrap_or(word);
        let long = self.long.as_ref().is_some_and(|long| name.strip_prefix("--") == Some(long));
        let short = |short: char| name.strip_prefix('-').is_some_and(|it| it.chars().eq([short]));
        long || self.short.is_some_and(short)
    }

    /// The arguments that give it this value.
    pub(crate) fn with_value(&self, value: String) -> Vec<String> {
        if self.is_value_optional {
            vec![format!("{}={value}", self.spelling())]
        } else {
            vec![self.spelling(), value]
        }
    }

    /// As it is written, long if it can be.
    pub fn spelling(&self) -> String {
        match (&self.long, self.short) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => String::new(),
        }
    }
}

/// A positional argument.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Positional {
    /// The word for it.
    pub name: String,
    /// Whether the command needs it.
    pub is_required: bool,
    /// Whether there may be many.
    pub is_many: bool,
    /// The only values it takes, if they are known.
    pub choices: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::surface;

    #[test]
    fn a_command_has_the_flag_for_json_or_its_commands_have() {
        let mut surface = surface();
        let list = vec!["list".to_owned()];
        let flag = |long: &str| Flag { long: Some(long.to_owned()), ..Flag::default() };
        assert!(surface.takes_json(&list), "nothing is known of its flags");
        surface.commands[1].known_from.help = true;
        surface.commands.push(Command { flags: vec![flag("all")], ..surface.commands[1].clone() });
        surface.commands[2].path = vec!["show".to_owned()];
        assert!(!surface.takes_json(&list), "others have pages, and its own was not read");
        surface.commands.pop();
        surface.commands[0].flags = vec![flag("help")];
        surface.commands[1].flags = vec![flag("all")];
        assert!(!surface.takes_json(&list));
        assert!(!surface.takes_json(&[]));
        surface.commands[1].flags.clear();
        surface.commands[1].help = "Usage: notes list".to_owned();
        assert!(!surface.takes_json(&list), "its page has no flags");
        surface.commands[1].flags.push(flag("json"));
        assert!(surface.takes_json(&list));
        assert!(surface.takes_json(&[]), "its only command has it");
        surface.commands[1].flags.pop();
        surface.commands[0].flags.push(flag("json"));
        assert!(surface.takes_json(&list), "the program has it");
    }
}
