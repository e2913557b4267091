//! The commands of a program, from its manifest, its help and its pack, and the search among them.

use manila_check::surface::{Command, EffectSource, Flag, Positional};
use manila_check::{Declaration, Options, Subject, survey};
use manila_pack::{Lookup, Packs, effects};
use manila_run::Cancel;
use std::collections::BTreeSet;
use std::time::Duration;

/// How long the search for commands may take. Each call of the program has a limit of its own, which is far shorter: a
/// search that takes so long is one on a busy machine, and without it nothing is proven.
const DEADLINE: Duration = Duration::from_secs(300);
/// How many flags a usage shows.
const FLAGS: usize = 8;
/// The largest ratio between the scores of the best and the worst command in a result.
const WORSE: u32 = 3;
/// How many words of a query count.
const QUERY: usize = 32;
/// The score of a query that is exactly the name of a command: more than any other match.
const EXACT: u32 = 1 << 20;
/// The longest description, in characters.
const ABOUT: usize = 120;

/// The commands of a program.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    /// The root first.
    pub(crate) commands: Vec<Command>,
    /// What could not be found out.
    pub(crate) gaps: Vec<String>,
}

/// A command that a search found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'c> {
    pub(crate) command: &'c Command,
    score: u32,
}

impl Catalog {
    /// Asks a program for its help and its manifest, confined as `manila check` does it, and adds what its pack
    /// knows. `call` is how the operator calls it.
    pub(crate) fn new(
        call: &[String],
        subject: Option<&Subject>,
        declaration: &Declaration,
        packs: &Packs,
        cancel: &Cancel,
    ) -> Catalog {
        let program = call.first().map_or("", String::as_str);
        let mut catalog = Catalog::default();
        let options = Options {
            deadline: DEADLINE,
            packs: packs.clone(),
            cancel: cancel.clone(),
            ..Options::default()
        };
        match subject {
            None => catalog.gaps.push(format!("{program} was not found")),
            Some(subject) => match survey(subject, declaration, &options) {
                Ok(survey) => {
                    catalog.commands = survey.surface.commands;
                    catalog.gaps = survey.surface.gaps;
                }
                Err(error) => catalog.gaps.push(error.to_string()),
            },
        }
        catalog.add_pack(call, packs);
        catalog
    }

    /// Commands that only the pack knows. Help often lists the common ones alone.
    fn add_pack(&mut self, call: &[String], packs: &Packs) {
        let name = call.first().and_then(|program| program.rsplit('/').next()).unwrap_or_default();
        let Some(pack) = packs.find(name) else { return };
        let rules = pack.model().effect.iter().filter(|rule| rule.program.is_empty());
        let named: BTreeSet<&str> =
            rules.flat_map(|rule| rule.command.iter()).map(|it| &**it).collect();
        for command in named {
            let is_literal = command.split(' ').all(|word| {
                word.starts_with(|it: char| it.is_ascii_alphanumeric()) && !word.contains('*')
            });
            let path: Vec<String> = command.split(' ').map(str::to_owned).collect();
            if !is_literal || self.commands.iter().any(|known| known.path == path) {
                continue;
            }
            let words: Vec<&String> = call.iter().chain(&path).collect();
            let call = effects(&words, packs);
            self.commands.push(Command {
                path,
                effects: call.effect,
                effects_from: EffectSource::Pack,
                ..Command::default()
            });
        }
    }

    /// The commands that fit a query best, the best first. Without a query these are the first.
    pub(crate) fn find(&self, query: &str, most: usize) -> Vec<Entry<'_>> {
        let mut words = words(query);
        words.truncate(QUERY);
        let commands =
            self.commands.iter().filter(|command| !command.is_root() || !command.is_group);
        let mut found: Vec<Entry<'_>> = commands
            .map(|command| Entry { command, score: score(command, &words) })
            .filter(|entry| entry.score > 0 || words.is_empty())
            .collect();
        // A stable sort: equal commands stay in the order of the program's own help.
        found.sort_by_key(|entry| (std::cmp::Reverse(entry.score), entry.command.is_group));
        found.truncate(most);
        // Commands that score far below the best are not worth their bytes.
        let best = found.first().map_or(0, |entry| entry.score);
        found.retain(|entry| entry.score * WORSE >= best);
        found
    }

    /// The command with these words, by their names.
    pub(crate) fn command(&self, path: &[String]) -> Option<&Command> {
        self.commands.iter().find(|command| command.path == path)
    }

    /// The command that a word leads to below another.
    pub(crate) fn below(&self, path: &[String], word: &str) -> Option<&Command> {
        self.commands.iter().find(|command| {
            command.path.split_last().is_some_and(|(last, above)| {
                above == path && (last == word || command.aliases.iter().any(|it| it == word))
            })
        })
    }

    /// Whether a command has others below it.
    pub(crate) fn has_below(&self, path: &[String]) -> bool {
        self.commands.iter().any(|it| it.path.len() > path.len() && it.path.starts_with(path))
    }
}

impl Entry<'_> {
    /// Its score.
    pub(crate) fn score(&self) -> u32 {
        self.score
    }

    /// Whether the query is exactly its name.
    pub(crate) fn is_exact(&self) -> bool {
        self.score >= EXACT
    }

    /// Its description, shortened.
    pub(crate) fn about(&self) -> String {
        let line = self.command.about.lines().next().unwrap_or_default();
        match line.char_indices().nth(ABOUT) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line.to_owned(),
        }
    }

    /// How it is called, in one line, with the words that lead to it. Options that the whole program has are left to
    /// its help.
    pub(crate) fn usage(&self, name: &str, catalog: &Catalog) -> String {
        let mut parts = vec![name.to_owned()];
        parts.extend(self.command.path.iter().cloned());
        let is_help = |flag: &Flag| matches!(flag.long.as_deref(), Some("help" | "version"));
        let everywhere = catalog.command(&[]).map_or(&[][..], |root| &root.flags);
        let is_everywhere = |flag: &Flag| {
            !self.command.is_root() && everywhere.iter().any(|it| it.spelling() == flag.spelling())
        };
        let own = |flag: &&Flag| flag.is_required || !(is_help(flag) || is_everywhere(flag));
        let mut flags: Vec<&Flag> = self.command.flags.iter().filter(own).collect();
        flags.sort_by_key(|flag| !flag.is_required);
        parts.extend(flags.iter().take(FLAGS).map(|flag| flag_usage(flag)));
        if flags.len() > FLAGS {
            parts.push("[options]".to_owned());
        }
        if self.command.is_group {
            parts.push("<command>".to_owned());
        }
        parts.extend(self.command.positionals.iter().map(positional_usage));
        parts.join(" ")
    }
}

fn flag_usage(flag: &Flag) -> String {
    let word = match &flag.value {
        Some(value) => format!("{} <{}>", flag.spelling(), value.trim_matches(['<', '>'])),
        None => flag.spelling(),
    };
    if flag.is_required { word } else { format!("[{word}]") }
}

fn positional_usage(positional: &Positional) -> String {
    let more = if positional.is_many { "..." } else { "" };
    let name = positional.name.trim_matches(['<', '>', '[', ']']);
    if positional.is_required { format!("<{name}>{more}") } else { format!("[{name}]{more}") }
}

/// Stop words.
#[rustfmt::skip]
const EMPTY: &[&str] = &[
    "a", "all", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "have", "how", "i", "in", "is",
    "it", "its", "me", "my", "of", "on", "or", "that", "the", "there", "this", "to", "was", "what", "when", "where",
    "which", "who", "with",
];

/// The words of a text without stop words, in lower case.
fn words(text: &str) -> Vec<String> {
    text.split(|it: char| !it.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !EMPTY.contains(&word.as_str()))
        .collect()
}

/// How well a command fits: its own words weigh more than its description, and that more than its flags.
fn score(command: &Command, query: &[String]) -> u32 {
    let path: Vec<String> =
        command.path.iter().chain(&command.aliases).flat_map(|it| words(it)).collect();
    let about = words(&command.about);
    let flags: Vec<String> = command
        .flags
        .iter()
        .flat_map(|flag| words(&format!("{} {}", flag.spelling(), flag.about)))
        .collect();
    let fits = |word: &String, among: &[String]| among.iter().map(|it| similarity(word, it)).max();
    let of_word = |word: &String| {
        let path = fits(word, &path).unwrap_or(0) * 8;
        let about = fits(word, &about).unwrap_or(0) * 3;
        let flags = fits(word, &flags).unwrap_or(0);
        path + about + flags
    };
    let sum = query.iter().map(of_word).sum::<u32>();
    let named = words(&command.path.join(" "));
    if !named.is_empty() && named == query { sum + EXACT } else { sum }
}

/// How alike two words are: the same, one the beginning of the other, or neither.
fn similarity(one: &str, other: &str) -> u32 {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    if short == long {
        4
    } else if short.len() >= 3 && long.starts_with(short) {
        2
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(path: &str, about: &str) -> Command {
        let path = path.split_whitespace().map(str::to_owned).collect();
        Command { path, about: about.to_owned(), ..Command::default() }
    }

    fn catalog() -> Catalog {
        let root = Command { is_group: true, ..Command::default() };
        let list = command("task list", "List the open tasks");
        let add = Command {
            flags: vec![Flag {
                long: Some("due".to_owned()),
                value: Some("<DATE>".to_owned()),
                about: "When it is due".to_owned(),
                ..Flag::default()
            }],
            positionals: vec![Positional {
                name: "CONTENT".to_owned(),
                is_required: true,
                ..Positional::default()
            }],
            ..command("task add", "Add a task")
        };
        let prune = command("cache prune", "Remove what is old");
        Catalog { commands: vec![root, list, add, prune], gaps: Vec::new() }
    }

    fn names(catalog: &Catalog, query: &str) -> Vec<String> {
        catalog.find(query, 10).iter().map(|entry| entry.command.name()).collect()
    }

    #[test]
    fn a_name_weighs_more_than_a_description_and_that_more_than_a_flag() {
        let catalog = catalog();
        assert_eq!(names(&catalog, "task add")[0], "task add");
        assert_eq!(names(&catalog, "what is old"), ["cache prune"]);
        assert_eq!(names(&catalog, "tasks that are open")[0], "task list");
        assert_eq!(names(&catalog, "due date"), ["task add"]);
        assert!(names(&catalog, "what is the xyzzy").is_empty());
    }

    #[test]
    fn without_a_query_the_first_are_listed() {
        assert_eq!(names(&catalog(), ""), ["task list", "task add", "cache prune"]);
        assert_eq!(catalog().find("", 1).len(), 1);
    }

    #[test]
    fn a_usage_is_one_line() {
        let catalog = catalog();
        let found = catalog.find("task add", 1);
        assert_eq!(found[0].usage("tool", &catalog), "tool task add [--due <DATE>] <CONTENT>");
    }
}
