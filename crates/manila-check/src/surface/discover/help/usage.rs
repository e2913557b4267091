//! One line of usage: the program, the words of the command, what must follow and what may.

use super::flag;
use super::section::Section;
use crate::surface::model::{Flag, Positional};

/// One way to call a command, as its help writes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    /// How the program calls itself.
    pub program: String,
    /// The literal words, the command's own among them.
    pub words: Vec<String>,
    /// What comes after them.
    pub rest: String,
    pub flags: Vec<Flag>,
    pub positionals: Vec<Positional>,
    /// Whether a command must or may follow.
    pub command_follows: bool,
    /// Whether it may be left out, as in `[COMMAND]`.
    pub command_is_optional: bool,
    /// The commands that may follow, if they are listed: `{list,show} ...`.
    pub commands: Vec<String>,
}

/// More of anything than a usage of a real program has; the rest is not read.
const MOST: usize = 200;
/// How many levels of nested brackets are read.
const DEEPEST: usize = 8;

impl Usage {
    /// Whether this is how an interpreter is called: it takes a script, or a file with arguments of its
    /// own, and runs what it is given.
    pub(super) fn runs_what_it_is_given(&self) -> bool {
        let rest = self.rest.to_lowercase();
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '-' | '.' | '_');
        let words: Vec<&str> = rest.split(|it: char| !is_part(it)).collect();
        let place = |names: &[&str]| {
            let is_it = |word: &&str| names.contains(&word.trim_matches(['.', '-']));
            words.iter().position(is_it)
        };
        let file = place(&["file", "filepath", "programfile", "program-file"]);
        let arguments = place(&["arg", "args", "arguments"]);
        let is_script = words.iter().any(|word| word.starts_with("script"));
        is_script || file.zip(arguments).is_some_and(|(file, arguments)| file < arguments)
    }

    fn add_flag(&mut self, flag: Flag) {
        if self.flags.len() < MOST {
            self.flags.push(flag);
        }
    }

    fn add_positional(&mut self, positional: Positional) {
        if self.positionals.len() < MOST {
            self.positionals.push(positional);
        }
    }
}

/// Words that stand for a command.
const COMMAND: &[&str] =
    &["command", "subcommand", "cmd", "commands", "subcommands", "sub-command"];
/// Words that stand for flags, or for all that a command takes.
const ANY: &[&str] = &[
    "options",
    "option",
    "flags",
    "flag",
    "global options",
    "global flags",
    "opts",
    "command options",
    "args",
    "arguments",
    "arg",
    "command args",
    "parameters",
    "--",
    "...",
    "<options>",
    "common-options",
    "application-arguments",
    "path-to-application",
];

/// Whether the name of an argument stands for a command.
pub(super) fn is_for_command(name: &str) -> bool {
    COMMAND.contains(&name.trim_matches(|it: char| "[]<>{}".contains(it)).to_lowercase().as_str())
}

/// Whether a line without a heading is a usage: the command's own words and nothing but placeholders
/// after the program's name. yargs begins its pages so.
pub(super) fn is_call(line: &str, path: &[String]) -> bool {
    let tokens = tokens(line);
    let rest = tokens.get(1..).and_then(|rest| rest.strip_prefix(path));
    let is_placeholder = |token: &String| token.starts_with(['<', '[']);
    rest.is_some_and(|rest| {
        rest.iter().all(is_placeholder) && !(rest.is_empty() && path.is_empty())
    })
}

/// Reads the lines of a section of usage.
pub(super) fn read(section: &Section, path: &[String]) -> Vec<Usage> {
    let calls = calls(section);
    let all: Vec<Usage> = calls.iter().take(MOST).filter_map(|call| one(call, path)).collect();
    let (own, others): (Vec<Usage>, Vec<Usage>) =
        all.into_iter().partition(|usage| usage.words.starts_with(path));
    // One page for several commands, such as that of `git log` and `git show`.
    if own.is_empty() { others } else { own }
}

/// The calls that the section shows, each in one line however it was wrapped.
fn calls(section: &Section) -> Vec<String> {
    let mut calls: Vec<String> = Vec::new();
    let lines = section.lines.iter().filter(|line| !line.is_blank());
    let margin = section.lines.iter().filter(|line| !line.is_blank()).map(|it| it.indent).min();
    let mut program = String::new();
    for line in lines {
        let text = line.text.trim_start_matches("$ ").trim_start_matches("> ");
        let other = text.strip_prefix("or: ").or_else(|| text.strip_prefix("or "));
        let text = without_description(other.unwrap_or(text).trim_start());
        let first = text.split_whitespace().next().unwrap_or_default();
        let is_new = other.is_some()
            || calls.is_empty()
            || first == program
            || (Some(line.indent) == margin && !first.starts_with(['[', '<', '-', '(', '{', '|']));
        match calls.last_mut() {
            Some(call) if !is_new => {
                call.push(' ');
                call.push_str(text);
            }
            _ => {
                if calls.is_empty() {
                    first.clone_into(&mut program);
                }
                calls.push(text.to_owned());
            }
        }
    }
    calls
}

/// Some put a description behind a call, after several blanks.
fn without_description(text: &str) -> &str {
    text.split("   ").next().unwrap_or(text).trim_end()
}

fn one(call: &str, path: &[String]) -> Option<Usage> {
    let tokens = tokens(call);
    let program = tokens.first()?.clone();
    let mut at = 1;
    // `python -m tool` is one name.
    if tokens.get(1).is_some_and(|word| word == "-m") {
        at = 3;
    }
    let mut usage = Usage { program: base(&program).to_owned(), ..Usage::default() };
    let rest = tokens.get(at..).unwrap_or_default();
    let literal = literal_words(rest, path);
    usage.words = rest[..literal]
        .iter()
        .enumerate()
        .map(|(at, word)| own_spelling(word, path.get(at)))
        .collect();
    usage.rest = rest[literal..].join(" ");
    take_rest(&mut usage, command_alone(&rest[literal..]));
    Some(usage)
}

/// What follows the words of a command, without the other name that gcloud has for one: `GROUP | COMMAND`.
fn command_alone(rest: &[String]) -> &[String] {
    match rest {
        [_, bar, command, ..] if bar == "|" && is_for_command(command) => &rest[2..],
        _ => rest,
    }
}

fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// commander writes all names of a command: `list|ls`.
fn own_spelling(token: &str, own: Option<&String>) -> String {
    let own = own.filter(|own| token.split('|').any(|name| name == own.as_str()));
    own.cloned().unwrap_or_else(|| token.to_owned())
}

/// How many of the first tokens are words of a command: those of the path, and others in lower case
/// that are not a placeholder.
fn literal_words(tokens: &[String], path: &[String]) -> usize {
    let own = tokens
        .iter()
        .zip(path)
        .take_while(|(token, word)| own_spelling(token, Some(word)) == **word)
        .count();
    if own < path.len() {
        // Some frameworks put the flags of the program before the command.
        let found = tokens.windows(path.len().max(1)).position(|window| window == path);
        return found.map_or(own, |at| at + path.len());
    }
    let more = tokens[own..].iter().take_while(|token| is_literal(token)).count();
    own + more
}

fn is_literal(token: &str) -> bool {
    token.starts_with(|it: char| it.is_ascii_lowercase())
        && token.chars().all(|it| {
            it.is_ascii_lowercase() || it.is_ascii_digit() || matches!(it, '-' | '_' | ':')
        })
        && !COMMAND.contains(&token)
        && !ANY.contains(&token)
}

/// The tokens of a call: brackets and their content are one.
fn tokens(call: &str) -> Vec<String> {
    let mut tokens = vec![String::new()];
    let mut depth = 0_usize;
    for letter in call.chars() {
        match letter {
            '[' | '<' | '{' | '(' => depth += 1,
            ']' | '>' | '}' | ')' => depth = depth.saturating_sub(1),
            _ if letter.is_whitespace() && depth == 0 => {
                tokens.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = tokens.last_mut() {
            last.push(letter);
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

fn take_rest(usage: &mut Usage, tokens: &[String]) {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1).map(String::as_str);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map(String::as_str);
        at += 1;
        if token == "..." {
            if let Some(last) = usage.positionals.last_mut() {
                last.is_many = true;
            }
        } else if token.starts_with('-') && token != "--" {
            at += take_flag(usage, token, next);
        } else if let Some(inner) =
            token.strip_prefix('[').map(|it| it.trim_end_matches(['.', ']']))
            && inner.trim_start().starts_with('-')
            && inner.trim() != "--"
        {
            take_optional_flags(usage, inner);
        } else {
            take_word(usage, token, before, next);
        }
    }
}

/// A flag without brackets is needed; says how many more tokens are its value.
fn take_flag(usage: &mut Usage, token: &str, next: Option<&str>) -> usize {
    let is_value = |it: &&str| it.starts_with('<') || flag::is_metavar(it);
    let value = next.filter(is_value).filter(|_| !token.contains('='));
    let spec = format!("{token} {}", value.unwrap_or_default());
    if let Some(flag) = flag::read(&spec, "") {
        usage.add_flag(Flag { is_required: true, ..flag });
    }
    usize::from(value.is_some())
}

fn take_optional_flags(usage: &mut Usage, inner: &str) {
    let mut depth = 0_u32;
    let parts = inner.split(|letter: char| {
        match letter {
            '[' | '<' | '{' | '(' => depth += 1,
            ']' | '>' | '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == '|' && depth == 0
    });
    let parts: Vec<&str> = parts.map(str::trim).collect();
    // `[-h | --help]` is one flag, `[--tab | --indent N]` are two.
    let is_one =
        matches!(parts.as_slice(), [short, long] if short.len() == 2 && long.starts_with("--"));
    let specs = if is_one {
        vec![parts.join(", ")]
    } else {
        parts.into_iter().map(str::to_owned).collect()
    };
    for spec in specs.iter().filter(|spec| spec.starts_with('-')) {
        if let Some(flag) = flag::read(spec, "") {
            usage.add_flag(flag);
        }
    }
}

/// Takes the content of brackets as words of their own, all of them optional: `[<a> [<b>...]]`.
fn take_optional_words(usage: &mut Usage, inner: &str) {
    let (known, followed) = (usage.positionals.len(), usage.command_follows);
    take_rest(usage, &tokens(inner));
    usage.command_is_optional |= usage.command_follows && !followed;
    for positional in usage.positionals.iter_mut().skip(known) {
        positional.is_required = false;
    }
}

/// How deep brackets are nested.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for letter in text.chars() {
        match letter {
            '[' | '<' | '{' | '(' => depth += 1,
            ']' | '>' | '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = depth.max(deepest);
    }
    deepest
}

fn take_word(usage: &mut Usage, token: &str, before: Option<&str>, next: Option<&str>) {
    let is_many = token.ends_with("...") || next == Some("...") || token.contains("...]");
    let nested = token.strip_prefix('[').and_then(|it| it.trim_end_matches('.').strip_suffix(']'));
    if let Some(inner) = nested.filter(|it| {
        it.contains(['<', '['])
            && !it.contains('|')
            && nesting(it) < DEEPEST
            && tokens(it).len() > 1
    }) {
        return take_optional_words(usage, inner);
    }
    let is_optional = token.starts_with('[');
    let inner = token
        .trim_end_matches('.')
        .trim_matches(|it: char| "[]<>()".contains(it) || it.is_whitespace());
    let name = inner.trim_end_matches('.').trim_matches(|it: char| "[]<> ".contains(it));
    let lower = name.to_lowercase();
    // Behind `--` stands another program's command line.
    let is_command =
        COMMAND.contains(&lower.as_str()) && before != Some("--") && !token.ends_with(">...");
    if is_command {
        usage.command_follows = true;
        usage.command_is_optional = is_optional;
        return;
    }
    if let Some(braces) = token.trim_start_matches('[').strip_prefix('{') {
        let choices = flag::choices(&format!("{{{braces}"));
        if next == Some("...") || usage.command_follows {
            usage.command_follows = true;
            usage.command_is_optional = is_optional;
            usage.commands = choices;
        } else {
            let name = if choices.is_empty() {
                plain_name(name)
            } else {
                name.trim_matches(['{', '}']).to_owned()
            };
            usage.add_positional(Positional { name, is_required: !is_optional, is_many, choices });
        }
        return;
    }
    let takes_the_rest = usage.command_follows && (is_many || lower.starts_with("arg"));
    if name.is_empty()
        || ANY.contains(&lower.as_str())
        || takes_the_rest
        || !name.contains(char::is_alphanumeric)
        || name.starts_with('-')
        || name.starts_with('+')
    {
        return;
    }
    let again = usage.positionals.last_mut().filter(|last| {
        last.name.eq_ignore_ascii_case(name.split_whitespace().next().unwrap_or(name))
    });
    match again {
        // `ID [ID ...]`
        Some(last) => last.is_many = true,
        None => usage.add_positional(Positional {
            name: plain_name(name),
            is_required: !is_optional,
            is_many,
            choices: flag::choices(token.trim_end_matches("...")),
        }),
    }
}

/// The name of an argument without what surrounds it; of several that exclude each other, the first.
fn plain_name(name: &str) -> String {
    let is_part =
        |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '/' | ':' | ' ' | '|');
    let name = name.trim_start_matches(|it| !is_part(it));
    let end = name.find(|it| !is_part(it)).unwrap_or(name.len());
    let name = name[..end].trim_matches([' ', '|']);
    name.split([' ', '|']).next().filter(|_| name.contains(" |")).unwrap_or(name).to_owned()
}

/// One call as a usage writes it, the program first.
pub(crate) fn usage_of(call: &str) -> Usage {
    one(call, &[]).unwrap_or_default()
}

/// The arguments that follow a command's words in a list, such as `<id> [options]`.
pub(crate) fn positionals_of(rest: &str) -> Vec<Positional> {
    let mut usage = Usage::default();
    take_rest(&mut usage, &tokens(rest));
    usage.positionals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::discover::help::section;
    use crate::surface::discover::plain;

    fn shown(text: &str, path: &[&str]) -> String {
        let path: Vec<String> = path.iter().map(ToString::to_string).collect();
        let sections = section::split(&plain::lines(text));
        let usages = read(&sections[0], &path);
        let each = usages.iter().map(|usage| {
            let positionals = usage.positionals.iter().map(|it| {
                let [needed, many] = [(it.is_required, "!"), (it.is_many, "*")]
                    .map(|(is, mark)| if is { mark } else { "" });
                let choices = if it.choices.is_empty() {
                    String::new()
                } else {
                    format!("({})", it.choices.join("|"))
                };
                format!(" {}{needed}{many}{choices}", it.name)
            });
            let flags = usage
                .flags
                .iter()
                .map(|it| format!(" {}{}", it.spelling(), if it.is_required { "!" } else { "" }));
            let follows = if usage.command_follows {
                format!(" >{}", usage.commands.join(","))
            } else {
                String::new()
            };
            format!(
                "{}:{}{}{}{follows}",
                usage.program,
                usage.words.join(" "),
                positionals.collect::<String>(),
                flags.collect::<String>()
            )
        });
        each.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn usages_of_every_framework() {
        for (text, path, expected) in [
            ("Usage: td [OPTIONS] [COMMAND]", &[][..], "td: >"),
            ("Usage: td show [OPTIONS] <TASK>", &["show"], "td:show TASK!"),
            ("Usage: manila run [OPTIONS] -- <COMMAND>...", &["run"], "manila:run COMMAND!*"),
            (
                "usage: tool [-h] [--sort-keys] infile [outfile]",
                &[],
                "tool: infile! outfile -h --sort-keys",
            ),
            ("usage: tool [-h] {list,show} ...", &[], "tool: -h >list,show"),
            (
                "usage: tool get [-h] --name NAME {a,b} ID [ID ...]",
                &["get"],
                "tool:get a,b!(a|b) ID!* -h --name!",
            ),
            ("Usage: cli.py [OPTIONS] COMMAND [ARGS]...", &[], "cli.py: >"),
            ("Usage:\n  tool [flags]\n  tool [command]", &[], "tool:; tool: >"),
            (
                "Usage:\n  ship new <name>...\n  ship move <x> <y> [--speed=<kn>]",
                &[],
                "ship:new name!*; ship:move x! y! --speed",
            ),
            ("USAGE\n  $ mycli hello FILE [-f <value>]", &["hello"], "mycli:hello FILE! -f"),
            ("usage: python -m json.tool [-h] [infile]", &[], "python: infile -h"),
            (
                "usage: git log [<a>]\n   or: git show [<options>] <object>...",
                &["show"],
                "git:show object!*",
            ),
            (
                "usage: git pull [<options>] [<repository> [<refspec>...]]",
                &["pull"],
                "git:pull repository refspec*",
            ),
            ("usage: git x (<rev>|<range>)... [<commit> | <object>]", &["x"], "git:x rev!* commit"),
            ("Usage:\tjq [options] <jq filter> [file...]", &[], "jq: jq filter! file*"),
            ("SYNOPSIS\n  cloud GROUP | COMMAND [--quiet, -q]", &[], "cloud: --quiet >"),
            ("Usage: notes list|ls [options]", &["list"], "notes:list"),
            (
                "usage: git [-v | --version] [-C <path>]\n           [--bare] <command> [<args>]",
                &[],
                "git: --version -C --bare >",
            ),
        ] {
            assert_eq!(shown(text, path), expected, "{text}");
        }
    }
}
