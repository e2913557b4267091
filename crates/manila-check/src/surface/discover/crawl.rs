//! Help read recursively, a level at a time, within limits.

use super::ask::{self, Asking, Reach};
use super::call;
use super::effect;
use super::help::{self, Page};
use crate::observe::probe::{Form, Purpose};
use crate::surface::gate::{self, Permitted};
use crate::surface::known_effects::KnownEffects;
use crate::surface::model::{Command, KnownFrom, Subcommand};
use manila_pack::Effect;
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many pages are asked for at once and then read, so that the caller that makes the runs can
/// check the time in between.
const AT_ONCE: usize = 32;

/// What help says about a program.
pub(super) struct Found {
    /// The root first.
    pub commands: Vec<Command>,
    /// How it calls itself, if its help says.
    pub name: Option<String>,
    pub version: Option<String>,
    pub gaps: Vec<String>,
    /// Whether there is any help.
    pub has_page: bool,
}

/// A command whose page is to be asked for.
struct Next {
    path: Vec<String>,
    listed: help::Listed,
    /// The page that lists it.
    parent: Rc<str>,
}

/// Reads all help that there is.
pub(super) fn crawl(asking: &Asking<'_>) -> Found {
    let Root { page, version, trailing } = root(asking);
    let has_page = page.is_some();
    let page = page.unwrap_or_default();
    let ways = Ways { has_short: help::has_short_help(&page), trailing };
    let name = Some(page.program.clone()).filter(|it| !it.is_empty());
    let reach = asking.reach;
    let (commands, seen, gaps) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut crawl = Crawl { reach, known: asking.known, commands, seen, gaps };
    let mut level = crawl.take(&[], page, &help::Listed::default());
    let mut depth = 1;
    while !level.is_empty() {
        if depth > reach.depth {
            crawl.gaps.push(format!("commands more than {} deep were not looked at", reach.depth));
            break;
        }
        let pages = pages(asking, &level, &ways);
        let mut below = Vec::new();
        for (next, page) in level.into_iter().zip(pages) {
            below.extend(crawl.take(&next.path, page.unwrap_or_default(), &next.listed));
        }
        level = below;
        depth += 1;
    }
    let paths: Vec<Vec<String>> =
        crawl.commands.iter().map(|command| command.path.clone()).collect();
    for command in &mut crawl.commands {
        command.is_group |= paths
            .iter()
            .any(|path| path.len() > command.path.len() && path.starts_with(&command.path));
    }
    Found { commands: crawl.commands, name, version, gaps: crawl.gaps, has_page }
}

/// What the program says of itself.
struct Root {
    page: Option<Page>,
    version: Option<String>,
    trailing: Trailing,
}

/// How the help of a command is asked for, beside `--help`.
struct Ways {
    has_short: bool,
    trailing: Trailing,
}

/// After how many words of a command `help` prints its help, by the program's own words: none, or those of `tool help`,
/// `tool <command> help` and `tool <command> <subcommand> help`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Trailing(Vec<usize>);

impl Trailing {
    fn of(text: &str, program: &str) -> Trailing {
        let is_place = |word: &&str| word.starts_with('<') && word.contains("command");
        let words = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (first, rest) = words.split_first()?;
            let (last, between) = rest.split_last()?;
            let is_call = *first == program && *last == "help" && between.iter().all(is_place);
            is_call.then_some(between.len())
        };
        let lengths: Vec<usize> = text.lines().filter_map(words).collect();
        // What a command takes must be said too: to one that takes an argument, `help` is one.
        Trailing(if lengths.contains(&0) { lengths } else { Vec::new() })
    }

    /// A command that acts by its name is not called with a word that could be its argument, whatever the program says.
    fn is_after(&self, path: &[String]) -> bool {
        self.0.contains(&path.len()) && !path.iter().any(|word| effect::acts(word))
    }
}

/// The page of the program and its version. No other word asks for help in every program: to one that
/// takes an argument, `help` is one.
fn root(asking: &Asking<'_>) -> Root {
    let help = asking.ask(&[gate::help(&[])], Purpose::Help, Form::Text).pop().flatten();
    let version = asking.ask(&[gate::version()], Purpose::Version, Form::Text).pop().flatten();
    let version = version.and_then(|run| ask::version(&run));
    let page = help.as_ref().and_then(|run| ask::page(run, &[])).map(|page| listing(asking, page));
    let mut root = Root { page, version, trailing: Trailing::default() };
    let is_listed = root.page.as_ref().is_some_and(|page| !page.commands.is_empty());
    if let Some(run) = help.filter(|_| !is_listed) {
        root.trailing = Trailing::of(&ask::text(&run), &asking.subject.name());
        if root.trailing.is_after(&[]) {
            let calls = [gate::trailing_help(&[])];
            let run = asking.ask(&calls, Purpose::Help, Form::Text).pop().flatten();
            match run.and_then(|run| ask::page(&run, &[])) {
                Some(page) => root.page = Some(page),
                // It is not as the program says, so it is not tried again.
                None => root.trailing = Trailing::default(),
            }
        }
    }
    root
}

/// The page that lists the commands, where `--help` of the program is that of its command `list`: cleo and Symfony have
/// it so.
fn listing(asking: &Asking<'_>, page: Page) -> Page {
    let Some(call) = gate::described_list(&page.program, &page.about) else { return page };
    let run = asking.ask(&[call], Purpose::Help, Form::Text).pop().flatten();
    let listed = run.and_then(|run| ask::page(&run, &[]));
    let Some(listed) = listed.filter(|it| !it.commands.is_empty()) else { return page };
    Page { program: String::new(), subcommand: Subcommand::Required, leads_on: true, ..listed }
}

/// The pages of these commands, where they have any.
fn pages(asking: &Asking<'_>, level: &[Next], ways: &Ways) -> Vec<Option<Page>> {
    type Way<'w> = (fn(&[String]) -> Permitted, Box<dyn Fn(&[String]) -> bool + 'w>);
    let mut pages: Vec<Option<Page>> = vec![None; level.len()];
    // git opens a manual for `--help` and prints help for `-h`; aws has `help` alone.
    let trails = |path: &[String]| ways.trailing.is_after(path);
    let words: [Way<'_>; 3] = [
        (gate::trailing_help, Box::new(trails)),
        (gate::help, Box::new(move |path| !trails(path))),
        (gate::short_help, Box::new(move |path| ways.has_short && !trails(path))),
    ];
    for (with, is_known) in words {
        let is_open = |at: &usize| {
            let path = &level[*at].path;
            pages[*at].is_none() && !is_help(path) && is_known(path)
        };
        let mut open: Vec<usize> = (0..level.len()).filter(is_open).collect();
        open.sort_by_cached_key(|at| Turn::of(&asking.known, &level[*at].path, &level[*at].listed));
        for open in open.chunks(AT_ONCE) {
            let calls: Vec<_> = open.iter().map(|at| with(&level[*at].path)).collect();
            let runs = asking.ask(&calls, Purpose::Help, Form::Text);
            for (at, run) in open.iter().zip(runs) {
                pages[*at] = run.and_then(|run| ask::page(&run, &level[*at].path));
            }
        }
    }
    for (next, page) in level.iter().zip(&mut pages) {
        // A program with one page for all shows it for each command; it lists nothing below that.
        if let Some(page) = page.as_mut().filter(|page| *page.text == *next.parent) {
            *page = shared(page, next);
        }
    }
    pages
}

/// When the page of a command is read: the time may end before the pages do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// First those that show whether the program has a JSON mode.
    Shows,
    /// Then those of other commands that can be called.
    Reads,
    Others,
}

impl Turn {
    fn of(known: &KnownEffects<'_>, path: &[String], listed: &help::Listed) -> Turn {
        let about = listed.about.to_lowercase();
        // `apps`, "list your apps".
        let lists = ["list ", "lists ", "show ", "shows "].iter().any(|it| about.starts_with(it));
        match seems_to_read(known, path, listed) {
            _ if lists => Turn::Shows,
            true if call::is_showing(path) => Turn::Shows,
            true => Turn::Reads,
            false => Turn::Others,
        }
    }
}

/// Whether a command reads by a pack, or by what the page above it says.
fn seems_to_read(known: &KnownEffects<'_>, path: &[String], listed: &help::Listed) -> bool {
    let words = effect::Words { path, aliases: &listed.aliases };
    let by_name = || effect::of(&words, &[], &listed.about, &listed.about).0 == Effect::None;
    known.reads(path).unwrap_or_else(by_name)
}

/// The command that prints the help of others: asked for its own help, it may list all of them again.
fn is_help(path: &[String]) -> bool {
    path.last().is_some_and(|word| word == "help")
}

/// What a page that is not a command's own still says about it.
fn shared(page: &Page, next: &Next) -> Page {
    let usages: Vec<_> = page
        .usages
        .iter()
        .filter(|usage| !next.path.is_empty() && usage.words.starts_with(&next.path))
        .cloned()
        .collect();
    let positionals = match usages.as_slice() {
        [] => help::positionals_of(&next.listed.rest),
        [first, ..] => first.positionals.clone(),
    };
    let mut own = Page { usages, ..Page::default() };
    own.flags_from_usage();
    Page { flags: own.flags, positionals, ..Page::default() }
}

/// Whether a page lists a command by its whole name, as oclif does with colons: `access:add` on the page of `access`.
fn is_whole_name(path: &[String], listed: &help::Listed) -> bool {
    let own = path.join(":");
    matches!(listed.words.as_slice(), [word] if !own.is_empty()
        && word.strip_prefix(&own).is_some_and(|rest| rest.starts_with(':')))
}

struct Crawl<'c> {
    reach: &'c Reach,
    known: KnownEffects<'c>,
    commands: Vec<Command>,
    seen: BTreeSet<Vec<String>>,
    gaps: Vec<String>,
}

impl Crawl<'_> {
    /// Takes what a page says about a command; those it lists are to be asked next.
    fn take(&mut self, path: &[String], page: Page, listed: &help::Listed) -> Vec<Next> {
        let about = if listed.about.is_empty() { page.about.clone() } else { listed.about.clone() };
        let positionals = if page.usages.is_empty() && page.positionals.is_empty() {
            help::positionals_of(&listed.rest)
        } else {
            page.positionals.clone()
        };
        let has_unknown_arguments = page.usages.is_empty() && positionals.is_empty();
        let aliases = listed.aliases.iter().chain(&page.aliases).cloned().collect();
        if page.has_more {
            self.gaps.push(
                format!("`{}` says that it has more commands than its help lists", path.join(" "))
                    .replace("`` says", "it says"),
            );
        }
        self.seen.insert(path.to_vec());
        self.commands.push(Command {
            about,
            aliases,
            flags: page.flags.clone(),
            positionals,
            is_group: page.leads_on || page.commands.iter().any(|it| !is_whole_name(path, it)),
            known_from: KnownFrom { help: !listed.is_implied, ..KnownFrom::default() },
            first_usage: page.usages.first().map(|it| it.positionals.clone()).unwrap_or_default(),
            help: page.text.clone(),
            subcommand: page.subcommand,
            has_unknown_arguments,
            path: path.to_vec(),
            ..Command::default()
        });
        let parent = Rc::from(page.text);
        let mut listed = page.commands;
        if self.seen.len() + listed.len() > self.reach.commands {
            listed.sort_by_cached_key(|it| Turn::of(&self.known, &[path, &it.words].concat(), it));
        }
        listed.into_iter().flat_map(|listed| self.next(path, &listed, &parent)).collect()
    }

    fn next(&mut self, path: &[String], listed: &help::Listed, parent: &Rc<str>) -> Vec<Next> {
        let is_whole = is_whole_name(path, listed);
        let path = if is_whole { &[] } else { path };
        let below = [path, &listed.words].concat();
        if !self.reach.includes(&below) {
            return Vec::new();
        }
        if self.seen.len() >= self.reach.commands {
            let gap = format!("only the first {} commands were looked at", self.reach.commands);
            if !self.gaps.contains(&gap) {
                self.gaps.push(gap);
            }
            return Vec::new();
        }
        let mut found = Vec::new();
        // A list may name `task list` and never `task`.
        for length in path.len() + 1..=below.len() {
            let path = below[..length].to_vec();
            if self.seen.insert(path.clone()) {
                let is_listed = length == below.len();
                let listed = if is_listed { listed.clone() } else { help::Listed::implied() };
                found.push(Next { path, listed, parent: Rc::clone(parent) });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_colons_is_whole() {
        let is_whole = |path: &str, name: &str| {
            let path: Vec<String> = path.split_whitespace().map(str::to_owned).collect();
            let listed = help::Listed { words: vec![name.to_owned()], ..help::Listed::default() };
            is_whole_name(&path, &listed)
        };
        assert!(is_whole("access", "access:add"));
        assert!(is_whole("pg:backups", "pg:backups:url"));
        for (path, name) in [("", "access:add"), ("access", "add"), ("access", "accessible")] {
            assert!(!is_whole(path, name), "{path} {name}");
        }
    }

    #[test]
    fn what_one_of_several_calls_has_is_not_needed_on_a_page_for_all_commands() {
        let text = "Usage: tool config get <key>\n       tool config list\n       tool config list --json\n";
        let page = help::read(text, &["config".to_owned()]);
        let of = |name: &str| {
            let path = vec!["config".to_owned(), name.to_owned()];
            let next = Next { path, listed: help::Listed::default(), parent: Rc::from(text) };
            shared(&page, &next)
        };
        assert!(of("get").positionals.iter().any(|it| it.is_required));
        let list = of("list");
        assert!(list.positionals.is_empty());
        assert!(list.flags.iter().any(|it| it.long.as_deref() == Some("json") && !it.is_required));
    }

    #[test]
    fn pages_that_show_a_json_mode_come_first() {
        let (subject, packs) = (crate::testing::subject(), manila_pack::Packs::default());
        let known = KnownEffects::new(&subject, &packs);
        let turn = |name: &str| {
            let path = [name.to_owned()];
            let about = if name == "apps" { "list your apps" } else { "" }.to_owned();
            let words = path.to_vec();
            Turn::of(&known, &path, &help::Listed { words, about, ..Default::default() })
        };
        let turns = ["install", "ls", "health", "view", "apps"].map(turn);
        assert_eq!(turns, [Turn::Others, Turn::Shows, Turn::Reads, Turn::Shows, Turn::Shows]);
    }

    #[test]
    fn help_follows_a_command_only_where_the_program_says_so() {
        let said = |text: &str| Trailing::of(text, "aws").0;
        let usage = "To see help text, you can run:\n\n  aws help\n  aws <command> help\n";
        assert_eq!(said(usage), [0, 1]);
        assert_eq!(said(&format!("{usage}  aws <command> <subcommand> help\n")), [0, 1, 2]);
        for text in
            ["aws <command> help", "run aws help", "aws FILE help", "gcloud help", "aws help me"]
        {
            assert!(said(text).is_empty(), "{text}");
        }
        let trailing = Trailing::of(&format!("{usage}  aws <command> <subcommand> help\n"), "aws");
        let is_after = |path: &str| {
            trailing.is_after(&path.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(is_after("") && is_after("s3") && is_after("s3 ls"));
        for path in ["s3 rm", "deploy", "deploy list", "s3api delete-bucket", "ec2 ls all"] {
            assert!(!is_after(path), "{path}");
        }
    }
}
