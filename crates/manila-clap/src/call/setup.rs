//! What a program chose: its dialect, its modes, what it declares about its commands.

use super::{Annotations, Call};
use crate::classify::Class;
use crate::code::Code;
use crate::contract::{Danger, Migration, Moved, Spec};
use crate::declared::Declared;
use crate::error::{Error, Outcome};
use crate::failure::Failure;
use crate::flag::{self, Availability, Flag, FlagSet};
use crate::mode::{Environment, Mode};
use crate::output::Output;
use crate::printed::Printing;
use crate::reply::{Kind, Relayed, Reply};
use crate::sys::Guard;
#[cfg(feature = "schema")]
use crate::text::{Text, Valid, Version};
use crate::variable::{Variable, reads, variable_name};
use clap::ArgMatches;
use manila::DialectWriter;
use std::collections::HashSet;
use std::ffi::OsString;
use std::time::Duration;

/// What a program chose.
pub(crate) struct Setup {
    pub(crate) dialect: &'static dyn DialectWriter,
    pub(crate) migration: Option<Migration>,
    pub(crate) piped: Mode,
    /// The only commands that accept `--json`, if not all do.
    pub(crate) json_commands: Option<&'static [&'static str]>,
    /// Variables that name a mode, beside the one that is made of the program's name.
    pub(crate) mode_variables: Vec<&'static str>,
    /// The flags and the variables of the boundary that the program has.
    pub(crate) flags: FlagSet,
    /// The flags that help does not show.
    pub(crate) hidden: FlagSet,
    pub(crate) variables: Vec<Variable>,
    /// Whether people get usage errors and panics as they get the failures of the program.
    pub(crate) unified_errors: bool,
    /// Whether every command prints its answer.
    pub(crate) printed: bool,
    /// What only some programs need. A program that does not declare it does not link it.
    pub(crate) optional: Optional,
    pub(crate) limit: Option<Duration>,
    pub(crate) max_bytes: usize,
    /// Adds the exit status to the long help of a command, where the program wants it there.
    pub(crate) exit_help: Option<fn(&Call, clap::Command, &str) -> clap::Command>,
    /// What the completion script knows beyond the command.
    #[cfg(feature = "completions")]
    pub(crate) complete: Option<fn(clap::Command) -> clap::Command>,
    pub(crate) specs: Vec<(&'static str, Spec)>,
    pub(crate) moved: Vec<Moved>,
    pub(crate) names: Vec<(Code, &'static str)>,
    /// What errors of erased types are reported as.
    pub(crate) classes: Vec<Class>,
    pub(crate) built_ins: Vec<BuiltIn>,
    /// The program's own clap command.
    pub(crate) command: Box<dyn Fn() -> clap::Command + Send + Sync>,
    pub(crate) catalogue: Catalogue,
    /// Answers, and holds the answer against what is declared, in test mode.
    pub(crate) checked: Option<fn(&Call, Outcome) -> Output>,
}

/// Finds the command of a call among those that moved to another name.
pub(crate) type FindMoved =
    for<'c> fn(&'c Call, &clap::Command, &[OsString]) -> Option<(&'c Moved, Vec<OsString>)>;

/// Code that only some programs need.
#[derive(Clone, Copy, Default)]
pub(crate) struct Optional {
    /// What a command needs that prints its answer.
    pub(crate) printing: Option<&'static Printing>,
    /// Reads the value of a flag that is a time.
    pub(crate) duration: Option<fn(&str) -> Option<Duration>>,
    /// Asks before a destructive command; the failure of one that is not confirmed.
    pub(crate) confirm: Option<fn(&Call) -> Result<(), Error>>,
    /// Ends the run when its time is over.
    pub(crate) limit: Option<fn(&Call, Duration, Option<&Guard>)>,
    /// The command that moved to another name, and what else the call has.
    pub(crate) moved: Option<FindMoved>,
    /// Hands on the answer of another program.
    pub(crate) relay: Option<fn(&Call, &dyn Reply, Relayed<'_>, Annotations) -> Output>,
}

/// What the handler can answer, and how it can fail.
#[derive(Clone, Copy, Debug)]
pub struct Catalogue {
    #[cfg_attr(not(feature = "schema"), expect(dead_code, reason = "only lists name them"))]
    kinds: fn(&mut Vec<Kind>),
    declared: fn(&mut Vec<Declared>),
}

impl Catalogue {
    /// Everything that a handler of these types can.
    pub(crate) fn new<R: Reply, F: Failure>() -> Catalogue {
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
    pub(crate) flag: Option<Flag>,
    /// Whether it answers with a file's text, which a pipe gets as it is unless a flag says JSON.
    pub(crate) text: bool,
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only lists name them"))]
    pub(crate) kinds: fn(&mut Vec<Kind>),
}

impl Setup {
    pub(crate) fn new(
        dialect: &'static dyn DialectWriter,
        command: Box<dyn Fn() -> clap::Command + Send + Sync>,
    ) -> Setup {
        Setup {
            dialect,
            migration: None,
            piped: Mode::Rich,
            flags: FlagSet::usual(),
            hidden: FlagSet::none(),
            variables: Vec::new(),
            unified_errors: false,
            printed: false,
            optional: Optional::default(),
            json_commands: None,
            mode_variables: Vec::new(),
            limit: None,
            max_bytes: 1 << 20,
            exit_help: None,
            #[cfg(feature = "completions")]
            complete: None,
            specs: Vec::new(),
            moved: Vec::new(),
            names: Vec::new(),
            classes: Vec::new(),
            built_ins: Vec::new(),
            command,
            catalogue: Catalogue::empty(),
            checked: None,
        }
    }

    /// What is declared about a command.
    #[inline(never)]
    pub(crate) fn spec(&self, path: &str) -> Option<&Spec> {
        self.specs.iter().find(|(declared, _)| *declared == path).map(|(_, spec)| spec)
    }

    /// Whether a command answers in an envelope when `--json` asks for it.
    #[cfg(feature = "schema")]
    pub(crate) fn has_json(&self, path: &str) -> bool {
        let is_text = self.spec(path).is_some_and(|spec| spec.text_only);
        !is_text && self.json_commands.is_none_or(|commands| commands.contains(&path))
    }

    /// The command that the boundary added, if this path leads to one.
    #[inline(never)]
    pub(crate) fn built_in(&self, path: &str) -> Option<&BuiltIn> {
        let is_it = |built_in: &&BuiltIn| (built_in.command)().get_name() == path;
        let added = self.built_ins.iter().find(is_it)?;
        (self.command)().find_subcommand(path).is_none().then_some(added)
    }

    /// What a command may do to the world, as far as it is declared of it or of those above it.
    #[inline(never)]
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
                "App::command names `{path}`, which is not a command of this program"
            );
        }
    }

    /// The name and the value of a variable, if the program reads it and the caller set it.
    pub(crate) fn variable(
        &self,
        variable: Variable,
        environment: &Environment,
        program: &str,
    ) -> Option<(String, String)> {
        if !self.variables.contains(&variable) {
            return None;
        }
        let name = variable_name(program, variable.suffix());
        let value = environment.text(&name)?;
        let is_programs = reads(&(self.command)(), &name);
        (!is_programs).then_some((name, value))
    }

    /// The program's name for a failure of the boundary.
    pub(crate) fn name_of(&self, code: Code) -> &'static str {
        let renamed = self.names.iter().find(|(of, _)| *of == code);
        renamed.map_or_else(|| code.name(), |(_, name)| name)
    }

    /// Whether the program has a flag of the boundary.
    #[inline(never)]
    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags.has(flag) && self.can_have(flag.spec().availability)
    }

    fn can_have(&self, availability: Availability) -> bool {
        let offers = |name| self.built_ins.iter().any(|built_in| built_in.flag == Some(name));
        match availability {
            Availability::Always => true,
            Availability::Cursor => {
                let usual = || self.dialect.table().has_meta;
                self.migration.map_or_else(usual, |Migration { old, new, .. }| {
                    old.1.table().has_meta || new.1.table().has_meta
                })
            }
            Availability::Migrating => self.migration.is_some(),
            Availability::Schema => offers(Flag::Schema),
            Availability::Manifest => offers(Flag::Manifest),
            Availability::Destructive => {
                self.specs.iter().any(|(_, spec)| spec.danger == Some(Danger::Destructive))
            }
        }
    }

    /// The program's command with those that the boundary adds. A program without commands gets
    /// none: its first argument may be any word.
    pub(crate) fn whole_command(&self) -> clap::Command {
        let command = (self.command)();
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
        flag::describe(self.whole_command(), &|flag| self.has(flag))
    }

    /// The same without the flags that help does not show.
    pub(crate) fn shown_command(&self) -> clap::Command {
        flag::describe(self.whole_command(), &|flag| self.has(flag) && !self.hidden.has(flag))
    }

    /// The same under the name of the program.
    #[cfg(any(feature = "completions", feature = "man", feature = "schema"))]
    pub(crate) fn named_command(&self, name: &str) -> clap::Command {
        self.described_command().name(name.to_owned()).bin_name(name.to_owned())
    }

    /// The error of a type that could not be made of the matches, as `Parser::parse` shows it.
    pub(crate) fn formatted(&self, error: clap::Error) -> clap::Error {
        error.format(&mut (self.command)())
    }

    /// Every kind of answer, in order and each once.
    #[cfg(feature = "schema")]
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

    /// The program's own failures.
    fn own_declared(&self) -> Vec<Declared> {
        let mut declared = Vec::new();
        (self.catalogue.declared)(&mut declared);
        declared.extend(self.classes.iter().map(|class| class.failure));
        declared
    }

    /// Every failure, the program's own first.
    pub(crate) fn every_declared(&self) -> Vec<Declared> {
        let mut declared = self.own_declared();
        declared.extend(Code::ALL.iter().map(|code| code.declared(self.name_of(*code))));
        declared
    }

    /// The same, each code once. Of one that stands for several failures of the program only the
    /// class is listed.
    pub(crate) fn all_declared(&self) -> Vec<Declared> {
        let own = self.own_declared();
        let is_shared = |one: &Declared| {
            own.iter().any(|other| other.code == one.code && other.meaning != one.meaning)
        };
        let listed = self.every_declared().into_iter().map(|one| {
            if !is_shared(&one) {
                return one;
            }
            let meaning = one.exit.meaning();
            Declared { meaning, retryable: None, suggestion: None, ..one }
        });
        once_each(listed.collect(), |one| one.code)
    }
}

/// The list in its order, with the first of each name alone.
fn once_each<T>(list: Vec<T>, name: impl Fn(&T) -> &'static str) -> Vec<T> {
    let mut met = HashSet::new();
    list.into_iter().filter(|one| met.insert(name(one))).collect()
}
