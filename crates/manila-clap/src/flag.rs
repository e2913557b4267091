//! The flags that the boundary adds to a program, and finding them among its own arguments.
//!
//! They are taken out before clap looks, because adding them to clap would cost every run of every
//! command; only help, completions and the manifest see them as clap arguments. Which of them are
//! ours is decided as clap would decide it: a program's own flag of the same name wins, `--` ends
//! the search, and so does an argument that takes everything that follows.

use clap::{Arg, ArgAction, Command};
use std::ffi::{OsStr, OsString};

/// A flag of the boundary.
#[derive(Debug)]
pub(crate) struct Flag {
    pub(crate) name: Name,
    pub(crate) long: &'static str,
    pub(crate) alias: Option<&'static str>,
    /// What stands for its value in the help, if it takes one.
    pub(crate) value: Option<&'static str>,
    pub(crate) help: &'static str,
    /// What the program must have asked for.
    pub(crate) when: When,
}

/// Which flag it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Json,
    Output,
    Colour,
    Quiet,
    Timeout,
    Etag,
    MaxBytes,
    Heartbeat,
    ValidateOnly,
    NoInput,
    Yes,
    EnvelopeVersion,
    LegacyEnvelope,
    Schema,
    Manifest,
}

/// When a program has a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// The program is on its way from one envelope to another.
    Migrating,
    /// The program lists its types.
    Schema,
    /// The program describes itself.
    Manifest,
    /// A command of the program destroys something.
    Destructive,
}

impl Name {
    pub(crate) const ALL: [Name; 15] = [
        Name::Json,
        Name::Output,
        Name::Colour,
        Name::Quiet,
        Name::Timeout,
        Name::Etag,
        Name::MaxBytes,
        Name::Heartbeat,
        Name::ValidateOnly,
        Name::NoInput,
        Name::Yes,
        Name::EnvelopeVersion,
        Name::LegacyEnvelope,
        Name::Schema,
        Name::Manifest,
    ];

    /// Everything about it. It is no table, because the pointers of a table would have to be put
    /// right at the start of every run.
    pub(crate) fn flag(self) -> Flag {
        let plain = |long, help| Flag {
            name: self,
            long,
            alias: None,
            value: None,
            help,
            when: When::Always,
        };
        let taking = |long, value, help| Flag { value: Some(value), ..plain(long, help) };
        match self {
            Name::Json => plain("json", "Answer in JSON"),
            Name::Output => Flag {
                alias: Some("output-format"),
                ..taking("output", "MODE", "Answer as rich, plain, json or jsonl")
            },
            Name::Colour => taking("color", "WHEN", "Colour: auto, always or never"),
            Name::Quiet => plain("quiet", "No warnings and no progress on standard error"),
            Name::Timeout => {
                taking("timeout", "TIME", "Give up after this time, such as 30s; 0 for never")
            }
            Name::Etag => {
                taking("etag", "TAG", "Answer `not modified` if the data still have this tag")
            }
            Name::MaxBytes => {
                taking("max-bytes", "BYTES", "Cut the data to this size; a cursor leads on")
            }
            Name::Heartbeat => taking("heartbeat", "TIME", "With jsonl, a sign of life this often"),
            Name::ValidateOnly => plain("validate-only", "Check the arguments and do nothing"),
            Name::NoInput => {
                Flag { alias: Some("non-interactive"), ..plain("no-input", "Never ask anything") }
            }
            Name::Yes => Flag {
                alias: Some("confirm-destructive"),
                when: When::Destructive,
                ..plain("yes", "Do it, although it cannot be undone")
            },
            Name::EnvelopeVersion => Flag {
                when: When::Migrating,
                ..taking("envelope-version", "VERSION", "The envelope to answer in")
            },
            Name::LegacyEnvelope => Flag {
                when: When::Migrating,
                ..plain("legacy-envelope", "Answer in the older envelope")
            },
            Name::Schema => Flag {
                alias: Some("print-schema"),
                when: When::Schema,
                ..plain("schema", "List every type and every error code")
            },
            Name::Manifest => {
                Flag { when: When::Manifest, ..plain("manifest", "Describe every command") }
            }
        }
    }
}

/// The arguments of a call: what is ours, and what is the program's.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Our flags in their order, each with its value.
    pub(crate) flags: Vec<(Name, Option<OsString>)>,
    /// The rest, without the name of the program.
    pub(crate) rest: Vec<OsString>,
    /// The flags that want a value and stand at the end without one.
    pub(crate) bare: Option<&'static str>,
}

impl Asked {
    pub(crate) fn has(&self, name: Name) -> bool {
        self.flags.iter().any(|(flag, _)| *flag == name)
    }

    /// The last value of a flag.
    pub(crate) fn value(&self, name: Name) -> Option<&OsStr> {
        self.flags.iter().rev().find(|(flag, _)| *flag == name)?.1.as_deref()
    }
}

/// The flag that a word names, and the value that it carries after `=`.
fn named(word: &OsStr, has: &impl Fn(When) -> bool) -> Option<(Flag, Option<OsString>)> {
    let bytes = word.as_encoded_bytes();
    let text = bytes.strip_prefix(b"--")?;
    let (name, value) = match text.iter().position(|byte| *byte == b'=') {
        Some(at) => (&text[..at], word.to_str().and_then(|word| word.split_once('='))),
        None => (text, None),
    };
    let is_it = |flag: &Flag| {
        flag.long.as_bytes() == name || flag.alias.is_some_and(|alias| alias.as_bytes() == name)
    };
    let flag = Name::ALL.into_iter().map(Name::flag).find(is_it).filter(|flag| has(flag.when))?;
    Some((flag, value.map(|(_, value)| value.into())))
}

/// Whether any word could be a flag of ours; nearly always none is, and nothing need be looked at.
fn any(words: &[OsString], has: &impl Fn(When) -> bool) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| named(word, has).is_some())
}

/// Takes our flags out of the arguments.
pub(crate) fn take(command: &Command, words: Vec<OsString>, has: impl Fn(When) -> bool) -> Asked {
    if !any(&words, &has) {
        return Asked { rest: words, ..Asked::default() };
    }
    let mut asked = Asked::default();
    let mut walk = Walk::new(command);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--" || walk.is_over() {
            asked.rest.push(word);
            asked.rest.extend(words);
            break;
        }
        match named(&word, &has) {
            Some((flag, given)) if !walk.takes_word() => {
                let own = walk.defines(&flag);
                if own && flag.name != Name::Json {
                    walk.step(&word);
                    asked.rest.push(word);
                    continue;
                }
                // A program's own --json means what ours means, and both are told.
                if own {
                    asked.rest.push(word);
                }
                let value = match (flag.value, given) {
                    (None, _) => None,
                    (Some(_), Some(given)) => Some(given),
                    (Some(_), None) => {
                        let next = words.next();
                        if next.is_none() {
                            asked.bare = Some(flag.long);
                        }
                        next
                    }
                };
                asked.flags.push((flag.name, value));
            }
            _ => {
                walk.step(&word);
                asked.rest.push(word);
            }
        }
    }
    asked
}

/// A walk along the arguments, as far as it takes to know whose each word is.
pub(crate) struct Walk<'c> {
    /// The command that is reached, and those on the way to it.
    line: Vec<&'c Command>,
    /// How many words the last option may still take.
    pending: usize,
    /// Whether it takes them whatever they look like.
    hyphens: bool,
    positionals: usize,
    over: bool,
}

impl<'c> Walk<'c> {
    pub(crate) fn new(command: &'c Command) -> Walk<'c> {
        Walk { line: vec![command], pending: 0, hyphens: false, positionals: 0, over: false }
    }

    /// The command that is reached.
    pub(crate) fn here(&self) -> &'c Command {
        self.line[self.line.len() - 1]
    }

    /// The names of the commands on the way, without the program's.
    pub(crate) fn path(&self) -> Vec<&'c str> {
        self.line.iter().skip(1).map(|command| command.get_name()).collect()
    }

    /// Whether the rest belongs to whoever is run by the program.
    fn is_over(&self) -> bool {
        self.over
    }

    /// Whether the next word is a value although it may look like a flag.
    fn takes_word(&self) -> bool {
        self.pending > 0 && self.hyphens
    }

    fn arguments(&self) -> impl Iterator<Item = &'c Arg> {
        let inherited = self.line.iter().rev().skip(1);
        let globals =
            inherited.flat_map(|command| command.get_arguments()).filter(|arg| arg.is_global_set());
        self.here().get_arguments().chain(globals)
    }

    /// Whether the program has such a flag itself.
    fn defines(&self, flag: &Flag) -> bool {
        let mut names = std::iter::once(flag.long).chain(flag.alias);
        names.any(|name| self.option(name).is_some())
    }

    fn option(&self, name: &str) -> Option<&'c Arg> {
        self.arguments().find(|arg| {
            arg.get_long() == Some(name)
                || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
        })
    }

    /// Takes a word that is the program's own.
    pub(crate) fn step(&mut self, word: &OsStr) {
        let text = word.to_string_lossy();
        if self.pending > 0 && (self.hyphens || !text.starts_with('-')) {
            self.pending -= 1;
            return;
        }
        self.pending = 0;
        if let Some(option) = text.strip_prefix("--") {
            let (name, carries) = match option.split_once('=') {
                Some((name, _)) => (name, true),
                None => (option, false),
            };
            let arg = self.option(name);
            self.expect_values(arg.filter(|_| !carries));
            return;
        }
        if let Some(shorts) = text.strip_prefix('-').filter(|shorts| !shorts.is_empty()) {
            // Of a cluster only the last may take the next word.
            let last = shorts.chars().count().checked_sub(1);
            let taking = shorts.chars().enumerate().find_map(|(at, short)| {
                let arg = self.arguments().find(|arg| {
                    arg.get_short() == Some(short)
                        || arg.get_all_short_aliases().is_some_and(|all| all.contains(&short))
                })?;
                arg.get_action().takes_values().then_some((at, arg))
            });
            self.expect_values(taking.filter(|(at, _)| Some(*at) == last).map(|(_, arg)| arg));
            return;
        }
        let found = self.here().find_subcommand(word);
        if let Some(command) = found {
            self.line.push(command);
            self.positionals = 0;
            return;
        }
        let trailing = self.here().get_positionals().nth(self.positionals);
        self.over = self.here().is_allow_external_subcommands_set()
            || trailing.is_some_and(|arg| {
                arg.is_trailing_var_arg_set() || arg.is_allow_hyphen_values_set()
            });
        self.positionals += 1;
    }

    /// The words that follow an option may be its values, and some take even what looks like a flag.
    fn expect_values(&mut self, arg: Option<&Arg>) {
        let takes = |arg: &&Arg| arg.get_action().takes_values() && !arg.is_require_equals_set();
        let Some(arg) = arg.filter(takes) else { return };
        self.hyphens = arg.is_allow_hyphen_values_set();
        self.pending = arg.get_num_args().map_or(1, |range| range.max_values());
    }
}

/// The flags as clap arguments, for help, completions and the manifest.
pub(crate) fn describe(command: Command, has: impl Fn(When) -> bool) -> Command {
    let defined: Vec<String> = longs(&command);
    let ours = Name::ALL
        .into_iter()
        .map(Name::flag)
        .filter(|flag| has(flag.when) && !defined.iter().any(|own| own == flag.long));
    command.args(ours.map(|flag| {
        let arg = Arg::new(format!("manila-{}", flag.long))
            .long(flag.long)
            .aliases(flag.alias)
            .global(true)
            .help(flag.help)
            .help_heading("Answer")
            .required(false);
        match flag.value {
            Some(value) => arg.value_name(value).num_args(1).action(ArgAction::Append),
            None => arg.action(ArgAction::SetTrue).overrides_with(format!("manila-{}", flag.long)),
        }
    }))
}

/// The long names that a program uses anywhere.
fn longs(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(Arg::get_long).map(str::to_owned);
    own.chain(command.get_subcommands().flat_map(longs)).collect()
}
