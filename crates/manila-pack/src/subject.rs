//! The programs that a call comes to: `timeout 5 git fetch` is a run of git too.

use crate::call::{Call, Ends, Open, is_program};
use crate::model::{Position, Wraps};
use crate::pack::{Lookup, Pack};
use crate::shell;
use crate::shell::assignment;
use crate::tri::Tri;

/// Programs that start programs; more is not looked through.
const DEEPEST: usize = 12;

/// A program of a call that has a pack.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) pack: Pack,
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    /// The status of the call is that of this program.
    pub(crate) owns_status: bool,
}

/// The programs of a call that have packs, the outermost first.
pub(crate) fn subjects(argv: &[String], packs: &dyn Lookup) -> Vec<Subject> {
    let mut found = Vec::new();
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    collect(&words, packs, true, DEEPEST, &mut found);
    found
}

fn collect(
    words: &[&str],
    packs: &dyn Lookup,
    owns_status: bool,
    depth: usize,
    found: &mut Vec<Subject>,
) {
    let leading = words.iter().take_while(|word| assignment(word).is_some()).count();
    let [program, arguments @ ..] = &words[leading..] else { return };
    let name = program.rsplit('/').next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let Some(pack) = packs.find(name) else { return };
    let wraps = pack.model().wraps.iter().find(|rule| is_program(&rule.program, name)).cloned();
    found.push(Subject {
        pack: pack.clone(),
        program: name.to_owned(),
        arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        owns_status,
    });
    let (Some(rule), Some(depth)) = (wraps, depth.checked_sub(1)) else { return };
    if rule.shell.is_some() {
        let line = arguments.iter().position(|word| is_line_option(word));
        let line =
            line.and_then(|at| arguments[at + 1..].iter().find(|word| !word.starts_with('-')));
        let Some(Ok(commands)) = line.map(|line| shell::parse(line)) else { return };
        let last = commands.len().saturating_sub(1);
        for (number, command) in commands.iter().enumerate() {
            let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
            collect(&words, packs, owns_status && number == last, depth, found);
        }
    } else if rule.after.is_empty()
        && let Some(start) = start_of_other(name, arguments, &rule, &pack)
    {
        collect(&arguments[start..], packs, owns_status && !rule.appends, depth, found);
    }
}

fn is_line_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-') && !word.starts_with("--") && word.contains('c')
}

/// Where the other program stands among the arguments of one that starts it.
fn start_of_other(
    program: &str,
    arguments: &[&str],
    rule: &Wraps<'_>,
    pack: &Pack,
) -> Option<usize> {
    let depth = rule.command.first().map_or(0, |command| command.split_whitespace().count());
    let skip = depth + rule.skip;
    let call = Call::new(program, arguments, pack.model(), Open::No, Ends::AtWord(skip));
    let is_command = call.command(&rule.command).any(|(tri, _)| tri != Tri::No);
    let starts_nothing =
        !rule.unless.is_empty() && call.has(&rule.unless, Position::Any, |_| Tri::Yes) == Tri::Yes;
    if !is_command || starts_nothing {
        return None;
    }
    let words = call.words.iter().skip(skip).map(|word| word.index);
    words.into_iter().find(|index| !rule.assignments || assignment(arguments[*index]).is_none())
}
