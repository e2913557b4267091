//! A walk along the arguments of a call, to know whose each word is and which command it leads to.

use clap::{Arg, ArgAction, Command};
use std::ffi::OsStr;

/// A walk along the arguments, as far as it takes to know whose each word is.
pub(crate) struct Walk<'c> {
    /// The command that is reached, and those on the way to it.
    line: Vec<&'c Command>,
    /// How many words the last option may still take.
    pending: usize,
    /// Whether it takes them whatever they look like.
    hyphens: bool,
    positionals: usize,
    /// How many words of this command were positional arguments.
    filled: usize,
    over: bool,
    /// The word that ends the values of the last option.
    terminator: Option<&'c str>,
    /// Whether the beginning of a command's name stands for it.
    infers: bool,
    /// The word that should have been a command and is none.
    lost: Option<String>,
}

impl<'c> Walk<'c> {
    pub(crate) fn new(command: &'c Command) -> Walk<'c> {
        Walk {
            line: vec![command],
            pending: 0,
            hyphens: false,
            positionals: 0,
            filled: 0,
            over: false,
            terminator: None,
            infers: false,
            lost: None,
        }
    }

    /// The same where a prefix of a command's name may be used for it: clap does not say whether it
    /// may, but otherwise the word has no meaning at all.
    pub(crate) fn inferring(self) -> Walk<'c> {
        Walk { infers: true, ..self }
    }

    /// The command that is reached.
    pub(crate) fn here(&self) -> &'c Command {
        self.line[self.line.len() - 1]
    }

    /// The names of the commands on the way, without the program's.
    pub(crate) fn path(&self) -> Vec<&'c str> {
        self.line.iter().skip(1).map(|command| command.get_name()).collect()
    }

    /// The names of the commands as they were typed, the one that does not exist included. What
    /// follows `help` is what it is asked about.
    pub(crate) fn typed(&self) -> Vec<&str> {
        let path = self.line.iter().map(|command| command.get_name());
        let mut typed: Vec<&str> = path.skip(1).chain(self.lost.as_deref()).collect();
        if typed.first() == Some(&"help") && !self.line[0].is_disable_help_subcommand_set() {
            typed.truncate(1);
        }
        typed
    }

    /// Whether the rest belongs to the program that is run.
    pub(crate) fn is_over(&self) -> bool {
        let takes_rest =
            |arg: &Arg| arg.is_trailing_var_arg_set() || arg.is_allow_hyphen_values_set();
        self.over || (self.filled > 0 && self.positional().is_some_and(takes_rest))
    }

    /// Whether the next word is a value although it may look like a flag.
    pub(crate) fn takes_word(&self) -> bool {
        self.pending > 0 && self.hyphens
    }

    fn arguments(&self) -> impl Iterator<Item = &'c Arg> {
        let inherited = self.line.iter().rev().skip(1);
        let globals =
            inherited.flat_map(|command| command.get_arguments()).filter(|arg| arg.is_global_set());
        self.here().get_arguments().chain(globals)
    }

    #[inline(never)]
    pub(crate) fn option(&self, name: &str) -> Option<&'c Arg> {
        self.arguments().find(|arg| is_called(arg, name))
    }

    #[inline(never)]
    fn short(&self, letter: char) -> Option<&'c Arg> {
        self.arguments().find(|arg| is_short(arg, letter))
    }

    /// Whether a command further down has an option of this name: then it is meant, too early.
    pub(crate) fn is_below(&self, name: &str) -> bool {
        self.here().get_subcommands().any(|command| is_defined(command, name))
    }

    /// Takes a word that is the program's own.
    pub(crate) fn step(&mut self, word: &OsStr) {
        let text = word.to_string_lossy();
        // A single hyphen names a stream: to clap it is a value.
        if self.pending > 0 && (self.hyphens || text == "-" || !text.starts_with('-')) {
            let is_end = self.terminator.is_some_and(|end| end == text);
            self.pending = if is_end { 0 } else { self.pending - 1 };
            return;
        }
        self.pending = 0;
        if text.len() > 1 && text.starts_with('-') && self.take_option(&text) {
            return;
        }
        if let Some(command) = self.subcommand(word).filter(|_| self.lost.is_none()) {
            self.enter(command);
            return;
        }
        // An unknown word leads nowhere.
        let is_lost = self.here().has_subcommands() && self.positional().is_none();
        if is_lost && self.lost.is_none() {
            self.lost = Some(text.clone().into_owned());
        }
        self.filled += 1;
        self.over = self.here().is_allow_external_subcommands_set()
            || self.positional().is_some_and(Arg::is_trailing_var_arg_set);
        let is_filled = self.positional().is_some_and(|arg| !takes_many(arg));
        self.positionals += usize::from(is_filled);
    }

    /// The command of a name, or of the only one that begins so.
    fn subcommand(&self, word: &OsStr) -> Option<&'c Command> {
        if let Some(command) = self.here().find_subcommand(word) {
            return Some(command);
        }
        let is_command = self.infers
            && self.positional().is_none()
            && !self.here().is_allow_external_subcommands_set();
        let start = word.to_str().filter(|start| is_command && !start.is_empty())?;
        let begins = |command: &&Command| {
            command.get_name().starts_with(start)
                || command.get_all_aliases().any(|alias| alias.starts_with(start))
        };
        let mut meant = self.here().get_subcommands().filter(begins);
        meant.next().filter(|_| meant.next().is_none())
    }

    #[inline(never)]
    fn enter(&mut self, command: &'c Command) {
        self.line.push(command);
        self.positionals = 0;
        self.filled = 0;
    }

    /// The positional argument that comes next.
    #[inline(never)]
    fn positional(&self) -> Option<&'c Arg> {
        self.here().get_positionals().nth(self.positionals)
    }

    /// Takes a word that looks like an option, unless the argument that comes next takes even those
    /// and there is no such option.
    fn take_option(&mut self, text: &str) -> bool {
        let (is_known, taking) = match text.strip_prefix("--") {
            Some(option) => {
                let (name, value) = option.split_once('=').unzip();
                if let Some(command) =
                    self.here().get_subcommands().find(|it| is_long_flag(it, option))
                {
                    self.enter(command);
                    return true;
                }
                let arg = self.option(name.unwrap_or(option));
                (arg.is_some(), arg.filter(|_| value.is_none()))
            }
            None => self.cluster(&text[1..]),
        };
        if !is_known && self.positional().is_some_and(Arg::is_allow_hyphen_values_set) {
            return false;
        }
        self.expect_values(taking);
        true
    }

    /// Whether all short options of a cluster are known, and the one that takes the next word: only
    /// the last can, for any other takes the rest of the cluster.
    fn cluster(&mut self, shorts: &str) -> (bool, Option<&'c Arg>) {
        let mut letters = shorts.chars();
        while let Some(letter) = letters.next() {
            match self.short(letter) {
                None => {
                    let mut below = self.here().get_subcommands();
                    let Some(command) = below.find(|it| is_short_flag(it, letter)) else {
                        return (false, None);
                    };
                    self.enter(command);
                }
                Some(arg) if arg.get_action().takes_values() => {
                    return (true, Some(arg).filter(|_| letters.as_str().is_empty()));
                }
                Some(_) => {}
            }
        }
        (true, None)
    }

    /// The words that follow an option may be its values, and some take even what looks like a flag.
    fn expect_values(&mut self, arg: Option<&'c Arg>) {
        let takes = |arg: &&'c Arg| arg.get_action().takes_values() && !arg.is_require_equals_set();
        let Some(arg) = arg.filter(takes) else { return };
        self.hyphens = arg.is_allow_hyphen_values_set();
        self.pending = arg.get_num_args().map_or(1, |range| range.max_values());
        self.terminator = arg.get_value_terminator().map(AsRef::as_ref);
    }
}

/// Whether a command is called by this long flag.
fn is_long_flag(command: &Command, name: &str) -> bool {
    command.get_long_flag() == Some(name)
        || command.get_all_long_flag_aliases().any(|alias| alias == name)
}

/// Whether a command is called by this short flag.
fn is_short_flag(command: &Command, letter: char) -> bool {
    command.get_short_flag() == Some(letter)
        || command.get_all_short_flag_aliases().any(|alias| alias == letter)
}

/// Whether an argument takes more than one word.
fn takes_many(arg: &Arg) -> bool {
    arg.get_num_args().is_some_and(|range| range.max_values() > 1)
        || matches!(arg.get_action(), ArgAction::Append)
}

/// Whether an argument has this long name.
#[inline(never)]
pub(crate) fn is_called(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name)
        || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
}

/// Whether an argument has this short name.
#[inline(never)]
fn is_short(arg: &Arg, letter: char) -> bool {
    arg.get_short() == Some(letter)
        || arg.get_all_short_aliases().is_some_and(|all| all.contains(&letter))
}

/// Whether a program uses the name itself, in any of its commands.
pub(crate) fn is_defined(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|arg| is_called(arg, name))
        || command.get_subcommands().any(|command| is_defined(command, name))
}

/// Whether a program uses the short name itself, in any of its commands.
pub(crate) fn is_short_defined(command: &Command, letter: char) -> bool {
    command.get_arguments().any(|arg| is_short(arg, letter))
        || command.get_subcommands().any(|command| is_short_defined(command, letter))
}
