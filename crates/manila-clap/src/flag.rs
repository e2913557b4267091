//! The flags that the boundary adds to a program, as a table and as clap arguments.
//!
//! Help, completions and the manifest show them as clap arguments. Parsing does not: see
//! [`global_flags`](crate::global_flags).

use crate::walk::{is_called, is_defined, is_short_defined};
use clap::{Arg, ArgAction, Command};

/// A flag of the boundary.
#[derive(Clone, Debug)]
pub(crate) struct FlagSpec {
    pub(crate) name: Flag,
    pub(crate) long: &'static str,
    pub(crate) alias: Option<&'static str>,
    pub(crate) short: Option<char>,
    /// What stands for its value in the help, if it takes one.
    pub(crate) value: Option<&'static str>,
    pub(crate) help: &'static str,
    pub(crate) heading: Option<&'static str>,
    /// What the program must have asked for.
    pub(crate) availability: Availability,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// A flag that a program can have beside its own; see [`App::flag`](crate::App::flag).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Flag { $($(#[$doc])* $name,)* }

        impl Flag {
            /// Every flag.
            pub const ALL: &'static [Flag] = &[$(Flag::$name,)*];
        }
    };
}

flags! {
    /// `--json`: the answer in JSON. The only one that every program has.
    Json
    /// `--plain`: the answer in flat lines with tabs.
    Plain
    /// `--output MODE`: `rich`, `plain`, `json` or `jsonl`.
    Output
    /// `--color WHEN`: `auto`, `always` or `never`.
    Color
    /// `--quiet`, `-q`: no warnings and no progress on stderr.
    Quiet
    /// `--timeout TIME`: a time limit.
    Timeout
    /// `--etag TAG`: `not_modified` instead of data that the caller has.
    Etag
    /// `--max-bytes BYTES`: a limit for the size of the data.
    MaxBytes
    /// `--heartbeat TIME`: a frame this often, with `jsonl`.
    Heartbeat
    /// `--validate-only`: check the arguments and do nothing.
    ValidateOnly
    /// `--no-input`: never ask.
    NoInput
    /// `--yes`: the confirmation of a destructive command. A program that declares one has it.
    Yes
    /// `--envelope-version VERSION`, while [`App::migrate`](crate::App::migrate) is in use.
    EnvelopeVersion
    /// `--legacy-envelope`, while [`App::migrate`](crate::App::migrate) is in use.
    LegacyEnvelope
    /// `--schema`, with [`App::schema`](crate::App::schema).
    Schema
    /// `--manifest`, with [`App::manifest`](crate::App::manifest).
    Manifest
}

/// Some of the flags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlagSet(u32);

impl FlagSet {
    /// What a program has that does not ask for more: `--json`, and what goes with something that it
    /// declares.
    pub(crate) fn usual() -> FlagSet {
        let goes_with = |flag: &&Flag| {
            let availability = flag.spec().availability;
            !matches!(availability, Availability::Always | Availability::Cursor)
        };
        let json = FlagSet(0).with(Flag::Json);
        Flag::ALL.iter().filter(goes_with).fold(json, |set, flag| set.with(*flag))
    }

    pub(crate) fn none() -> FlagSet {
        FlagSet(0)
    }

    pub(crate) fn all() -> FlagSet {
        FlagSet(u32::MAX)
    }

    pub(crate) fn with(self, flag: Flag) -> FlagSet {
        FlagSet(self.0 | 1 << flag as u32)
    }

    pub(crate) fn without(self, flag: Flag) -> FlagSet {
        FlagSet(self.0 & !(1 << flag as u32))
    }

    pub(crate) fn has(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u32 != 0
    }
}

/// When a program can have a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Availability {
    Always,
    /// An envelope of the program has a place for a cursor.
    Cursor,
    /// The program is on its way from one envelope to another.
    Migrating,
    /// The program lists its types.
    Schema,
    /// The program describes itself.
    Manifest,
    /// A command of the program destroys something.
    Destructive,
}

impl Flag {
    /// What its value may be, in words.
    #[inline(never)]
    pub(crate) fn allowed(self) -> &'static str {
        match self {
            Flag::Output => "rich, plain, json, jsonl",
            Flag::Color => "auto, always, never",
            Flag::Timeout | Flag::Heartbeat => "a time such as 500ms, 30s or 5m",
            Flag::MaxBytes => "a number of bytes",
            Flag::Etag => "the tag of an answer before",
            _ => "a value",
        }
    }

    /// Everything about it. It is not a table, because the pointers of a table would have to be
    /// relocated at the start of every run.
    #[inline(never)]
    pub(crate) fn spec(self) -> FlagSpec {
        let plain = |long, help| FlagSpec {
            name: self,
            long,
            alias: None,
            short: None,
            value: None,
            help,
            heading: None,
            availability: Availability::Always,
        };
        let taking = |long, value, help| FlagSpec { value: Some(value), ..plain(long, help) };
        match self {
            Flag::Json => plain("json", "Answer in JSON"),
            Flag::Plain => plain("plain", "Answer in flat lines, unless JSON is asked for too"),
            Flag::Output => FlagSpec {
                alias: Some("output-format"),
                ..taking("output", "MODE", "Answer as rich, plain, json or jsonl")
            },
            Flag::Color => taking("color", "WHEN", "Choose when to colour: auto, always or never"),
            Flag::Quiet => FlagSpec {
                short: Some('q'),
                ..plain("quiet", "Print no warnings and no progress on stderr")
            },
            Flag::Timeout => {
                taking("timeout", "TIME", "Give up after this time, such as 30s; 0 for never")
            }
            Flag::Etag => {
                taking("etag", "TAG", "Answer `not modified` if the data still have this tag")
            }
            Flag::MaxBytes => FlagSpec {
                availability: Availability::Cursor,
                ..taking("max-bytes", "BYTES", "Truncate data to this size and add a cursor")
            },
            Flag::Heartbeat => {
                taking("heartbeat", "TIME", "With jsonl, print a heartbeat this often")
            }
            Flag::ValidateOnly => plain("validate-only", "Check the arguments and do nothing"),
            Flag::NoInput => FlagSpec {
                alias: Some("non-interactive"),
                ..plain("no-input", "Never ask anything")
            },
            Flag::Yes => FlagSpec {
                alias: Some("confirm-destructive"),
                availability: Availability::Destructive,
                ..plain("yes", "Confirm what cannot be undone")
            },
            Flag::EnvelopeVersion => FlagSpec {
                availability: Availability::Migrating,
                ..taking("envelope-version", "VERSION", "Choose the version of the envelope")
            },
            Flag::LegacyEnvelope => FlagSpec {
                availability: Availability::Migrating,
                ..plain("legacy-envelope", "Answer in the older envelope")
            },
            Flag::Schema => FlagSpec {
                alias: Some("print-schema"),
                availability: Availability::Schema,
                ..plain("schema", "List every type and every error code")
            },
            Flag::Manifest => FlagSpec {
                availability: Availability::Manifest,
                ..plain("manifest", "Describe every command")
            },
        }
    }
}

/// The flags that a command can have beside its own. A program whose `--json` takes a value means
/// something else by it, so that there is no other.
pub(crate) fn offered(
    command: &Command,
    has: impl Fn(Flag) -> bool,
) -> impl Iterator<Item = FlagSpec> {
    let is_taken = has(Flag::Json) && is_taken(command, Flag::Json.spec().long);
    let is_offered = move |flag: &Flag| has(*flag) && !(*flag == Flag::Json && is_taken);
    Flag::ALL.iter().copied().filter(is_offered).map(Flag::spec)
}

/// Whether a program has an option of this name that takes a value, in any of its commands.
#[inline(never)]
fn is_taken(command: &Command, long: &str) -> bool {
    let takes = |arg: &Arg| is_called(arg, long) && arg.get_action().takes_values();
    command.get_arguments().any(takes) || command.get_subcommands().any(|it| is_taken(it, long))
}

/// How the ids of our arguments begin.
pub(crate) const ID: &str = "manila-";

/// The flags as clap arguments, for help, completions and the manifest.
pub(crate) fn describe(command: Command, has: &dyn Fn(Flag) -> bool) -> Command {
    if command.is_multicall_set() {
        // Its commands are programs of their own, and it has no arguments.
        return command.mut_subcommands(|command| describe(command, has));
    }
    let ours: Vec<FlagSpec> = offered(&command, has).collect();
    // A lone `--json` stands among the options of the program.
    let heading = if ours.len() > 1 { Some("Answer") } else { None };
    let ours = ours.into_iter().map(|flag| FlagSpec { heading, ..flag });
    ours.fold(command, |command, mut flag| {
        flag.alias = flag.alias.filter(|alias| !is_defined(&command, alias));
        flag.short = flag.short.filter(|short| !is_short_defined(&command, *short));
        if is_defined(&command, flag.long) {
            // Where the name is taken the other one is shown.
            let other = flag.alias.take().map(|long| FlagSpec { long, ..flag.clone() }.argument());
            describe_where_free(command, &flag).args(other.map(|other| other.global(true)))
        } else {
            command.arg(flag.argument().global(true))
        }
    })
}

/// Adds a flag to every command that has none of that name, itself or further down.
fn describe_where_free(command: Command, flag: &FlagSpec) -> Command {
    let own = command.get_arguments().find(|arg| is_called(arg, flag.long));
    if own.is_some_and(Arg::is_global_set) {
        return command;
    }
    let is_below = command.get_subcommands().any(|command| is_defined(command, flag.long));
    let is_free = own.is_none() && (!is_below || flag.is_about_program());
    let command = command.mut_subcommands(|command| describe_where_free(command, flag));
    if is_free { command.arg(flag.argument()) } else { command }
}

impl FlagSpec {
    /// Whether it asks about the whole program, so that a subcommand's own flag of that name leaves it
    /// to the commands above.
    pub(crate) fn is_about_program(&self) -> bool {
        matches!(self.name, Flag::Manifest | Flag::Schema)
    }

    fn argument(&self) -> Arg {
        let id = format!("{ID}{}", self.long);
        let arg = Arg::new(id.clone())
            .long(self.long)
            .aliases(self.alias)
            .short(self.short)
            .help(self.help)
            // Only `--json` is worth a line on the first screen.
            .hide_short_help(self.name != Flag::Json);
        let arg = match self.heading {
            Some(heading) => arg.help_heading(heading),
            None => arg,
        };
        match self.value {
            Some(value) => arg.value_name(value).num_args(1).action(ArgAction::Append),
            None => arg.action(ArgAction::SetTrue).overrides_with(id),
        }
    }
}
