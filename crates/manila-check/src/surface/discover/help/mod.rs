//! Help for people, read as data: commands, flags and positional arguments, whichever framework wrote it.
//!
//! A page is a row of sections: a line at the margin and what is indented below it. The heading
//! says what a section holds, and where it does not, the form of its lines.

mod agree;
mod entry;
mod flag;
mod page;
mod section;
mod usage;

pub(super) use page::{Listed, Page};
pub(super) use usage::{Usage, positionals_of, usage_of};

use super::plain;
use crate::surface::model::{Flag, Positional};
use entry::Entry;
use section::{Kind, Section};
use std::collections::{BTreeMap, BTreeSet};

impl Page {
    /// Whether this is help at all, and not an answer or a complaint.
    pub(super) fn is_help(&self) -> bool {
        !self.program.is_empty() || self.commands.len() > 1 || self.flags.iter().any(is_help_flag)
    }
}

/// Whether a page says that `-h` prints help.
pub(super) fn has_short_help(page: &Page) -> bool {
    page.flags.iter().any(|flag| {
        flag.short == Some('h') && {
            let about = flag.about.to_lowercase();
            flag.long.as_deref() == Some("help") || about.contains("help")
        }
    })
}

fn is_help_flag(flag: &Flag) -> bool {
    flag.long.as_deref() == Some("help") || flag.short == Some('h')
}

/// A flag that is spelled out, such as `-o, --output <FORMAT>`.
pub(super) fn flag_of(spec: &str) -> Option<Flag> {
    flag::read(spec, "")
}

/// Reads a page of the command with these words.
pub(super) fn read(text: &str, path: &[String]) -> Page {
    let mut sections = section::split(&plain::lines(text));
    // yargs puts no heading above its usage.
    let has_usage = sections.iter().any(|section| section.kind == Kind::Usage);
    if let Some(first) =
        sections.first_mut().filter(|it| !has_usage && usage::is_call(&it.heading, path))
    {
        *first = Section {
            kind: Kind::Usage,
            lines: vec![plain::Line { indent: 0, text: first.heading.clone() }],
            heading: String::new(),
        };
    }
    // clipanion puts it below the name of the program, behind a prompt.
    let prompted = |section: &Section| {
        let mut lines =
            section.lines.iter().map(|line| line.text.trim()).filter(|it| !it.is_empty());
        let only = lines.next().filter(|_| lines.next().is_none())?.strip_prefix("$ ")?;
        usage::is_call(only, path).then(|| only.to_owned())
    };
    if !has_usage
        && let Some(first) = sections.first_mut()
        && let Some(call) = prompted(first)
    {
        first.kind = Kind::Usage;
        first.lines = vec![plain::Line { indent: 0, text: call }];
    }
    let program = sections.iter().find_map(|section| {
        section
            .heading
            .to_lowercase()
            .starts_with("usage of ")
            .then(|| section.heading[9..].trim_end_matches(':').to_owned())
    });
    let mut page =
        Page { text: text.to_owned(), program: program.unwrap_or_default(), ..Page::default() };
    for section in sections.iter().filter(|it| it.kind == Kind::Usage) {
        page.usages.extend(usage::read(section, path));
    }
    if let Some(usage) = page.usages.first() {
        page.program.clone_from(&usage.program);
    }
    if page.program.is_empty() {
        page.program = title(&sections).unwrap_or_default();
    }
    page.leads_on = page.usages.iter().any(|it| it.command_follows);
    page.about = about(&sections);
    for section in &sections {
        read_section(section, path, &mut page);
    }
    page.names_from_usage(path);
    page.commands_from_usage(path);
    page.flags_from_usage();
    // What a list of arguments names counts here although no usage does.
    let is_argument = |it: &Positional| it.choices.is_empty() && !usage::is_for_command(&it.name);
    let has_arguments = page.positionals.iter().any(is_argument);
    page.positionals_from_usage(path);
    if !has_arguments {
        page.subcommand = agree::subcommand(&page, path);
    }
    page
}

/// The program by the first line of a page without a usage, if commands are listed with that name before them.
fn title(sections: &[Section]) -> Option<String> {
    let title = sections.first().map(|it| it.heading.as_str()).filter(|it| entry::is_name(it))?;
    let is_called = |line: &plain::Line| {
        line.text.strip_prefix(title).is_some_and(|rest| rest.starts_with(' '))
    };
    let mut lists = sections.iter().filter(|it| it.kind == Kind::Commands);
    lists.any(|section| section.lines.iter().any(is_called)).then(|| title.to_owned())
}

/// More than are ever looked at: each is compared with all before it, and the rest is not read.
const MOST_LISTED: usize = 1000;

fn read_section(section: &Section, path: &[String], page: &mut Page) {
    match section.kind {
        Kind::Usage | Kind::Other => return,
        Kind::Aliases => return page.aliases.extend(aliases(section, path)),
        Kind::Commands | Kind::Arguments | Kind::Flags | Kind::Unknown => {}
    }
    let program = page.program.clone();
    for entry in entry::split(section, &program, path, page.leads_on) {
        match entry {
            Entry::Flag(flag) if page.flags.len() < MOST_LISTED => add_flag(&mut page.flags, flag),
            Entry::Command(listed)
                if page.commands.len() < MOST_LISTED
                    && !page.commands.iter().any(|it| it.words == listed.words) =>
            {
                page.commands.push(listed);
            }
            Entry::Flag(_) | Entry::Command(_) => {}
            Entry::Positional(positional) => page.positionals.push(positional),
            Entry::More => page.has_more = true,
        }
    }
}

/// The other names of a command: alone, or at the end of a whole call that differs in nothing else.
fn aliases(section: &Section, path: &[String]) -> Vec<String> {
    let Some((own, above)) = path.split_last() else { return Vec::new() };
    let calls = section.lines.iter().flat_map(|line| line.text.split(','));
    let alias = |call: &str| {
        let words: Vec<&str> = call.split_whitespace().collect();
        let (last, before) = words.split_last()?;
        let is_ours = before.is_empty() || before[1..].iter().eq(above);
        (is_ours && entry::is_name(last) && last != own).then(|| (*last).to_owned())
    };
    calls.filter_map(alias).collect()
}

/// Adds a flag, unless it is there already.
pub(super) fn add_flag(flags: &mut Vec<Flag>, flag: Flag) {
    let is_same = |other: &&mut Flag| {
        (flag.long.is_some() && other.long == flag.long)
            || (flag.short.is_some()
                && other.short == flag.short
                && (flag.long.is_none() || other.long.is_none()))
    };
    match flags.iter_mut().find(is_same) {
        Some(known) => known.is_required |= flag.is_required,
        None => flags.push(flag),
    }
}

/// The first words that are not a usage, a heading of a list or an entry of one. They come before
/// the first list.
fn about(sections: &[Section]) -> String {
    let has_lines = |section: &Section| section.lines.iter().any(|line| !line.is_blank());
    let first = |section: &Section| {
        section.lines.iter().map(|line| line.text.clone()).find(|text| !text.is_empty())
    };
    let is_list = |section: &&Section| {
        matches!(section.kind, Kind::Commands | Kind::Flags | Kind::Arguments) && has_lines(section)
    };
    let prose = sections.iter().take_while(|section| !is_list(section)).find_map(|section| {
        match section.kind {
            Kind::Unknown if section.heading.is_empty() => first(section),
            Kind::Unknown if is_credit(&section.heading) => None,
            Kind::Unknown if !has_lines(section) || section.heading.ends_with('.') => {
                Some(section.heading.clone())
            }
            Kind::Other if section.is_description() => first(section),
            _ => None,
        }
    });
    prose.filter(|text| !text.starts_with('-')).unwrap_or_default()
}

/// `notes 1.2.0` and `Someone <someone@example.com>`, which older versions of clap put first.
fn is_credit(heading: &str) -> bool {
    let version = heading.split_whitespace().nth(1).unwrap_or_default();
    heading.contains('@') || version.starts_with(|it: char| it.is_ascii_digit())
}

impl Page {
    /// A usage may call the command by another of its names, which is no argument: `pnpm ls [<pkg> ...]` in the help
    /// of `pnpm list`.
    fn names_from_usage(&mut self, path: &[String]) {
        let Some((_, above)) = path.split_last() else { return };
        for usage in &mut self.usages {
            let has_name =
                usage.positionals.first().is_some_and(|first| self.aliases.contains(&first.name));
            if has_name && usage.words == above {
                usage.words = path.to_vec();
                usage.positionals.remove(0);
            }
        }
    }

    /// Where no section lists commands, the words that the usages begin with are commands: that is how
    /// docopt and many scripts write it.
    fn commands_from_usage(&mut self, path: &[String]) {
        if !self.commands.is_empty() {
            return;
        }
        let choices = self.usages.iter().flat_map(|usage| &usage.commands);
        self.commands = choices
            .take(MOST_LISTED)
            .map(|name| Listed { words: vec![name.clone()], ..Listed::default() })
            .collect();
        let is_ours =
            |usage: &&Usage| usage.words.starts_with(path) && usage.words.len() > path.len();
        // Beside a call of an interpreter, such as `node script.js`, a word is not a subcommand:
        // `node inspect script.js` runs the script too.
        let runs_anything = |usage: &Usage| usage.words.is_empty() && usage.runs_what_it_is_given();
        let several = self.usages.len() > 1 && !self.usages.iter().any(runs_anything);
        let literal = self.usages.iter().filter(|_| several).filter(is_ours);
        let listed: Vec<Listed> = literal
            .map(|usage| Listed {
                words: usage.words[path.len()..].to_vec(),
                rest: usage.rest.clone(),
                ..Listed::default()
            })
            .collect();
        for one in listed {
            if !self.commands.iter().any(|it| it.words == one.words) {
                self.commands.push(one);
            }
        }
    }

    pub(super) fn flags_from_usage(&mut self) {
        // One usage of several may need or take what another does not.
        let mut needed: BTreeMap<String, usize> = BTreeMap::new();
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        for usage in &self.usages {
            let required = usage.flags.iter().filter(|it| it.is_required).map(Flag::spelling);
            for word in required.collect::<BTreeSet<_>>() {
                *needed.entry(word).or_default() += 1;
            }
            for word in usage.flags.iter().map(Flag::spelling).collect::<BTreeSet<_>>() {
                *taken.entry(word).or_default() += 1;
            }
        }
        let all = self.usages.iter().flat_map(|usage| usage.flags.clone()).take(MOST_LISTED);
        for flag in all.collect::<Vec<_>>() {
            let is_in_all =
                |of: &BTreeMap<String, usize>| of.get(&flag.spelling()) == Some(&self.usages.len());
            let is_required = flag.is_required && is_in_all(&needed);
            let is_of_one_usage = !is_in_all(&taken);
            add_flag(&mut self.flags, Flag { is_required, is_of_one_usage, ..flag });
        }
    }

    /// What the usage says about arguments counts for more than the list of them, which knows neither
    /// their order nor which are needed.
    fn positionals_from_usage(&mut self, path: &[String]) {
        let listed = std::mem::take(&mut self.positionals);
        let mut found = agree::positionals(&self.usages, path);
        if found.is_empty() && self.usages.is_empty() {
            found.clone_from(&listed);
        }
        for positional in &mut found {
            let same = |it: &&Positional| it.name.eq_ignore_ascii_case(&positional.name);
            if let Some(twin) = listed.iter().find(same).filter(|_| positional.choices.is_empty()) {
                positional.choices.clone_from(&twin.choices);
            }
        }
        self.positionals = found;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usage_may_call_the_command_by_another_of_its_names() {
        let path = ["list".to_owned()];
        let page = read("Usage: pnpm ls [<pkg> ...]\n\nAliases: list, ls, la, ll\n", &path);
        assert_eq!(page.aliases, ["ls", "la", "ll"]);
        assert!(page.positionals.iter().all(|it| !it.is_required), "{:?}", page.positionals);
        let page = read("Usage: tool id [<pkg> ...]\n\nAliases: list, ls, la, ll\n", &path);
        assert!(page.positionals.iter().any(|it| it.is_required && it.name == "id"));
    }
}
