//! The gate that every call passes before it is made: nothing whose effect is unknown is run.
//!
//! `--help` and `--version` may be asked of every command. Everything else is called only if the command
//! is known to read, or if the program's own description proves that the call has nothing to run: an
//! unknown word where only a command can follow, an unknown flag or no argument where one must follow.

use crate::observe::placeholder::NO_COMMAND;
use crate::observe::probe::{Probe, Purpose};
use crate::surface::known_effects::KnownEffects;
use crate::surface::model::{Command, Flag, Json, Subcommand, Surface};
use manila_pack::Effect;
use std::ffi::{OsStr, OsString};

/// A call of discovery that may be made. Only this module makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permitted {
    command: Vec<String>,
    args: Vec<String>,
    is_known_by_pack: bool,
}

impl Permitted {
    /// The words of the command, and all arguments with those words among them.
    pub(crate) fn parts(&self) -> (Vec<String>, Vec<OsString>) {
        (self.command.clone(), self.args.iter().map(Into::into).collect())
    }

    pub(crate) fn args(&self) -> &[String] {
        &self.args
    }

    /// Whether a pack is the reason why it may be made, and has to allow the very call.
    pub(crate) fn is_known_by_pack(&self) -> bool {
        self.is_known_by_pack
    }

    /// The same with the words that ask for JSON, which change the form of an answer only.
    #[must_use]
    pub(crate) fn in_json(mut self, json: &Json) -> Permitted {
        self.args = json.added_to(self.args);
        self
    }
}

/// `--help` of a command.
pub(crate) fn help(path: &[String]) -> Permitted {
    with(path, "--help")
}

/// `-h` of a command, in a program whose own help says that this is help.
pub(crate) fn short_help(path: &[String]) -> Permitted {
    with(path, "-h")
}

/// `help` after a command, in a program whose own words say that this prints help.
pub(crate) fn trailing_help(path: &[String]) -> Permitted {
    with(path, "help")
}

fn with(path: &[String], word: &str) -> Permitted {
    let args = path.iter().cloned().chain([word.to_owned()]).collect();
    Permitted { command: path.to_vec(), args, is_known_by_pack: false }
}

/// The command `list` of a program whose help is that of this very command, and says that it lists commands.
pub(crate) fn described_list(program: &str, about: &str) -> Option<Permitted> {
    const LIST: &str = "list";
    let about = about.to_lowercase();
    let lists = about.starts_with("list commands") || about.starts_with("lists commands");
    (program == LIST && lists).then(|| with(&[], LIST))
}

/// `--version` of the program.
pub(crate) fn version() -> Permitted {
    with(&[], "--version")
}

/// A call that the declaration names.
pub(crate) fn declared(args: &[String]) -> Permitted {
    Permitted { command: Vec::new(), args: args.to_vec(), is_known_by_pack: false }
}

/// A command with these arguments, if it is safe.
pub(crate) fn call(command: &Command, args: &[String]) -> Option<Permitted> {
    let all = command.path.iter().chain(args).cloned().collect();
    let is_known_by_pack = command.is_known_by_pack;
    command.is_safe().then(|| Permitted {
        command: command.path.clone(),
        args: all,
        is_known_by_pack,
    })
}

/// A word that the program may not know, if it cannot be an argument.
pub(crate) fn unknown_word(root: &Command, word: &str) -> Option<Permitted> {
    may_meet_unknown_word(root).then(|| with(&[], word))
}

/// Flags that the program may not know, if it has nothing to run without a command.
pub(crate) fn unknown_flags(root: &Command, flags: &[&str]) -> Option<Permitted> {
    let args = flags.iter().map(ToString::to_string).collect();
    has_nothing_to_run(root).then_some(Permitted {
        command: Vec::new(),
        args,
        is_known_by_pack: false,
    })
}

/// A flag of the program that takes no value, if it says that it prints something.
pub(crate) fn printing_flag(root: &Command, flag: &Flag, prints: bool) -> Option<Permitted> {
    let is_known = flag.value.is_none() && (prints || has_nothing_to_run(root));
    is_known.then(|| with(&[], &flag.spelling()))
}

/// Whether a word that no program knows does nothing after this command.
fn may_meet_unknown_word(command: &Command) -> bool {
    command.only_reads() || is_proven(command, Subcommand::Optional)
}

/// Whether this command by itself, with flags that no program knows or without any, does nothing.
fn has_nothing_to_run(command: &Command) -> bool {
    command.only_reads() || is_proven(command, Subcommand::Required)
}

/// A name that takes something away weighs more than what help says of a command.
fn is_proven(command: &Command, least: Subcommand) -> bool {
    command.subcommand >= least && command.effects != Effect::Destroys
}

/// Whether a probe may be made.
pub(crate) fn permits(surface: &Surface, known: KnownEffects<'_>, probe: &Probe) -> bool {
    let command = surface.commands.iter().find(|command| command.path == probe.command);
    let Some(command) = command else { return false };
    let is_declared = command.known_from.declaration;
    let is_allowed = || known.permit(command.is_known_by_pack, probe.args.iter());
    is_permitted(surface, command, probe)
        && (probe.is_about_itself() || is_declared || is_allowed())
}

fn is_permitted(surface: &Surface, command: &Command, probe: &Probe) -> bool {
    match probe.purpose {
        Purpose::Help | Purpose::Version => probe.is_about_itself(),
        Purpose::Manifest => {
            let known = surface.manifest.as_ref().map(|it| it.args.iter().map(OsStr::new));
            known.is_some_and(|known| known.eq(probe.args.iter().map(OsString::as_os_str)))
        }
        Purpose::UnknownCommand => may_meet_unknown_word(command),
        Purpose::Existence if probe.args.iter().any(|word| word == NO_COMMAND) => {
            may_meet_unknown_word(command)
        }
        Purpose::Bare | Purpose::UnknownFlag | Purpose::TwoUnknownFlags => {
            has_nothing_to_run(command)
        }
        // A flag of the program is tried before a command that is safe.
        Purpose::Existence if command.is_root() => calls_what_is_safe(surface, probe),
        Purpose::Recorded => false,
        _ => command.is_safe(),
    }
}

/// Whether a probe ends with the words of a safe call.
fn calls_what_is_safe(surface: &Surface, probe: &Probe) -> bool {
    let is_end = |call: Vec<String>| {
        let call: Vec<OsString> = call.into_iter().map(OsString::from).collect();
        probe.args.ends_with(&call) && !call.is_empty()
    };
    let safe = |command: &Command| command.safe_call().is_some_and(is_end);
    surface.commands.iter().any(|it| safe(it) || (it.is_root() && it.is_safe()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::placeholder::NO_FLAG;
    use crate::observe::probe::Form;
    use crate::plan::usual::help as help_of;
    use crate::testing::{subject, surface};

    const EVERY: &[Purpose] = &[
        Purpose::Sample,
        Purpose::Empty,
        Purpose::Missing,
        Purpose::UnknownFlag,
        Purpose::TwoUnknownFlags,
        Purpose::UnknownCommand,
        Purpose::MissingArgument,
        Purpose::ExtraArgument,
        Purpose::InvalidValue,
        Purpose::Bare,
        Purpose::Help,
        Purpose::Version,
        Purpose::Manifest,
        Purpose::OddBytes,
        Purpose::ShellWords,
        Purpose::Mangled,
        Purpose::Existence,
        Purpose::Extra,
        Purpose::Moved,
        Purpose::Slow,
        Purpose::Recorded,
    ];

    fn allows(surface: &Surface, probe: &Probe) -> bool {
        let (subject, packs) = (subject(), manila_pack::Packs::default());
        permits(surface, KnownEffects::new(&subject, &packs), probe)
    }

    /// The purposes for which a command may be called with a word that says nothing.
    fn permitted(surface: &Surface, at: usize, word: &str) -> Vec<Purpose> {
        let command = &surface.commands[at];
        let may = |purpose: &&Purpose| {
            allows(surface, &Probe::new(command, **purpose, Form::Text, [word], &surface.json))
        };
        EVERY.iter().filter(may).copied().collect()
    }

    #[test]
    fn a_command_whose_effect_is_unknown_is_asked_for_its_help_alone() {
        let mut surface = surface();
        for effects in [Effect::Unknown, Effect::Writes, Effect::Destroys] {
            surface.commands[1].effects = effects;
            assert_eq!(permitted(&surface, 1, "x"), []);
            assert!(allows(&surface, &help_of(&surface.commands[1])));
            assert_eq!(permitted(&surface, 1, "--help"), [Purpose::Help]);
            assert_eq!(permitted(&surface, 1, "--version"), [], "of the program alone");
            assert_eq!(permitted(&surface, 1, "-h"), []);
        }
        surface.commands[1].effects = Effect::None;
        surface.commands[1].is_doubted = true;
        assert_eq!(permitted(&surface, 1, "x"), [], "the manifest contradicts its name");
    }

    #[test]
    fn the_program_itself_is_called_where_its_description_proves_that_nothing_runs() {
        let mut surface = surface();
        let unknown = [Purpose::UnknownCommand, Purpose::Existence];
        let nothing = [Purpose::UnknownFlag, Purpose::TwoUnknownFlags, Purpose::Bare];
        assert_eq!(permitted(&surface, 0, NO_COMMAND), []);
        assert_eq!(permitted(&surface, 0, NO_FLAG), []);
        surface.commands[0].subcommand = Subcommand::Optional;
        assert_eq!(permitted(&surface, 0, NO_COMMAND), unknown);
        surface.commands[0].subcommand = Subcommand::Required;
        let both = permitted(&surface, 0, NO_COMMAND);
        assert!(
            both.len() == 5 && [&unknown[..], &nothing].concat().iter().all(|it| both.contains(it))
        );
        surface.commands[0].effects = Effect::Destroys;
        assert_eq!(permitted(&surface, 0, NO_COMMAND), [], "its name says otherwise");
    }

    #[test]
    fn a_flag_of_the_program_is_tried_before_a_safe_call_alone() {
        let surface = surface();
        let probe = |args: &[&str]| {
            Probe::new(&surface.commands[0], Purpose::Existence, Form::Text, args, &surface.json)
        };
        assert!(allows(&surface, &probe(&["--sort", "list"])));
        assert!(!allows(&surface, &probe(&["--sort", "apply"])));
        assert!(!allows(&surface, &probe(&["--sort"])));
    }

    #[test]
    fn a_manifest_is_asked_for_with_the_words_that_printed_it() {
        let mut surface = surface();
        assert_eq!(permitted(&surface, 0, "schema"), []);
        let args = vec!["schema".to_owned()];
        surface.manifest =
            Some(crate::surface::model::Manifest { args, format: "other", is_whole: true });
        assert_eq!(permitted(&surface, 0, "schema"), [Purpose::Manifest]);
        assert_eq!(permitted(&surface, 0, "prune"), []);
    }
}
