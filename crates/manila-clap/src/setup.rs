//! What a program chose: its dialect, its modes, what it declares about its commands.

use crate::call::Call;
use crate::code::Code;
use crate::contract::{Danger, Migration, Moved, Spec};
use crate::failure::Declared;
use crate::failure::Failure;
use crate::flag::{self, Name, When};
use crate::mode::Mode;
use crate::reply::{Kind, Reply};
use crate::seal::Outcome;
use crate::text::{Text, Valid, Version};
use clap::ArgMatches;
use manila::Spoken;
use std::collections::HashSet;
use std::time::Duration;

/// What a program chose.
pub(crate) struct Setup {
    pub(crate) dialect: &'static dyn Spoken,
    pub(crate) migration: Option<Migration>,
    pub(crate) piped: Mode,
    /// The only commands that `--json` is heard for, if not every one.
    pub(crate) json_commands: Option<&'static [&'static str]>,
    /// Variables that name a mode, beside the one that is made of the program's name.
    pub(crate) mode_variables: Vec<&'static str>,
    pub(crate) limit: Option<Duration>,
    pub(crate) max_bytes: usize,
    pub(crate) specs: Vec<(&'static str, Spec)>,
    pub(crate) moved: Vec<Moved>,
    pub(crate) names: Vec<(Code, &'static str)>,
    pub(crate) built_ins: Vec<BuiltIn>,
    /// The program's own clap command.
    pub(crate) command: Box<dyn Fn() -> clap::Command + Send + Sync>,
    pub(crate) catalogue: Catalogue,
}

/// What the handler can answer, and how it can fail.
#[derive(Clone, Copy, Debug)]
pub struct Catalogue {
    kinds: fn(&mut Vec<Kind>),
    declared: fn(&mut Vec<Declared>),
}

impl Catalogue {
    /// Everything that a handler of these types can.
    pub(crate) fn of<R: Reply, F: Failure>() -> Catalogue {
        Catalogue { kinds: R::kinds, declared: F::declared }
    }

    fn empty() -> Catalogue {
        Catalogue { kinds: |_| {}, declared: |_| {} }
    }
}

/// A command that the boundary adds to a program which asks for it.
#[derive(Clone, Copy)]
pub(crate) struct BuiltIn {
    /// How clap knows it.
    pub(crate) command: fn() -> clap::Command,
    /// What it answers.
    pub(crate) run: fn(&Call, &ArgMatches) -> Outcome,
    /// The flag that asks for the same, without a command.
    pub(crate) flag: Option<Name>,
    /// Whether it answers with a file's text, which a pipe gets as it is unless a flag says JSON.
    pub(crate) text: bool,
    pub(crate) kinds: fn(&mut Vec<Kind>),
}

impl Setup {
    pub(crate) fn new(
        dialect: &'static dyn Spoken,
        command: Box<dyn Fn() -> clap::Command + Send + Sync>,
    ) -> Setup {
        Setup {
            dialect,
            migration: None,
            piped: Mode::Json,
            json_commands: None,
            mode_variables: Vec::new(),
            limit: None,
            max_bytes: 1 << 20,
            specs: Vec::new(),
            moved: Vec::new(),
            names: Vec::new(),
            built_ins: Vec::new(),
            command,
            catalogue: Catalogue::empty(),
        }
    }

    /// What is declared about a command.
    pub(crate) fn spec(&self, path: &str) -> Option<&Spec> {
        self.specs.iter().find(|(declared, _)| *declared == path).map(|(_, spec)| spec)
    }

    /// Whether a command answers in an envelope when `--json` asks for it.
    pub(crate) fn has_json(&self, path: &str) -> bool {
        let is_text = self.spec(path).is_some_and(|spec| spec.text_only);
        !is_text && self.json_commands.is_none_or(|commands| commands.contains(&path))
    }

    /// The command that the boundary added, if this path leads to one.
    pub(crate) fn built_in(&self, path: &str) -> Option<&BuiltIn> {
        let is_it = |built_in: &&BuiltIn| (built_in.command)().get_name() == path;
        let added = self.built_ins.iter().find(is_it)?;
        (self.command)().find_subcommand(path).is_none().then_some(added)
    }

    /// What a command may do to the world, as far as it is declared of it or of those above it.
    pub(crate) fn danger(&self, path: &str) -> Option<Danger> {
        let is_above = |above: &str| {
            path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let above = self.specs.iter().filter(|(declared, _)| is_above(declared));
        above.filter_map(|(_, spec)| spec.danger).max()
    }

    /// Panics if something is declared of a command that does not exist.
    pub(crate) fn check_paths(&self, command: &clap::Command) {
        for (path, _) in &self.specs {
            let mut names = path.split(' ').filter(|name| !name.is_empty());
            let found = names.try_fold(command, |command, name| command.find_subcommand(name));
            assert!(
                found.is_some(),
                "App::command is told about `{path}`, which is no command of this program"
            );
        }
    }

    /// The program's name for a failure of the boundary.
    pub(crate) fn name_of(&self, code: Code) -> &'static str {
        let renamed = self.names.iter().find(|(of, _)| *of == code);
        renamed.map_or_else(|| code.name(), |(_, name)| name)
    }

    /// Whether the program has flags of this sort.
    pub(crate) fn has(&self, when: When) -> bool {
        let offers = |name| self.built_ins.iter().any(|built_in| built_in.flag == Some(name));
        match when {
            When::Always => true,
            When::Cursor => {
                let usual = || self.dialect.about().roomy;
                self.migration.map_or_else(usual, |Migration { old, new, .. }| {
                    old.1.about().roomy || new.1.about().roomy
                })
            }
            When::Migrating => self.migration.is_some(),
            When::Schema => offers(Name::Schema),
            When::Manifest => offers(Name::Manifest),
            When::Destructive => {
                self.specs.iter().any(|(_, spec)| spec.danger == Some(Danger::Destructive))
            }
        }
    }

    /// The program's command with those that the boundary adds. A program without commands gets
    /// none: its first argument may be any word.
    pub(crate) fn whole_command(&self) -> clap::Command {
        // It is called by its own name, whatever the file is called that holds it.
        let command = (self.command)().no_binary_name(true);
        if self.built_ins.is_empty() || !command.has_subcommands() {
            return command;
        }
        self.built_ins
            .iter()
            .map(|built_in| (built_in.command)())
            .filter(|added| command.find_subcommand(added.get_name()).is_none())
            .collect::<Vec<_>>()
            .into_iter()
            .fold(command, clap::Command::subcommand)
    }

    /// The same with our flags, as help, completions and the manifest show it.
    pub(crate) fn described_command(&self) -> clap::Command {
        let command = self.whole_command();
        let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
        flag::describe(command.bin_name(name), |when| self.has(when))
    }

    /// Every kind of answer, in order and each once.
    pub(crate) fn all_kinds(&self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        (self.catalogue.kinds)(&mut kinds);
        kinds.extend(self.specs.iter().flat_map(|(_, spec)| spec.kinds.iter().copied()));
        self.built_ins.iter().for_each(|built_in| (built_in.kinds)(&mut kinds));
        Text::kinds(&mut kinds);
        Version::kinds(&mut kinds);
        Valid::kinds(&mut kinds);
        once_each(kinds, |kind| kind.name)
    }

    /// Every failure, the program's own first.
    pub(crate) fn every_declared(&self) -> Vec<Declared> {
        let mut declared = Vec::new();
        (self.catalogue.declared)(&mut declared);
        declared.extend(Code::ALL.iter().map(|code| code.declared(self.name_of(*code))));
        declared
    }

    /// The same, each code once. Of one that stands for several failures of the program only the
    /// class is told.
    pub(crate) fn all_declared(&self) -> Vec<Declared> {
        let mut own = Vec::new();
        (self.catalogue.declared)(&mut own);
        let is_shared = |one: &Declared| {
            own.iter().any(|other| other.code == one.code && other.meaning != one.meaning)
        };
        let told = self.every_declared().into_iter().map(|one| {
            if !is_shared(&one) {
                return one;
            }
            let meaning = one.exit.meaning();
            Declared { meaning, retryable: None, suggestion: None, ..one }
        });
        once_each(told.collect(), |one| one.code)
    }
}

/// The list in its order, with the first of each name alone.
fn once_each<T>(list: Vec<T>, name: impl Fn(&T) -> &'static str) -> Vec<T> {
    let mut met = HashSet::new();
    list.into_iter().filter(|one| met.insert(name(one))).collect()
}
