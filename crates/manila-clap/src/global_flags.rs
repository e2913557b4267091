//! The flags of the boundary that a call has, found among the program's own arguments.
//!
//! They are taken out before clap looks, because adding them to clap would cost every run of every
//! command. Which of them are ours is decided as clap would decide it: a program's own flag of the same
//! name wins, `--` ends the search, and so does an argument that takes everything that follows. A call
//! that the program understands as it is is left alone. Only an option with any number of values cannot
//! be ended by one of our flags, because clap never sees it.

use crate::flag::{Flag, FlagSpec, offered};
use crate::walk::{Walk, is_short_defined};
use clap::Command;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The arguments of a call: what is ours, and what is the program's.
#[derive(Debug, Default)]
pub(crate) struct GlobalFlags {
    /// Our flags in their order, each with its value.
    pub(crate) flags: Vec<(Flag, Option<OsString>)>,
    /// The rest, without the name of the program.
    pub(crate) rest: Vec<OsString>,
    /// The name that the program was called by, unless its command takes it for an argument.
    pub(crate) argv0: Option<OsString>,
    /// Our flags that were not given as they are to be.
    pub(crate) wrong: Vec<(Flag, Wrong)>,
}

/// What is wrong with a flag of ours.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It needs a value and is the last argument, without one.
    NoValue,
    /// It has a value and takes none.
    Value(String),
}

impl GlobalFlags {
    #[inline(never)]
    pub(crate) fn has(&self, name: Flag) -> bool {
        self.flags.iter().any(|(flag, _)| *flag == name)
    }

    /// The arguments of the program as clap reads them.
    pub(crate) fn argv(&self) -> Vec<OsString> {
        self.argv_of(&self.rest)
    }

    /// The same with other arguments.
    #[inline(never)]
    pub(crate) fn argv_of(&self, words: &[OsString]) -> Vec<OsString> {
        self.argv0.iter().chain(words).cloned().collect()
    }

    /// The last value of a flag.
    #[inline(never)]
    pub(crate) fn value(&self, name: Flag) -> Option<&OsStr> {
        self.flags.iter().rev().find(|(flag, _)| *flag == name)?.1.as_deref()
    }
}

/// A flag of ours as a word names it.
struct Named {
    flag: FlagSpec,
    /// The long name that was used; nothing if it was the short one.
    long: Option<&'static str>,
    /// What it carries after `=`.
    value: Option<OsString>,
}

fn named(word: &OsStr, ours: &[FlagSpec]) -> Option<Named> {
    let bytes = word.as_encoded_bytes();
    let mut ours = ours.iter();
    let Some(text) = bytes.strip_prefix(b"--") else {
        let &[b'-', letter] = bytes else { return None };
        let flag = ours.find(|flag| flag.short == Some(char::from(letter)))?.clone();
        return Some(Named { flag, long: None, value: None });
    };
    let equals = text.iter().position(|byte| *byte == b'=');
    let name = &text[..equals.unwrap_or(text.len())];
    let (flag, long) = ours.find_map(|flag| {
        let mut names = std::iter::once(flag.long).chain(flag.alias);
        names.find(|long| long.as_bytes() == name).map(|long| (flag.clone(), long))
    })?;
    // A value that is not text is wrong for every flag of ours, and reported as far as it can be.
    let value = equals.map(|at| String::from_utf8_lossy(&text[at + 1..]).into_owned().into());
    Some(Named { flag, long: Some(long), value })
}

/// Takes our flags out of the arguments; `again` makes the command anew, and `argv0` is the name that the
/// program was called by.
pub(crate) fn take(
    command: &Command,
    again: impl FnOnce() -> Command,
    argv0: Option<OsString>,
    words: Vec<OsString>,
    has: impl Fn(Flag) -> bool,
) -> GlobalFlags {
    // Nearly always no word could be ours, and nothing need be looked at.
    let could_be = |word: &&OsString| word.as_encoded_bytes().first() == Some(&b'-');
    let rest = |words, argv0| GlobalFlags { rest: words, argv0, ..GlobalFlags::default() };
    if !words.iter().any(|word| could_be(&word)) {
        return rest(words, argv0);
    }
    let ours: Vec<FlagSpec> = offered(command, has).collect();
    if !words.iter().any(|word| named(word, &ours).is_some()) {
        return rest(words, argv0);
    }
    let (found, is_own_json) = search(command, argv0.as_deref(), words.clone(), &ours);
    // A call that the program understands as it is belongs to the program.
    let is_whole = found.rest.len() < words.len() && {
        let argv = argv0.iter().chain(&words);
        // One that ignores its errors would understand everything.
        again().ignore_errors(false).try_get_matches_from(argv).is_ok()
    };
    if is_whole {
        let flags = if is_own_json { vec![(Flag::Json, None)] } else { Vec::new() };
        return GlobalFlags { flags, ..rest(words, argv0) };
    }
    GlobalFlags { argv0, ..found }
}

/// Walks along the arguments and takes out what is ours; says whether a `--json` of the program's own
/// is among the rest.
fn search(
    command: &Command,
    argv0: Option<&OsStr>,
    words: Vec<OsString>,
    ours: &[FlagSpec],
) -> (GlobalFlags, bool) {
    let mut asked = GlobalFlags::default();
    let mut is_own_json = false;
    let mut walk = Walk::new(command).inferring();
    if let Some(argv0) = argv0.filter(|_| command.is_multicall_set()) {
        walk.step(Path::new(argv0).file_stem().unwrap_or(argv0));
    }
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if (word == "--" && !walk.takes_word()) || walk.is_over() {
            asked.rest.push(word);
            asked.rest.extend(words);
            break;
        }
        match named(&word, ours) {
            Some(Named { flag, long, value }) if !walk.takes_word() => {
                let own = match (long, flag.short) {
                    (Some(long), _) => walk.option(long).is_some(),
                    (None, short) => short.is_some_and(|short| is_short_defined(command, short)),
                };
                let is_below = long.is_some_and(|long| walk.is_below(long));
                if own || (is_below && flag.name != Flag::Json && !flag.is_about_program()) {
                    // A program's own --json means what ours means, unless it says more.
                    let arg = long.and_then(|long| walk.option(long));
                    let says_more = arg.is_none_or(|arg| arg.get_action().takes_values());
                    if flag.name == Flag::Json && !says_more {
                        asked.flags.push((flag.name, None));
                        is_own_json = true;
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
    (asked, is_own_json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flag::{Availability, describe};
    use clap::ArgMatches;
    use clap::{Arg, ArgAction};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// A program with everything that makes it hard to decide what an argument belongs to.
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
            .subcommand(sync())
    }

    /// A command that is also a flag, with options that take no value, some or several.
    fn sync() -> Command {
        let paint = Arg::new("paint").long("paint").num_args(0..=1).require_equals(false);
        let many = Arg::new("many").long("many").short('m').num_args(1..).value_terminator(";");
        Command::new("sync").long_flag("sync").short_flag('S').args([paint, many])
    }

    /// A program that runs others.
    fn wrapper() -> Command {
        let rest = Arg::new("rest").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true);
        Command::new("wrapper")
            .no_binary_name(true)
            .infer_subcommands(true)
            .arg(Arg::new("verbose").short('v').long("verbose").action(ArgAction::SetTrue))
            .subcommand(
                Command::new("wrap").args([Arg::new("program").required(true), rest.clone()]),
            )
            .subcommand(Command::new("exec").arg(rest))
            .subcommand(Command::new("other").allow_external_subcommands(true))
    }

    fn taken_from(
        command: &Command,
        argv0: Option<OsString>,
        words: Vec<OsString>,
        has: impl Fn(Flag) -> bool,
    ) -> GlobalFlags {
        take(command, || command.clone(), argv0, words, has)
    }

    fn always(flag: Flag) -> bool {
        matches!(flag.spec().availability, Availability::Always | Availability::Cursor)
    }

    /// The values of every argument of the program along the commands that were chosen.
    fn values(matches: &ArgMatches, of: &str, into: &mut Vec<(String, Vec<OsString>)>) {
        for id in matches.ids().filter(|id| !id.as_str().starts_with(crate::flag::ID)) {
            let given = matches.value_source(id.as_str());
            if given != Some(clap::parser::ValueSource::CommandLine) {
                continue;
            }
            let raw = matches.try_get_raw(id.as_str()).ok().flatten();
            let counted = matches.try_get_one::<u8>(id.as_str()).ok().flatten();
            let mut values: Vec<OsString> =
                raw.into_iter().flatten().map(OsStr::to_owned).collect();
            values.extend(counted.map(|count| count.to_string().into()));
            into.push((format!("{of} {id}"), values));
        }
        if let Some((name, matches)) = matches.subcommand() {
            into.push((format!("{of} {name}"), Vec::new()));
            values(matches, name, into);
        }
        into.sort();
    }

    /// Our flags as clap found them, wherever they stood: what is further down came later.
    fn found(matches: &ArgMatches) -> BTreeMap<&'static str, String> {
        let here = Flag::ALL.iter().copied().map(Flag::spec).filter_map(|flag| {
            let id = format!("{}{}", crate::flag::ID, flag.long);
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

    fn taken(asked: &GlobalFlags) -> BTreeMap<&'static str, String> {
        let value = |value: &Option<OsString>| {
            value.as_ref().map_or("true".into(), |value| value.to_string_lossy().into_owned())
        };
        asked.flags.iter().map(|(name, given)| (name.spec().long, value(given))).collect()
    }

    const WORDS: &str = "list find search exec tree --json --output --output=plain --output-format \
                         --quiet --timeout --etag=x --verbose -v -vv -q -e --expression \
                         --expression=--json --config -c -cx -- - a 5 json sync --sync -S --paint \
                         --many ;";

    const WRAPPED: &str = "wrap wr exec other -v --json --timeout --quiet -q 5 curl --";

    /// A program of any make: which kinds of arguments it has, and whether names can be shortened.
    fn any_program() -> impl Strategy<Value = Command> {
        let make = (0..3_usize, 1..4_usize, any::<[bool; 6]>());
        make.prop_map(|(fewest, more, [infers, equals, ends, flags, wraps, hyphens])| {
            let paint = Arg::new("paint").long("paint").num_args(0..=1).require_equals(equals);
            let many =
                Arg::new("many").long("many").short('m').num_args(fewest.max(1)..=fewest + more);
            let many = if ends { many.value_terminator(";") } else { many };
            let sync = Command::new("sync").arg(Arg::new("item").num_args(0..=more));
            let sync = if flags { sync.long_flag("sync").short_flag('S') } else { sync };
            let rest = Arg::new("rest").num_args(0..).allow_hyphen_values(hyphens);
            let wrap = Command::new("wrap").arg(Arg::new("program").required(true));
            let wrap = wrap.arg(rest.trailing_var_arg(wraps));
            Command::new("any")
                .no_binary_name(true)
                .infer_subcommands(infers)
                .subcommands([sync.args([paint, many]), wrap])
        })
    }

    const ANY: &str = "sync sy --sync -S wrap wr --paint --paint=red --many -m ; a curl --json --output \
                       json --timeout 5 --quiet --";

    fn any_of(words: &'static str) -> impl Strategy<Value = &'static str> {
        proptest::sample::select(words.split_whitespace().collect::<Vec<_>>())
    }

    proptest! {
        /// A call that a program understands as it is stays as it is, and in any other what is left
        /// belongs to the program.
        #[test]
        fn any_program_keeps_its_own_words(
            program in any_program(),
            words in proptest::collection::vec(
                any_of(ANY), 0..8
            )
        ) {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let asked = taken_from(&program, None, words.clone(), always);
            let understood = |words: &[OsString]| program.clone().try_get_matches_from(words).is_ok();
            if understood(&words) {
                prop_assert_eq!(&asked.rest, &words);
                return Ok(());
            }
            if let Ok(matches) = describe(program.clone(), &always).try_get_matches_from(&words) {
                // What follows the name of a program that is run is left to clap, even to be refused.
                let is_left = matches.subcommand_name() == Some("wrap")
                    && asked.rest.get(1..).is_some_and(|run| words.ends_with(run));
                prop_assert!(
                    is_left || understood(&asked.rest), "{words:?} leave {:?}", asked.rest
                );
            }
            // Words of a program that is run are never ours.
            if let Ok(matches) = program.clone().try_get_matches_from(&asked.rest)
                && let Some(("wrap", matches)) = matches.subcommand()
                && let Some(wrapped) = matches.get_raw("rest")
            {
                let wrapped: Vec<OsString> = wrapped.map(OsStr::to_owned).collect();
                let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
                // After `--` a word says nothing about those before it.
                let hyphens = wrapped.iter().any(is_flag) && !words.iter().any(|it| it == "--");
                prop_assert!(!hyphens || words.ends_with(&wrapped), "{words:?} wrap {wrapped:?}");
            }
        }

        /// What is taken out is what clap would have found, if it had been asked.
        #[test]
        fn our_flags_are_found_where_clap_would_find_them(
            words in proptest::collection::vec(any_of(WORDS), 0..9)
        ) {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let Ok(described) = describe(program(), &always).try_get_matches_from(&words) else {
                return Ok(());
            };
            let asked = taken_from(&program(), None, words.clone(), always);
            if program().try_get_matches_from(&words).is_ok() {
                // The call had a meaning before, and keeps it.
                prop_assert_eq!(&asked.rest, &words);
                return Ok(());
            }
            let own = program().try_get_matches_from(&asked.rest);
            prop_assert!(own.is_ok(), "{words:?} leave {:?}: {own:?}", asked.rest);
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            values(&described, "", &mut theirs);
            values(&own.expect("it is"), "", &mut ours);
            prop_assert_eq!(&theirs, &ours, "{:?}", &words);
            prop_assert_eq!(found(&described), taken(&asked), "{:?}", &words);
        }

        /// What a program understands as it is belongs to it, and what follows the name of a program
        /// that is run belongs to that.
        #[test]
        fn nothing_is_taken_from_a_program_that_is_run(
            words in proptest::collection::vec(any_of(WRAPPED), 0..8)
        ) {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let asked = taken_from(&wrapper(), None, words.clone(), always);
            if wrapper().try_get_matches_from(&words).is_ok() {
                prop_assert_eq!(&asked.rest, &words);
            }
            if let Some(at) = asked.rest.iter().position(|word| word == "curl")
                && let Ok(matches) = wrapper().try_get_matches_from(&asked.rest)
                && let Some(("wrap", matches)) = matches.subcommand()
                && matches.get_one::<String>("program").is_some_and(|program| program == "curl")
            {
                let wrapped = &asked.rest[at..];
                prop_assert!(words.ends_with(wrapped), "{:?} of {:?}", wrapped, words);
            }
        }
    }

    // proves: F-067
    #[test]
    fn a_flag_of_the_programs_own_is_left_to_it() {
        let words = ["find", "--quiet", "x", "--json"].map(OsString::from).to_vec();
        let asked = taken_from(&program(), None, words, always);
        assert_eq!(asked.rest, ["find", "--quiet", "x"]);
        assert_eq!(taken(&asked), BTreeMap::from([("json", "true".to_owned())]));
    }

    #[test]
    fn a_json_flag_that_says_more_is_the_programs_alone() {
        let fields = || Command::new("gh").no_binary_name(true).arg(Arg::new("f").long("json"));
        for words in [&["--json", "a,b"][..], &["--json=a,b"]] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let asked = taken_from(&fields(), None, words.clone(), always);
            assert_eq!((asked.rest, asked.flags, asked.wrong), (words, vec![], vec![]));
        }
    }

    #[test]
    fn what_follows_belongs_to_the_program_that_is_run() {
        for (words, rest) in [
            (["--json", "exec", "ls", "--json"], vec!["exec", "ls", "--json"]),
            (["list", "--", "--json", "--quiet"], vec!["list", "--", "--json", "--quiet"]),
            (["find", "-e", "--json", "--json"], vec!["find", "-e", "--json"]),
            (["-c", "-", "--json", "list"], vec!["-c", "-", "list"]),
        ] {
            assert_eq!(
                taken_from(&program(), None, words.map(OsString::from).to_vec(), always).rest,
                rest
            );
        }
    }

    #[test]
    fn the_flags_of_a_wrapped_program_are_its_own() {
        for line in
            ["wrap curl --timeout 5 x", "wrap grep -q foo", "exec ls --json", "other x --json"]
        {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let asked = taken_from(&wrapper(), None, words.clone(), always);
            assert_eq!((asked.rest, asked.flags), (words, vec![]), "{line}");
        }
        let words = "--json wr curl --timeout 5".split(' ').map(OsString::from).collect();
        let asked = taken_from(&wrapper(), None, words, always);
        assert_eq!(asked.rest, ["wr", "curl", "--timeout", "5"]);
        assert_eq!(asked.flags, [(Flag::Json, None)]);
    }

    #[test]
    fn a_value_that_is_missing_or_too_many_is_reported() {
        let words = ["list", "--output"].map(OsString::from).to_vec();
        assert_eq!(
            taken_from(&program(), None, words, always).wrong,
            [(Flag::Output, Wrong::NoValue)]
        );
        let words = ["--json=no", "list"].map(OsString::from).to_vec();
        let wrong = taken_from(&program(), None, words, always).wrong;
        assert_eq!(wrong, [(Flag::Json, Wrong::Value("no".to_owned()))]);
    }
}
