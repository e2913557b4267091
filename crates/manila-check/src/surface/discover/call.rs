//! Which arguments make a call complete, ask for what is not there, list nothing, or take long.

use super::word_list::is_among;
use crate::observe::placeholder::{NO_FILE, NO_NUMBER, NO_THING};
use crate::observe::sample_input;
use crate::subject::Subject;
use crate::surface::model::{Command, Flag, Positional};
use std::path::Path;

/// Commands that list.
const LISTING: &str = "list ls search find log logs history query grep";
const SEARCHING: &str = "search find grep query lookup";
/// Commands that run until they are ended.
const ENDLESS: &str = "watch tail follow wait serve monitor stream";
const STREAMING: &str = "watch tail follow stream";
/// Commands whose answers are text for a shell or a person in every program.
const FOR_PEOPLE: &str = "help completion completions man";
/// Flags that make a call run without end, and those that make it wait.
const GOES_ON: &str = "follow watch tail stream";
const WAITS: &str = "sleep delay wait delay-ms sleep-ms wait-ms interval";
const FILTERS: &str = "filter query search grep match contains text pattern";

/// Commands that are seldom complete without an argument.
const ASKING: &str = "\
    show get view describe inspect cat explain diff search find grep query which lookup read \
    tail peek validate verify stat where open";

const QUERIES: &str = "\
    query term terms text pattern patterns regex regexp word words keyword keywords q search string phrase needle";
const FILES: &str = "file files path paths filename input infile source src document";
const DIRECTORIES: &str = "dir directory folder root";
const NUMBERS: &str = "n number num count index seconds secs pid port line";
/// Arguments that are neither the name of something nor a file.
const FREE: &str = "\
    message content value expression expr url json command args cmd script body title filter \
    prompt question";

/// Fills in what can be concluded about the calls of a command.
pub(super) fn fill(
    command: &mut Command,
    examples: &[Vec<String>],
    subject: &Subject,
    json: &[String],
) {
    let name = command.path.last().map(|it| it.to_lowercase()).unwrap_or_default();
    let about = command.about.to_lowercase();
    if command.lists.is_none()
        && (is_called(&name, LISTING) || about.starts_with("list ") || about.starts_with("lists "))
    {
        command.lists = Some(true);
    }
    // `tail --follow` does not end; `tail` alone then does, and so does `tail -n 10`.
    let is_endless = is_called(&name, ENDLESS)
        && goes_on(command).is_none()
        && !(is_called(&name, "tail") && counts(command));
    command.streams |= is_called(&name, STREAMING);
    if !command.is_safe() || command.is_text_only || is_for_people(&name) {
        return;
    }
    let needs_more =
        required(command).next().is_some() || needs_flags(command) || is_asking(command, &name);
    let given = example(command, examples, subject, json)
        .filter(|_| needs_more)
        .or_else(|| sample(command, subject, &name));
    if is_endless {
        command.slow = given;
    } else if name == "sleep" {
        command.slow = with_number(command, "30");
        command.sample = with_number(command, "0");
    } else {
        command.slow = slow(command, given.as_deref());
        command.sample = given;
    }
    command.missing = missing(command, &name);
    command.empty = empty(command, &name);
}

/// Whether a command of this name answers in text in every program.
pub(crate) fn is_for_people(name: &str) -> bool {
    is_among(FOR_PEOPLE, name)
}

/// Whether the name of a command says that it lists or shows something, which they offer in JSON before others do.
pub(crate) fn is_showing(path: &[String]) -> bool {
    let name = path.last().map(|name| name.to_lowercase());
    name.is_some_and(|name| is_called(&name, LISTING) || is_called(&name, ASKING))
}

fn is_called(name: &str, names: &str) -> bool {
    is_among(names, name.split(['-', '_']).next().unwrap_or(name))
}

fn required(command: &Command) -> impl Iterator<Item = &Positional> {
    command.positionals.iter().filter(|it| it.is_required)
}

fn needs_flags(command: &Command) -> bool {
    command.flags.iter().any(|flag| flag.is_required)
}

/// Whether a command whose arguments are not known is of a sort that takes one: `show` what?
fn is_asking(command: &Command, name: &str) -> bool {
    let about = command.about.to_lowercase();
    // "List open tickets" asks for nothing, unless by a word to search for.
    let lists = about.starts_with("list ") || about.starts_with("lists ");
    let is_complete = lists && !is_called(name, SEARCHING);
    command.has_unknown_arguments && is_called(name, ASKING) && !is_complete
}

/// The arguments of the first example that calls this command.
fn example(
    command: &Command,
    examples: &[Vec<String>],
    subject: &Subject,
    json: &[String],
) -> Option<Vec<String>> {
    let of_example = |words: &Vec<String>| {
        let at = words
            .iter()
            .position(|word| command.path.first() == Some(word))
            .or_else(|| command.is_root().then_some(1))?;
        // The program may be named in several words, such as `python3 tool.py`, or not at all.
        let is_program = at <= subject.shown.len().max(1);
        let args = words.get(at..)?.strip_prefix(command.path.as_slice()).filter(|_| is_program)?;
        Some(without(args, json))
    };
    examples.iter().filter_map(of_example).find(|args| args.len() >= required(command).count())
}

/// The same without the words that ask for JSON, which the probes add themselves.
fn without(args: &[String], json: &[String]) -> Vec<String> {
    let mut args = args.to_vec();
    if !json.is_empty()
        && let Some(at) = args.windows(json.len()).position(|window| window == json)
    {
        args.drain(at..at + json.len());
    }
    args.retain(|word| word != "--json");
    args
}

fn sample(command: &Command, subject: &Subject, name: &str) -> Option<Vec<String>> {
    if needs_flags(command) || is_asking(command, name) {
        return None;
    }
    // A program without commands says in its first usage what a complete call is.
    let arguments = if command.is_root() && !command.first_usage.is_empty() {
        &command.first_usage
    } else {
        &command.positionals
    };
    let needed = arguments.iter().filter(|it| it.is_required);
    let mut words: Vec<String> = needed
        .map(|positional| harmless(command, positional, subject, name))
        .collect::<Option<_>>()?;
    if reads_input(command) {
        // With a file it need not wait for input.
        let file = arguments.iter().find(|it| !it.is_required && is_file(it))?;
        words.push(harmless(command, file, subject, name)?);
    }
    Some(words)
}

fn is_file(positional: &Positional) -> bool {
    let name = bare(&positional.name);
    is_among(FILES, &name) || is_among(DIRECTORIES, &name)
}

/// Whether a call without arguments waits for its input, and its help says so: of a file that may be
/// left out.
fn reads_input(command: &Command) -> bool {
    let help = command.help.to_lowercase();
    let has_choice =
        command.positionals.iter().chain(&command.first_usage).any(|it| !it.is_required);
    has_choice && ["standard input", "stdin"].iter().any(|word| help.contains(word))
}

/// A value that makes a harmless, complete call.
fn harmless(
    command: &Command,
    positional: &Positional,
    subject: &Subject,
    name: &str,
) -> Option<String> {
    let word = bare(&positional.name);
    if let Some(choice) = positional.choices.first() {
        return Some(choice.clone());
    }
    match () {
        () if is_among(DIRECTORIES, &word) => Some(".".to_owned()),
        () if is_among(FILES, &word) => match subject.fixture.as_deref() {
            Some(fixture) => a_file(fixture),
            None if reads_documents(command) => Some(sample_input::DOCUMENT.to_owned()),
            None => Some(sample_input::TEXT.to_owned()),
        },
        // Any word can be searched for, by a command that searches and by a program that does nothing else.
        () if is_among(QUERIES, &word) && (command.is_root() || is_called(name, SEARCHING)) => {
            Some("a".to_owned())
        }
        // The filter that changes nothing, as jq and its kin have it.
        () if word == "filter" && command.is_root() && reads_documents(command) => {
            Some(".".to_owned())
        }
        () => None,
    }
}

/// Whether a command reads JSON, as far as its help shows.
fn reads_documents(command: &Command) -> bool {
    let mut words = command.help.split(|it: char| !it.is_ascii_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case("json"))
}

/// The last word of the name of an argument, without what stands around it: `filter` of `<jq filter>`.
fn bare(name: &str) -> String {
    let name = name.trim_matches(|it: char| "[]<>.*".contains(it)).to_lowercase();
    name.rsplit(' ').next().unwrap_or_default().to_owned()
}

/// The first file of a directory, by its name.
fn a_file(directory: &Path) -> Option<String> {
    let entries = std::fs::read_dir(directory).ok()?.filter_map(Result::ok);
    let files = entries.filter(|it| it.file_type().is_ok_and(|kind| kind.is_file()));
    files.filter_map(|it| it.file_name().into_string().ok()).min()
}

fn with_number(command: &Command, number: &str) -> Option<Vec<String>> {
    let is_one = required(command).count() == 1;
    is_one.then(|| vec![number.to_owned()])
}

/// The arguments of a call for something that is not there.
fn missing(command: &Command, name: &str) -> Option<Vec<String>> {
    let needed = command.flags.iter().filter(|flag| flag.is_required);
    let flags: Vec<Vec<String>> = needed.map(missing_flag).collect::<Option<_>>()?;
    let values: Vec<String> = required(command).map(missing_value).collect::<Option<_>>()?;
    let asks =
        !values.is_empty() || flags.iter().any(|words| words.iter().any(|word| word == NO_THING));
    (asks && !is_called(name, SEARCHING)).then(|| [values, flags.concat()].concat())
}

fn missing_value(positional: &Positional) -> Option<String> {
    let word = bare(&positional.name);
    let is = |names: &str| is_among(names, &word);
    match () {
        () if !positional.choices.is_empty() || is(FREE) || is(QUERIES) => None,
        () if is(FILES) || is(DIRECTORIES) => Some(NO_FILE.to_owned()),
        () if is(NUMBERS) => Some(NO_NUMBER.to_owned()),
        () => Some(NO_THING.to_owned()),
    }
}

/// A flag that is needed: the id of nothing, or its first choice.
fn missing_flag(flag: &Flag) -> Option<Vec<String>> {
    let long = flag.long.as_deref().unwrap_or_default();
    let is_id = ["id", "name", "key", "slug", "ref"].contains(&long)
        || long.ends_with("-id")
        || long.ends_with("_id");
    let value = match flag.choices.first() {
        Some(choice) => choice.clone(),
        None if is_id && flag.value.is_some() => {
            (if flag.is_number { NO_NUMBER } else { NO_THING }).to_owned()
        }
        None => return None,
    };
    Some(vec![flag.spelling(), value])
}

/// The arguments of a call that can match nothing.
fn empty(command: &Command, name: &str) -> Option<Vec<String>> {
    if needs_flags(command) || command.lists != Some(true) {
        return None;
    }
    let is_query = |it: &Positional| is_among(QUERIES, &bare(&it.name)) && it.choices.is_empty();
    let needed: Vec<&Positional> = required(command).collect();
    match needed.as_slice() {
        [one] if is_query(one) && is_called(name, SEARCHING) => Some(vec![NO_THING.to_owned()]),
        [] => {
            let filter = command.flags.iter().find(|flag| is_filter(flag))?;
            Some(vec![filter.spelling(), NO_THING.to_owned()])
        }
        _ => None,
    }
}

/// A flag that takes any text to look for. One that takes `key=value` would refuse ours, and `--filter`
/// alone does not say which it is.
fn is_filter(flag: &Flag) -> bool {
    let long = flag.long.as_deref().unwrap_or_default();
    let is_free = flag.choices.is_empty() && !flag.is_number;
    let text =
        format!("{} {}", flag.value.as_deref().unwrap_or_default(), flag.about).to_lowercase();
    let says_text =
        ["contain", "match", "text", "word", "substring"].iter().any(|it| text.contains(it));
    let is_named = is_among(FILTERS, long) && (long != "filter" || says_text);
    is_named && flag.value.is_some() && is_free && !text.contains(['=', ':'])
}

/// The flag that makes a call run without end.
fn goes_on(command: &Command) -> Option<&Flag> {
    // `--follow` of fd follows links, and that of `git log` a file beyond renames.
    let is_other = |flag: &&Flag| {
        let about = flag.about.to_lowercase();
        ["link", "rename", "redirect", "beyond"].iter().any(|word| about.contains(word))
    };
    let is_it = |flag: &&Flag| {
        flag.long.as_deref().is_some_and(|long| is_among(GOES_ON, long)) && !is_other(flag)
    };
    command.flags.iter().filter(|flag| flag.value.is_none()).find(is_it)
}

/// Whether a command has a flag for how many lines it prints, after which it ends.
fn counts(command: &Command) -> bool {
    command.flags.iter().any(|flag| {
        let is_long =
            flag.long.as_deref().is_some_and(|long| is_among("lines limit count number", long));
        flag.value.is_some() && (is_long || flag.short == Some('n'))
    })
}

/// The arguments of a call that takes long, for a command that ends by itself.
fn slow(command: &Command, sample: Option<&[String]>) -> Option<Vec<String>> {
    let sample = sample?.to_vec();
    if let Some(flag) = goes_on(command) {
        return Some([sample, vec![flag.spelling()]].concat());
    }
    let waits = |flag: &&Flag| flag.long.as_deref().is_some_and(|long| is_among(WAITS, long));
    let flag = command.flags.iter().filter(|flag| flag.value.is_some()).find(waits)?;
    let about = flag.about.to_lowercase();
    let word = flag.value.as_deref().unwrap_or_default().to_lowercase();
    let takes_ms = flag.long.as_deref().is_some_and(|it| it.ends_with("-ms"))
        || word == "ms"
        || about.contains("millisecond");
    let takes_unit = ["time", "duration", "dur"].contains(&word.as_str());
    let value = if takes_ms {
        "30000"
    } else if takes_unit {
        "30s"
    } else {
        "30"
    };
    Some([sample, vec![flag.spelling(), value.to_owned()]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila_pack::Effect;

    fn filled(name: &str, flags: &[&str], positionals: &[&str]) -> Command {
        let flag = |spec: &&str| super::super::help::flag_of(spec).expect("a flag");
        let positional = |name: &&str| Positional {
            name: (*name).to_owned(),
            is_required: true,
            ..Positional::default()
        };
        let mut command = Command {
            path: vec![name.to_owned()],
            effects: Effect::None,
            flags: flags.iter().map(flag).collect(),
            positionals: positionals.iter().map(positional).collect(),
            ..Command::default()
        };
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::write(directory.path().join("b.txt"), "").expect("a file");
        std::fs::write(directory.path().join("a.txt"), "").expect("a file");
        let fixture = Some(directory.path().to_owned());
        let subject = Subject {
            argv: vec!["tool".into()],
            shown: vec!["tool".to_owned()],
            variables: Vec::new(),
            fixture,
        };
        let example = ["tool", name, "7", "--output", "json"].map(str::to_owned).to_vec();
        let json = ["--output", "json"].map(str::to_owned);
        fill(&mut command, &[example], &subject, &json);
        command
    }

    #[expect(clippy::unnecessary_wraps, reason = "what it is compared with may be absent")]
    fn words(text: &str) -> Option<Vec<String>> {
        Some(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn what_takes_long_is_known_by_its_name_or_its_flags() {
        assert_eq!(filled("watch", &[], &[]).slow, words(""));
        assert_eq!(filled("watch", &[], &[]).sample, None, "it would not end");
        assert_eq!(filled("tail", &["-f, --follow"], &[]).sample, words(""));
        assert_eq!(filled("tail", &["-f, --follow"], &[]).slow, words("--follow"));
        assert_eq!(filled("tail", &["-n <N>"], &[]).sample, words(""), "it ends after that");
        assert_eq!(filled("tail", &["-n <N>"], &[]).slow, None);
        assert_eq!(filled("list", &["--delay <SECONDS>"], &[]).slow, words("--delay 30"));
        assert_eq!(filled("list", &["--delay-ms <MS>"], &[]).slow, words("--delay-ms 30000"));
        assert_eq!(filled("list", &["--sleep <TIME>"], &[]).slow, words("--sleep 30s"));
        assert_eq!(filled("list", &[], &[]).slow, None);
    }

    #[test]
    fn a_complete_call_comes_from_an_example_or_a_fixture() {
        assert_eq!(filled("show", &[], &["id"]).sample, words("7"));
        assert_eq!(filled("list", &[], &[]).sample, words(""), "it needs nothing");
        assert_eq!(filled("diff", &[], &["file", "file"]).sample, words("a.txt a.txt"));
        assert_eq!(filled("help", &[], &[]).sample, None);
    }

    #[test]
    fn what_is_missing_is_of_the_sort_that_is_asked_for() {
        assert_eq!(filled("show", &[], &["id"]).missing, words(NO_THING));
        assert_eq!(filled("show", &[], &["number"]).missing, words(NO_NUMBER));
        assert_eq!(filled("cat", &[], &["file"]).missing, words(NO_FILE));
        assert_eq!(
            filled("get", &["--id <ID> (REQUIRED)"], &[]).missing,
            words("--id manila-no-such-thing")
        );
        assert_eq!(filled("search", &[], &["query"]).missing, None);
        assert_eq!(filled("search", &[], &["query"]).empty, words(NO_THING));
        assert_eq!(filled("count", &[], &["expression"]).missing, None);
    }
}
