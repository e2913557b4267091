//! The flags that the boundary adds to a program, and finding them among its own arguments.
//!
//! They are taken out before clap looks, because adding them to clap would cost every run of every
//! command; only help, completions and the manifest see them as clap arguments. Which of them are
//! ours is decided as clap would decide it: a program's own flag of the same name wins, `--` ends
//! the search, and so does an argument that takes everything that follows. Only an option with any
//! number of values cannot be ended by one of our flags, because clap never sees it.

use crate::walk::{Walk, is_called, is_defined, is_short_defined};
use clap::{Arg, ArgAction, Command};
use std::ffi::{OsStr, OsString};

/// A flag of the boundary.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    pub(crate) name: Name,
    pub(crate) long: &'static str,
    pub(crate) alias: Option<&'static str>,
    pub(crate) short: Option<char>,
    /// What stands for its value in the help, if it takes one.
    pub(crate) value: Option<&'static str>,
    pub(crate) help: &'static str,
    /// What the program must have asked for.
    pub(crate) when: When,
}

macro_rules! names {
    ($($name:ident)*) => {
        /// Which flag it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Name { $($name,)* }

        impl Name {
            pub(crate) const ALL: &'static [Name] = &[$(Name::$name,)*];
        }
    };
}

names! {
    Json Plain Output Colour Quiet Timeout Etag MaxBytes Heartbeat
    ValidateOnly NoInput Yes EnvelopeVersion LegacyEnvelope Schema Manifest
}

/// When a program has a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
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

impl Name {
    /// What its value may be, in words.
    pub(crate) fn allowed(self) -> &'static str {
        match self {
            Name::Output => "rich, plain, json, jsonl",
            Name::Colour => "auto, always, never",
            Name::Timeout | Name::Heartbeat => "a time such as 500ms, 30s or 5m",
            Name::MaxBytes => "a number of bytes",
            Name::Etag => "the tag of an answer before",
            _ => "a value",
        }
    }

    /// Everything about it. It is no table, because the pointers of a table would have to be put
    /// right at the start of every run.
    pub(crate) fn flag(self) -> Flag {
        let plain = |long, help| Flag {
            name: self,
            long,
            alias: None,
            short: None,
            value: None,
            help,
            when: When::Always,
        };
        let taking = |long, value, help| Flag { value: Some(value), ..plain(long, help) };
        match self {
            Name::Json => plain("json", "Answer in JSON"),
            Name::Plain => plain("plain", "Answer in flat lines, unless JSON is asked for too"),
            Name::Output => Flag {
                alias: Some("output-format"),
                ..taking("output", "MODE", "Answer as rich, plain, json or jsonl")
            },
            Name::Colour => taking("color", "WHEN", "Colour: auto, always or never"),
            Name::Quiet => Flag {
                short: Some('q'),
                ..plain("quiet", "No warnings and no progress on standard error")
            },
            Name::Timeout => {
                taking("timeout", "TIME", "Give up after this time, such as 30s; 0 for never")
            }
            Name::Etag => {
                taking("etag", "TAG", "Answer `not modified` if the data still have this tag")
            }
            Name::MaxBytes => Flag {
                when: When::Cursor,
                ..taking("max-bytes", "BYTES", "Cut the data to this size; a cursor leads on")
            },
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
    /// Our flags that were not given as they are to be.
    pub(crate) wrong: Vec<(Name, Wrong)>,
}

/// What is wrong with a flag of ours.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It wants a value and stands at the end without one.
    NoValue,
    /// It has a value and takes none.
    Value(String),
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

/// A flag of ours as a word names it.
struct Named {
    flag: Flag,
    /// The long name that was used; nothing if it was the short one.
    long: Option<&'static str>,
    /// What it carries after `=`.
    value: Option<OsString>,
}

fn named(word: &OsStr, has: &impl Fn(When) -> bool) -> Option<Named> {
    let bytes = word.as_encoded_bytes();
    let mut ours = Name::ALL.iter().copied().map(Name::flag).filter(|flag| has(flag.when));
    let Some(text) = bytes.strip_prefix(b"--") else {
        let &[b'-', letter] = bytes else { return None };
        let flag = ours.find(|flag| flag.short == Some(char::from(letter)))?;
        return Some(Named { flag, long: None, value: None });
    };
    let equals = text.iter().position(|byte| *byte == b'=');
    let name = &text[..equals.unwrap_or(text.len())];
    let (flag, long) = ours.find_map(|flag| {
        let mut names = std::iter::once(flag.long).chain(flag.alias);
        names.find(|long| long.as_bytes() == name).map(|long| (flag, long))
    })?;
    // A value that is no text is wrong for every flag of ours, and told as far as it can be.
    let value = equals.map(|at| String::from_utf8_lossy(&text[at + 1..]).into_owned().into());
    Some(Named { flag, long: Some(long), value })
}

/// Whether any word could be a flag of ours; nearly always none is, and nothing need be looked at.
fn any(words: &[OsString], has: &impl Fn(When) -> bool) -> bool {
    words.iter().any(|word| named(word, has).is_some())
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
        if (word == "--" && !walk.takes_word()) || walk.is_over() {
            asked.rest.push(word);
            asked.rest.extend(words);
            break;
        }
        match named(&word, &has) {
            Some(Named { flag, long, value }) if !walk.takes_word() => {
                let own = match (long, flag.short) {
                    (Some(long), _) => walk.option(long).is_some(),
                    (None, short) => short.is_some_and(|short| is_short_defined(command, short)),
                };
                let is_below = long.is_some_and(|long| walk.is_below(long));
                if own || (is_below && flag.name != Name::Json && !flag.is_about_program()) {
                    // A program's own --json means what ours means, unless it says more.
                    let arg = long.and_then(|long| walk.option(long));
                    let says_more = arg.is_none_or(|arg| arg.get_action().takes_values());
                    if flag.name == Name::Json && !says_more {
                        asked.flags.push((flag.name, None));
                    }
                    walk.step(&word);
                    asked.rest.push(word);
                    continue;
                }
                let value = match (flag.value, value) {
                    (None, Some(value)) => {
                        let value = value.to_string_lossy().into_owned();
                        asked.wrong.push((flag.name, Wrong::Value(value)));
                        continue;
                    }
                    (Some(_), None) => {
                        let next = words.next();
                        if next.is_none() {
                            asked.wrong.push((flag.name, Wrong::NoValue));
                        }
                        next
                    }
                    (_, value) => value,
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

/// The flags as clap arguments, for help, completions and the manifest.
pub(crate) fn describe(command: Command, has: impl Fn(When) -> bool) -> Command {
    let ours = Name::ALL.iter().copied().map(Name::flag).filter(|flag| has(flag.when));
    ours.fold(command, |command, mut flag| {
        flag.alias = flag.alias.filter(|alias| !is_defined(&command, alias));
        flag.short = flag.short.filter(|short| !is_short_defined(&command, *short));
        if is_defined(&command, flag.long) {
            // Where the name is taken the other one is shown.
            let other = flag.alias.take().map(|long| Flag { long, ..flag.clone() }.argument());
            describe_where_free(command, &flag).args(other.map(|other| other.global(true)))
        } else {
            command.arg(flag.argument().global(true))
        }
    })
}

/// Adds a flag to every command that has none of that name, itself or further down.
fn describe_where_free(command: Command, flag: &Flag) -> Command {
    let own = command.get_arguments().find(|arg| is_called(arg, flag.long));
    if own.is_some_and(Arg::is_global_set) {
        return command;
    }
    let is_below = command.get_subcommands().any(|command| is_defined(command, flag.long));
    let is_free = own.is_none() && (!is_below || flag.is_about_program());
    let command = command.mut_subcommands(|command| describe_where_free(command, flag));
    if is_free { command.arg(flag.argument()) } else { command }
}

impl Flag {
    /// Whether it asks about the whole program, so that a subcommand's own flag of that name leaves it
    /// to the commands above.
    fn is_about_program(&self) -> bool {
        matches!(self.name, Name::Manifest | Name::Schema)
    }

    fn argument(&self) -> Arg {
        let id = format!("manila-{}", self.long);
        let arg = Arg::new(id.clone())
            .long(self.long)
            .aliases(self.alias)
            .short(self.short)
            .help(self.help)
            .help_heading("Answer");
        match self.value {
            Some(value) => arg.value_name(value).num_args(1).action(ArgAction::Append),
            None => arg.action(ArgAction::SetTrue).overrides_with(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ArgMatches;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// A program with everything that makes it hard to tell whose a word is.
    fn program() -> Command {
        let hyphens =
            Arg::new("expression").long("expression").short('e').allow_hyphen_values(true);
        let flag = Arg::new("verbose").short('v').long("verbose").action(ArgAction::Count);
        let quiet = Arg::new("own").long("quiet").short('q').action(ArgAction::Count);
        let rest = Arg::new("rest").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true);
        let item = || Arg::new("item").action(ArgAction::Append);
        Command::new("program")
            .no_binary_name(true)
            .arg(flag.clone().global(true))
            .arg(Arg::new("config").long("config").short('c'))
            .subcommand(Command::new("list").arg(item().num_args(0..)))
            .subcommand(Command::new("find").alias("search").args([hyphens, item(), quiet]))
            .subcommand(Command::new("exec").arg(rest))
            .subcommand(Command::new("tree").subcommand(Command::new("list").arg(item())))
    }

    fn always(when: When) -> bool {
        matches!(when, When::Always | When::Cursor)
    }

    /// The values of every argument of the program along the commands that were chosen.
    fn values(matches: &ArgMatches, of: &str, into: &mut Vec<(String, Vec<OsString>)>) {
        for id in matches.ids().filter(|id| !id.as_str().starts_with("manila-")) {
            let given = matches.value_source(id.as_str());
            if given != Some(clap::parser::ValueSource::CommandLine) {
                continue;
            }
            let raw = matches.try_get_raw(id.as_str()).ok().flatten();
            let counted = matches.try_get_one::<u8>(id.as_str()).ok().flatten();
            let mut told: Vec<OsString> = raw.into_iter().flatten().map(OsStr::to_owned).collect();
            told.extend(counted.map(|count| count.to_string().into()));
            into.push((format!("{of} {id}"), told));
        }
        if let Some((name, matches)) = matches.subcommand() {
            into.push((format!("{of} {name}"), Vec::new()));
            values(matches, name, into);
        }
        into.sort();
    }

    /// Our flags as clap found them, wherever they stood: what is further down came later.
    fn found(matches: &ArgMatches) -> BTreeMap<&'static str, String> {
        let here = Name::ALL.iter().copied().map(Name::flag).filter_map(|flag| {
            let id = format!("manila-{}", flag.long);
            let value = match flag.value {
                Some(_) => matches.try_get_many::<String>(&id).ok()??.next_back()?.clone(),
                None => matches.try_get_one::<bool>(&id).ok()?.filter(|set| **set)?.to_string(),
            };
            Some((flag.long, value))
        });
        let mut found: BTreeMap<_, _> = here.collect();
        if let Some((_, matches)) = matches.subcommand() {
            found.extend(self::found(matches));
        }
        found
    }

    fn taken(asked: &Asked) -> BTreeMap<&'static str, String> {
        let value = |value: &Option<OsString>| {
            value.as_ref().map_or("true".into(), |value| value.to_string_lossy().into_owned())
        };
        asked.flags.iter().map(|(name, given)| (name.flag().long, value(given))).collect()
    }

    const WORDS: &[&str] = &[
        "list",
        "find",
        "search",
        "exec",
        "tree",
        "--json",
        "--output",
        "--output=plain",
        "--output-format",
        "--quiet",
        "--timeout",
        "--etag=x",
        "--verbose",
        "-v",
        "-vv",
        "-q",
        "-e",
        "--expression",
        "--expression=--json",
        "--config",
        "-c",
        "-cx",
        "--",
        "a",
        "5",
        "json",
    ];

    proptest! {
        /// What is taken out is what clap would have found, if it had been asked.
        #[test]
        fn our_flags_are_found_where_clap_would_find_them(
            words in proptest::collection::vec(proptest::sample::select(WORDS), 0..9)
        ) {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let Ok(described) = describe(program(), always).try_get_matches_from(&words) else {
                return Ok(());
            };
            let asked = take(&program(), words.clone(), always);
            let own = program().try_get_matches_from(&asked.rest);
            prop_assert!(own.is_ok(), "{words:?} leave {:?}: {own:?}", asked.rest);
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            values(&described, "", &mut theirs);
            values(&own.expect("it is"), "", &mut ours);
            prop_assert_eq!(&theirs, &ours, "{:?}", &words);
            prop_assert_eq!(found(&described), taken(&asked), "{:?}", &words);
        }
    }

    #[test]
    fn a_flag_of_the_programs_own_is_left_to_it() {
        let words = ["find", "--quiet", "x", "--json"].map(OsString::from).to_vec();
        let asked = take(&program(), words, always);
        assert_eq!(asked.rest, ["find", "--quiet", "x"]);
        assert_eq!(taken(&asked), BTreeMap::from([("json", "true".to_owned())]));
    }

    #[test]
    fn a_json_flag_that_says_more_is_the_programs_alone() {
        let fields = || Command::new("gh").no_binary_name(true).arg(Arg::new("f").long("json"));
        for words in [&["--json", "a,b"][..], &["--json=a,b"]] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let asked = take(&fields(), words.clone(), always);
            assert_eq!((asked.rest, asked.flags, asked.wrong), (words, vec![], vec![]));
        }
    }

    #[test]
    fn what_follows_belongs_to_whoever_is_run() {
        for (words, rest) in [
            (["--json", "exec", "ls", "--json"], vec!["exec", "ls", "--json"]),
            (["list", "--", "--json", "--quiet"], vec!["list", "--", "--json", "--quiet"]),
            (["find", "-e", "--json", "--json"], vec!["find", "-e", "--json"]),
        ] {
            assert_eq!(take(&program(), words.map(OsString::from).to_vec(), always).rest, rest);
        }
    }

    #[test]
    fn a_value_that_is_missing_or_too_many_is_told() {
        let words = ["list", "--output"].map(OsString::from).to_vec();
        assert_eq!(take(&program(), words, always).wrong, [(Name::Output, Wrong::NoValue)]);
        let words = ["--json=no", "list"].map(OsString::from).to_vec();
        let wrong = take(&program(), words, always).wrong;
        assert_eq!(wrong, [(Name::Json, Wrong::Value("no".to_owned()))]);
    }
}
