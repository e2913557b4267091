//! The commands of a program, from clap's tree to the entries of the manifest.

use super::argument::{Conflicts, describe, required_groups};
use super::exits::{declared_for, exit_codes, is_ours};
use super::schema_of;
use crate::call::Call;
use crate::call::setup::BuiltIn;
use crate::declared::Declared;
use crate::flag::Flag;
use crate::reply::{Kind, Reply, Shape};
use crate::text::{Text, Valid, Version};
use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use manila::manifest::{Deprecated, Entry, Example};
use std::collections::BTreeMap;

/// The commands on the way from clap to the manifest.
pub(super) struct Tree<'c> {
    call: &'c Call,
    declared: Vec<Declared>,
    handler_kinds: Vec<&'static str>,
    /// The arguments that every command takes, which are listed once.
    everywhere: Vec<&'c Arg>,
    commands: BTreeMap<String, Entry>,
}

/// What answers a command.
enum Answerer<'c> {
    Program,
    BuiltIn(&'c BuiltIn),
    /// Only the boundary, with help.
    Help,
}

impl<'c> Tree<'c> {
    /// The entries of a command and of everything below it, by dotted path.
    pub(super) fn entries(
        call: &'c Call,
        root: &'c Command,
        everywhere: Vec<&'c Arg>,
        conflicts: &Conflicts,
    ) -> BTreeMap<String, Entry> {
        let mut tree = Tree {
            call,
            declared: call.setup.all_declared(),
            handler_kinds: handler_kinds(call),
            everywhere,
            commands: BTreeMap::new(),
        };
        tree.add(root, "", conflicts);
        tree.commands
    }

    /// Adds a command and those below it.
    fn add(&mut self, command: &'c Command, path: &str, conflicts: &Conflicts) {
        let entry = self.entry(command, path, conflicts, &self.answerer(command, path));
        self.commands.insert(path.replace(' ', "."), entry);
        let globals: Vec<&Arg> =
            command.get_arguments().filter(|arg| arg.is_global_set()).collect();
        let handed_down = conflicts.only(&globals);
        for below in visible(command) {
            let path = format!("{path} {}", below.get_name());
            let path = path.trim_start();
            if is_generated_help(command, below) {
                // What clap puts below it is a copy of the whole tree.
                let none = Conflicts::default();
                let entry = self.entry(&help_command(), path, &none, &Answerer::Help);
                self.commands.insert(path.replace(' ', "."), entry);
            } else {
                let conflicts = Conflicts::of_command(below, &globals, &handed_down);
                self.add(below, path, &conflicts);
            }
        }
    }

    fn answerer(&self, command: &Command, path: &str) -> Answerer<'c> {
        match self.call.setup.built_in(path) {
            Some(built_in) => Answerer::BuiltIn(built_in),
            None if is_runnable(command) => Answerer::Program,
            None => Answerer::Help,
        }
    }

    fn entry(
        &self,
        command: &Command,
        path: &str,
        conflicts: &Conflicts,
        answerer: &Answerer<'_>,
    ) -> Entry {
        let spec = self.call.setup.spec(path);
        let listed = |arg: &&Arg| {
            let is_it = |other: &&Arg| {
                other.get_id() == arg.get_id() && (arg.is_global_set() || is_help_flag(arg))
            };
            !arg.is_hide_set() && !self.everywhere.iter().any(is_it)
        };
        let arguments = command.get_arguments().filter(listed);
        let (positionals, flags) = arguments.partition::<Vec<&Arg>, _>(|arg| arg.is_positional());
        let described = |args: Vec<&Arg>| {
            args.into_iter().map(|arg| describe(arg, conflicts)).collect::<Vec<_>>()
        };
        let declared = match answerer {
            Answerer::Program => declared_for(self.call, path, &self.declared),
            _ => self.declared.iter().filter(|one| is_ours(self.call, one)).copied().collect(),
        };
        let mut kinds: Vec<Kind> = Vec::new();
        match answerer {
            Answerer::BuiltIn(built_in) => (built_in.kinds)(&mut kinds),
            Answerer::Help => Text::kinds(&mut kinds),
            Answerer::Program => kinds.extend(spec.into_iter().flat_map(|spec| &spec.kinds)),
        }
        let json = self.call.setup.has_json(path);
        let is_older = self.call.shape == Shape::Legacy && kinds.iter().any(|kind| kind.has_legacy);
        let output_kinds = match kinds.as_slice() {
            _ if !json => Vec::new(),
            [] => self.handler_kinds.clone(),
            kinds => kinds.iter().map(|kind| kind.name).collect(),
        };
        Entry {
            description: about(command).unwrap_or_default(),
            aliases: command.get_visible_aliases().map(str::to_owned).collect(),
            runnable: is_runnable(command),
            danger_level: match (self.call.setup.danger(path), answerer) {
                (Some(danger), _) => Some(danger.as_str().to_owned()),
                (None, Answerer::Program) => None,
                (None, _) => Some(crate::Danger::Safe.as_str().to_owned()),
            },
            deprecated: spec.and_then(|spec| spec.deprecated).map(|it| Deprecated {
                since: it.since.to_owned(),
                instead: it.instead.to_owned(),
            }),
            json,
            cacheable: spec.is_some_and(|spec| spec.cacheable)
                || matches!(answerer, Answerer::BuiltIn(it) if it.flag == Some(Flag::Manifest)),
            positionals: described(positionals),
            flags: described(flags),
            require_one_of: required_groups(command),
            external_subcommands: command.is_allow_external_subcommands_set(),
            exit_codes: exit_codes(self.call, &declared),
            output_kinds: output_kinds.into_iter().map(str::to_owned).collect(),
            output_schema: schema_of(&kinds).filter(|_| json && !is_older).map(Into::into),
            examples: spec
                .into_iter()
                .flat_map(|spec| &spec.examples)
                .map(|(call, what)| Example { call: (*call).to_owned(), what: (*what).to_owned() })
                .collect(),
            subcommands: visible(command).map(|below| below.get_name().to_owned()).collect(),
        }
    }
}

/// What the handler can answer, for commands of which nothing more is known.
fn handler_kinds(call: &Call) -> Vec<&'static str> {
    let mut not_its = Vec::new();
    call.setup.built_ins.iter().for_each(|built_in| (built_in.kinds)(&mut not_its));
    Text::kinds(&mut not_its);
    Version::kinds(&mut not_its);
    Valid::kinds(&mut not_its);
    let names = call.setup.all_kinds().into_iter().map(|kind| kind.name);
    names.filter(|name| !not_its.iter().any(|other| other.name == *name)).collect()
}

pub(super) fn about(command: &Command) -> Option<String> {
    command.get_about().or_else(|| command.get_long_about()).map(StyledStr::to_string)
}

/// Whether it does something without one of its commands.
fn is_runnable(command: &Command) -> bool {
    !command.has_subcommands() || !command.is_subcommand_required_set()
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set())
}

/// The name of the command that clap adds.
pub(super) const HELP: &str = "help";

fn is_generated_help(command: &Command, below: &Command) -> bool {
    below.get_name() == HELP && !command.is_disable_help_subcommand_set()
}

/// The command that clap adds, as it parses it.
fn help_command() -> Command {
    let name = Arg::new("command").action(ArgAction::Append).num_args(..).value_name("COMMAND");
    Command::new(HELP)
        .about("Print this message or the help of the given subcommand(s)")
        .disable_help_flag(true)
        .arg(name.help("The command, with those that lead to it"))
}

pub(super) fn is_help_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong)
}
