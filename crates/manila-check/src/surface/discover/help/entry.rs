//! The entries of a section: flags, commands and arguments, each with its description, however it is
//! wrapped.

use super::flag;
use super::page::Listed;
use super::section::{Kind, Section};
use crate::surface::discover::plain::Line;
use crate::surface::model::{Flag, Positional};

/// One entry.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Flag(Flag),
    Command(Listed),
    Positional(Positional),
    /// It says that there are more commands elsewhere.
    More,
}

/// An entry before anyone knows what it is.
#[derive(Debug)]
struct Raw {
    indent: usize,
    /// The columns of its first line.
    columns: Vec<String>,
    about: String,
    /// The column at which its description stands, once that is known.
    about_at: Option<usize>,
}

/// The entries of a section.
pub(super) fn split(
    section: &Section,
    program: &str,
    path: &[String],
    leads_on: bool,
) -> Vec<Entry> {
    if let Some(names) = plain_list(section) {
        return names;
    }
    let lists_commands =
        section.kind == Kind::Commands || (section.kind == Kind::Unknown && leads_on);
    let raws = without_namespaces(raws(section));
    let margin = raws
        .iter()
        .filter(|raw| !is_flag(&raw.columns[0]))
        .map(|raw| raw.indent)
        .min()
        .unwrap_or(0);
    // Names that end at one column begin at several: their descriptions show that they are entries.
    let abouts: Vec<usize> =
        raws.iter().filter(|raw| raw.indent == margin).filter_map(|raw| raw.about_at).collect();
    let is_deeper = |raw: &Raw| {
        raw.indent > margin && !raw.about_at.is_some_and(|about_at| abouts.contains(&about_at))
    };
    let mut entries = Vec::new();
    let mut below = false;
    let indents: Vec<usize> = raws.iter().map(|raw| raw.indent).collect();
    for (at, raw) in raws.into_iter().enumerate() {
        let first = raw.columns[0].as_str();
        if is_flag(first) || (first == "*" && raw.columns.get(1).is_some_and(|it| is_flag(it))) {
            entries.extend(flag_of(raw).map(Entry::Flag));
        } else if first.starts_with("...") {
            entries.push(Entry::More);
        } else if raw.indent > margin && below {
            entries.extend(command_of(&raw, program, path).map(Entry::Command));
        } else if is_deeper(&raw) {
            // The wrapped description of an entry that is none of ours.
        } else if leads_to_commands(first)
            || (is_lead_in(section, &raw) && indents.get(at + 1).is_some_and(|it| *it > raw.indent))
        {
            below = true;
        } else if lists_commands {
            let listed = command_of(&raw, program, path);
            // Where the heading does not say so, only what looks like a list of commands is one.
            let is_sure = section.kind == Kind::Commands || raw.columns.len() > 1;
            entries.extend(listed.filter(|_| is_sure).map(Entry::Command));
        } else if section.kind == Kind::Arguments {
            entries.extend(positional_of(&raw).map(Entry::Positional));
        }
    }
    entries
}

/// `{list,show}` and `COMMAND` of argparse stand above the commands, which are indented further.
fn leads_to_commands(first: &str) -> bool {
    let word = first.trim_matches(['<', '>', '[', ']']).to_lowercase();
    first.starts_with('{') || word == "command" || word == "subcommand"
}

/// The same by any other name, such as `BEFEHL`: an argument without a description. Or a sentence above the commands,
/// such as `GROUP is one of the following:`.
fn is_lead_in(section: &Section, raw: &Raw) -> bool {
    let is_sentence = raw.columns[0].ends_with(':') && raw.columns[0].contains(' ');
    let is_kind =
        section.kind == Kind::Arguments || (section.kind == Kind::Commands && is_sentence);
    is_kind && raw.columns.len() == 1 && raw.about.is_empty()
}

/// `colors (ls, c)`, which argparse puts above its description where that is far enough to the left.
fn has_aliases(text: &str) -> bool {
    let parted = text.strip_suffix(')').and_then(|it| it.split_once(" ("));
    parted.is_some_and(|(name, others)| is_name(name) && others.split(", ").all(is_name))
}

/// `access, adduser, audit, …` over several lines: names without any description, as npm lists them.
fn plain_list(section: &Section) -> Option<Vec<Entry>> {
    let lines: Vec<&Line> = section.lines.iter().filter(|line| !line.is_blank()).collect();
    let names = |line: &&Line| {
        line.text
            .split(',')
            .map(|it| it.trim().to_owned())
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>()
    };
    let is_list = section.kind == Kind::Commands
        && lines.iter().any(|line| names(line).len() > 2)
        && lines.iter().all(|line| names(line).iter().all(|name| is_name(name)));
    let listed = |name: String| Entry::Command(Listed { words: vec![name], ..Listed::default() });
    is_list.then(|| lines.iter().flat_map(names).map(listed).collect())
}

fn is_flag(text: &str) -> bool {
    let name = text.trim_start_matches('-');
    let dashes = text.len() - name.len();
    (1..=2).contains(&dashes)
        && name.starts_with(|it: char| it.is_ascii_alphanumeric() || it == '[' || it == '?')
}

/// The entries without the names that stand above commands which begin with them: `cache` above `cache clear`.
fn without_namespaces(raws: Vec<Raw>) -> Vec<Raw> {
    let firsts: Vec<String> = raws.iter().map(|raw| raw.columns[0].clone()).collect();
    let is_namespace = |at: usize, raw: &Raw| {
        let next = firsts.get(at + 1).and_then(|next| next.strip_prefix(&raw.columns[0]));
        let is_above = next.is_some_and(|rest| rest.starts_with([' ', ':']));
        raw.columns.len() == 1 && raw.about.is_empty() && is_above
    };
    raws.into_iter()
        .enumerate()
        .filter(|(at, raw)| !is_namespace(*at, raw))
        .map(|(_, raw)| raw)
        .collect()
}

/// Puts the lines together that belong to one entry.
fn raws(section: &Section) -> Vec<Raw> {
    let mut raws: Vec<Raw> = Vec::new();
    let mut is_apart = false;
    for line in &section.lines {
        if line.is_blank() {
            is_apart = true;
            continue;
        }
        let line = &without_bullet(section, line);
        let was_apart = std::mem::take(&mut is_apart);
        if let Some(last) = raws.last_mut()
            && (continues(last, line) || is_paragraph(last, line, was_apart))
        {
            if line.indent > last.indent {
                last.about_at = last.about_at.or(Some(line.indent));
            }
            if !last.about.is_empty() {
                last.about.push(' ');
            }
            last.about.push_str(&line.text);
            continue;
        }
        raws.push(begin(line));
    }
    raws
}

/// A line of a list of commands without the sign before each: `- add`.
fn without_bullet(section: &Section, line: &Line) -> Line {
    let rest = ["- ", "* ", "\u{2022} "].iter().find_map(|bullet| line.text.strip_prefix(bullet));
    match rest.filter(|_| section.kind == Kind::Commands) {
        Some(rest) => Line { text: rest.trim_start().to_owned(), ..line.clone() },
        None => line.clone(),
    }
}

/// Whether a line continues the description of an entry: it begins in the same column, or further
/// in than the entry and is not an entry itself.
fn continues(last: &Raw, line: &Line) -> bool {
    if last.about_at.is_some_and(|at| line.indent >= at) {
        return true;
    }
    if is_flag(&line.text) {
        return false;
    }
    let is_deeper = line.indent > last.indent;
    let is_entry = columns(&line.text).len() > 1 || is_name(&line.text) || has_aliases(&line.text);
    is_deeper && (!is_entry || is_flag(&last.columns[0]) || line.indent > last.indent + 6)
}

/// Whether a line is in a paragraph below a flag that stands alone on its line, with no indent between them, as man
/// pages of aws have it.
fn is_paragraph(last: &Raw, line: &Line, was_apart: bool) -> bool {
    let is_alone = is_flag(&last.columns[0]) && last.columns.len() == 1 && last.about_at.is_none();
    let is_prose = line.indent == last.indent && !is_flag(&line.text);
    is_alone && is_prose && (was_apart || !last.about.is_empty())
}

fn begin(line: &Line) -> Raw {
    let columns = columns(&line.text);
    let about_at = columns.get(1).and_then(|_| about_column(&line.text)).map(|at| line.indent + at);
    Raw { indent: line.indent, columns, about: String::new(), about_at }
}

/// Where the last column of a line begins.
fn about_column(text: &str) -> Option<usize> {
    let last = columns(text).pop()?;
    let at = text.rfind(&last)?;
    Some(text[..at].chars().count())
}

/// What several blanks part, outside of brackets.
fn columns(text: &str) -> Vec<String> {
    let mut columns = vec![String::new()];
    let mut blanks = 0;
    for letter in text.chars() {
        if letter == ' ' {
            blanks += 1;
            continue;
        }
        if blanks > 1 {
            columns.push(String::new());
        }
        if let Some(last) = columns.last_mut() {
            if blanks == 1 {
                last.push(' ');
            }
            last.push(letter);
        }
        blanks = 0;
    }
    columns
}

/// A flag: its spelling, which `rich` spreads over several columns, and its description.
fn flag_of(raw: Raw) -> Option<Flag> {
    let mut columns = raw.columns.into_iter().peekable();
    let is_marked = columns.next_if(|it| it == "*").is_some();
    let mut spec = columns.next()?;
    while let Some(column) = columns.next_if(|it| is_flag(it) || is_value_column(it)) {
        spec.push(' ');
        spec.push_str(&column);
    }
    let mut about = columns.collect::<Vec<_>>().join(" ");
    let (spec, rest) = single_blank(&spec);
    if about.is_empty() {
        rest.clone_into(&mut about);
    }
    if !raw.about.is_empty() {
        about = format!("{about} {}", raw.about);
    }
    let about = about.trim().trim_start_matches(": ").trim();
    let flag = flag::read(spec, about)?;
    Some(Flag { is_required: flag.is_required || is_marked, ..flag })
}

/// `TEXT`, `INTEGER RANGE`, `[json|text]`: the word for a value in a column of its own.
fn is_value_column(column: &str) -> bool {
    let is_metavar =
        column.chars().all(|it| it.is_ascii_uppercase() || matches!(it, ' ' | '_' | '-' | '.'));
    let is_choice = column.starts_with(['[', '<', '{'])
        && column.ends_with([']', '>', '}'])
        && column.contains(['|', ',']);
    (is_metavar && column.len() > 1) || (is_choice && !column.contains(": "))
}

/// Where only one blank separates a flag from its description, the description begins at the first
/// word that is neither a spelling nor a value.
fn single_blank(spec: &str) -> (&str, &str) {
    let mut at = 0;
    for word in spec.split(' ') {
        let is_spelling =
            word.starts_with(['-', '<', '[', '{', '(', '=', '|', '/']) || word.is_empty();
        let is_value = !word.chars().any(char::is_lowercase);
        let begins_prose = word.starts_with(|it: char| it.is_ascii_uppercase())
            && word.chars().any(char::is_lowercase);
        if !is_spelling && !is_value && (begins_prose || spec[at..].split(' ').count() > 3) {
            return (spec[..at].trim_end(), &spec[at..]);
        }
        at += word.len() + 1;
    }
    (spec, "")
}

/// A command: its words, other names for it, its arguments and its description.
fn command_of(raw: &Raw, program: &str, path: &[String]) -> Option<Listed> {
    let (left, mut about) = match raw.columns.as_slice() {
        [only] => dashed(only),
        [left, rest @ ..] => (left.as_str(), rest.join(" ")),
        [] => return None,
    };
    if !raw.about.is_empty() {
        about.push(' ');
        about.push_str(&raw.about);
    }
    let about = about.trim_start_matches(['-', ':', ' ']).trim_end().to_owned();
    let mut words: Vec<&str> = left.trim_end_matches(':').split_whitespace().collect();
    // yargs writes the whole call, with the program and the command above; oclif without the program.
    if words.len() > 1 && words[0].rsplit('/').next() == Some(program) && !program.is_empty() {
        words.remove(0);
    }
    let own = words.iter().zip(path).take_while(|(word, own)| *word == own).count();
    if own == path.len() && words.len() > own {
        words.drain(..own);
    }
    let names: usize = words
        .iter()
        .take_while(|word| {
            is_name(word.trim_end_matches(',').split('|').next().unwrap_or_default())
        })
        .count();
    let (names, rest) = words.split_at(names);
    let has_commas = names.first().is_some_and(|it| it.ends_with(','));
    let mut listed = Listed { about, rest: rest.join(" "), ..Listed::default() };
    for (at, name) in names.iter().enumerate() {
        let mut spellings = name.trim_end_matches(',').split('|').map(str::to_owned);
        match spellings.next() {
            Some(other) if has_commas && at > 0 => listed.aliases.push(other),
            Some(word) => listed.words.push(word),
            None => {}
        }
        listed.aliases.extend(spellings);
    }
    // `i, install`: the first may be the short one.
    if has_commas
        && let [first] = listed.words.as_mut_slice()
        && let Some(longest) = listed.aliases.iter_mut().max_by_key(|it| it.len())
        && longest.len() > first.len()
    {
        std::mem::swap(first, longest);
    }
    listed.aliases.extend(described_aliases(&listed.about));
    // argparse: `list (ls, l)`.
    if let Some(others) = listed.rest.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        listed.aliases.extend(others.split(',').map(|it| it.trim().to_owned()));
        listed.rest.clear();
    }
    // A sentence is not a command, and neither is the program itself.
    let is_program = listed.words.len() == 1 && listed.words[0] == program;
    (!is_program && !listed.words.is_empty() && listed.words.len() <= 4).then_some(listed)
}

/// `name - what it does` and `name: what it does`.
fn dashed(text: &str) -> (&str, String) {
    let parted =
        text.split_once(" - ").or_else(|| text.split_once(": ")).or_else(|| text.split_once(" — "));
    parted.map_or((text, String::new()), |(left, about)| (left, about.to_owned()))
}

/// clap puts other names at the end: `[aliases: a, b]`.
fn described_aliases(about: &str) -> Vec<String> {
    let after = ["[aliases: ", "[alias: "].iter().find_map(|it| about.split_once(it));
    let names = after.and_then(|(_, rest)| rest.split_once(']')).map(|(names, _)| names);
    names.into_iter().flat_map(|it| it.split(", ")).map(str::to_owned).collect()
}

/// Whether a word can be the name of a command. Words in capitals stand for others.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_alphanumeric())
        && word
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.' | ':' | '@' | '+'))
        && !word.ends_with(['.', ':'])
        && (word.chars().any(|it| it.is_ascii_lowercase() || it.is_ascii_digit()))
}

fn positional_of(raw: &Raw) -> Option<Positional> {
    let mut columns = raw.columns.iter();
    let mut first = columns.next()?.as_str();
    let is_marked = first == "*";
    if is_marked {
        first = columns.next()?;
    }
    let about = format!("{} {}", columns.cloned().collect::<Vec<_>>().join(" "), raw.about);
    let name = first.split_whitespace().next()?.trim_matches(|it: char| "[]<>{}().".contains(it));
    if name.is_empty() || first.split_whitespace().count() > 2 {
        return None;
    }
    let choices = flag::choices(first);
    Some(Positional {
        name: name.to_owned(),
        is_required: is_marked
            || about.contains("[required]")
            || (first.starts_with('<') && !about.contains("ptional")),
        is_many: first.contains("..."),
        choices: if choices.is_empty() { flag::described_choices(&about) } else { choices },
    })
}
