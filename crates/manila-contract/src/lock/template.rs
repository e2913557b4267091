//! Builds commands from sorted lines: what most commands share, with the own lines of each laid over it.

use super::line::{Line, bad, failure, read_outcomes, read_values};
use super::model::{Answer, Argument, Attribute, Command, Facts, Failure, Flag, Group, Outcome};
use super::write::{flag_of, owner};
use crate::error::Error;
use crate::shape::{Node, Shape};
use crate::token;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The lines under `*`, and what was built last: commands that are alike share their parts in memory.
pub(super) struct Template<'l, 't> {
    /// By what they are about: `ok`, `flag --json`, `error NOT_FOUND`.
    sections: BTreeMap<&'t str, &'l [Line<'t>]>,
    flags: Arc<BTreeMap<String, Arc<Flag>>>,
    /// Facts of answers, for the commands that add none.
    facts: BTreeMap<Group, Arc<Facts>>,
    last_answers: BTreeMap<Group, (&'l [Line<'t>], Arc<Answer>)>,
    last_failures: BTreeMap<&'t str, (&'l [Line<'t>], Failure, Arc<Facts>)>,
    outcomes: BTreeMap<&'t str, Arc<BTreeSet<Outcome>>>,
}

impl<'l, 't> Template<'l, 't> {
    pub(super) fn new(lines: &'l [Line<'t>]) -> Result<Template<'l, 't>, Error> {
        let mut sections = BTreeMap::new();
        let mut flags = BTreeMap::new();
        let mut shared = BTreeMap::new();
        for (about, own) in Sections(lines) {
            let (first, group) = (&own[0], about.and_then(group));
            let is_flag = about.is_some_and(|it| it.starts_with("flag "));
            let Some(about) = about.filter(|it| is_flag || first.key.len() > it.len()) else {
                return Err(bad(first, "such a fact belongs to one command and not to all"));
            };
            if is_flag {
                flags.insert(flag_name(first)?, Arc::new(flag(about, own)?));
            } else if let Some(group) = group {
                body(about, own)?;
                shared.insert(group, Arc::new(facts(about, own)?));
            } else {
                failure_of(about, first)?;
                facts(about, own)?;
            }
            sections.insert(about, own);
        }
        Ok(Template {
            sections,
            flags: Arc::new(flags),
            facts: shared,
            last_answers: BTreeMap::new(),
            last_failures: BTreeMap::new(),
            outcomes: BTreeMap::new(),
        })
    }

    /// Builds a command from its own lines and from what is shared.
    pub(super) fn command(&mut self, lines: &'l [Line<'t>]) -> Result<Command, Error> {
        let mut command = Command { flags: self.flags.clone(), ..Command::default() };
        for (about, own) in Sections(lines) {
            let Some(about) = about else {
                self.plain(&mut command, &own[0])?;
                continue;
            };
            if about.starts_with("flag ") {
                self.add_flag(&mut command, about, own)?;
            } else if let Some(group) = group(about) {
                command.answers.insert(group, self.answer(group, about, own)?);
            } else {
                let (failure, facts) = self.failure(about, own)?;
                command.failures.insert(failure, facts);
            }
        }
        Ok(command)
    }

    fn add_flag(
        &self,
        command: &mut Command,
        about: &'t str,
        own: &'l [Line<'t>],
    ) -> Result<(), Error> {
        let name = flag_name(&own[0])?;
        let lines = self.laid_over(about, own);
        let flags = Arc::make_mut(&mut command.flags);
        if lines.is_empty() || (own[0].key == about && own[0].is_absent()) {
            flags.remove(&name);
        } else {
            flags.insert(name, Arc::new(flag(about, &lines)?));
        }
        Ok(())
    }

    fn answer(
        &mut self,
        group: Group,
        about: &'t str,
        own: &'l [Line<'t>],
    ) -> Result<Arc<Answer>, Error> {
        if let Some((lines, answer)) = self.last_answers.get(&group)
            && is_same(lines, own)
        {
            return Ok(answer.clone());
        }
        let lines = self.laid_over(about, own);
        let is_fact = |line: &Line<'_>| line.key != about && !line.rest(about).starts_with('.');
        let facts = match self.facts.get(&group) {
            Some(shared) if !own.iter().any(is_fact) => shared.clone(),
            _ => Arc::new(facts(about, &lines)?),
        };
        let answer = Arc::new(Answer { facts, body: body(about, &lines)? });
        self.last_answers.insert(group, (own, answer.clone()));
        Ok(answer)
    }

    fn failure(
        &mut self,
        about: &'t str,
        own: &'l [Line<'t>],
    ) -> Result<(Failure, Arc<Facts>), Error> {
        if let Some((lines, failure, facts)) = self.last_failures.get(about)
            && is_same(lines, own)
        {
            return Ok((failure.clone(), facts.clone()));
        }
        let failure = failure_of(about, &own[0])?;
        let facts = Arc::new(facts(about, &self.laid_over(about, own))?);
        self.last_failures.insert(about, (own, failure.clone(), facts.clone()));
        Ok((failure, facts))
    }

    /// What is shared with a command's own lines laid over it, without what is absent; sorted.
    fn laid_over(&self, about: &str, own: &'l [Line<'t>]) -> Cow<'l, [Line<'t>]> {
        let shared = self.sections.get(about).copied().unwrap_or_default();
        if shared.is_empty() && !own.iter().any(Line::is_absent) {
            return Cow::Borrowed(own);
        }
        let mut lines = Vec::with_capacity(shared.len() + own.len());
        let mut rest = shared;
        for line in own {
            let before = rest.iter().take_while(|it| it.key < line.key).count();
            lines.extend_from_slice(&rest[..before]);
            rest = &rest[before..];
            if let Some((first, after)) = rest.split_first()
                && first.key == line.key
            {
                rest = after;
            }
            if !line.is_absent() {
                lines.push(*line);
            }
        }
        lines.extend_from_slice(rest);
        Cow::Owned(lines)
    }

    /// Adds a fact about the command itself.
    fn plain(&mut self, command: &mut Command, line: &Line<'t>) -> Result<(), Error> {
        let unknown = || bad(line, format!("{:?} is not a fact that this manila knows", line.key));
        let mut words = line.key.split(' ');
        let (first, second) = (words.next().unwrap_or_default(), words.next());
        let third: Vec<&str> = words.collect();
        match (first, second, third.as_slice(), line.value) {
            ("", None, [], Some("command")) => command.is_group = false,
            ("", None, [], Some("group")) => command.is_group = true,
            ("alias", Some(alias), [], None) => {
                command.aliases.insert(token::read(alias).ok_or_else(unknown)?);
            }
            ("call", Some(name), [], Some(value)) => {
                let outcomes = self.outcomes(line, value)?;
                command.calls.insert(token::read(name).ok_or_else(unknown)?, outcomes);
            }
            ("arg", Some(place), rest, value) => {
                let place = place.parse().map_err(|_| unknown())?;
                argument(command.arguments.entry(place).or_default(), rest, value)
                    .ok_or_else(unknown)?;
            }
            (word, None, [], Some(value)) => {
                let attribute = word.parse::<Attribute>().map_err(|_| unknown())?;
                command.facts.insert(attribute, read_values(value).ok_or_else(unknown)?);
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    fn outcomes(
        &mut self,
        line: &Line<'t>,
        value: &'t str,
    ) -> Result<Arc<BTreeSet<Outcome>>, Error> {
        if let Some(outcomes) = self.outcomes.get(value) {
            return Ok(outcomes.clone());
        }
        let outcomes = read_outcomes(value)
            .ok_or_else(|| bad(line, format!("{value:?} is not the outcome of a call")))?;
        let outcomes = Arc::new(outcomes);
        self.outcomes.insert(value, outcomes.clone());
        Ok(outcomes)
    }
}

/// Splits sorted lines by what they are about. A line about the command itself is a section of its own.
struct Sections<'l, 't>(&'l [Line<'t>]);

impl<'l, 't> Iterator for Sections<'l, 't> {
    type Item = (Option<&'t str>, &'l [Line<'t>]);

    fn next(&mut self) -> Option<Self::Item> {
        let about = about(self.0.first()?.key);
        // Nothing sorts between `ok` and what begins with `ok` and a space.
        let is_about = |line: &&Line<'_>| {
            about.is_some_and(|about| {
                line.key.strip_prefix(about).is_some_and(|it| it.is_empty() || it.starts_with(' '))
            })
        };
        let length = 1 + self.0[1..].iter().take_while(is_about).count();
        let (own, rest) = self.0.split_at(length);
        self.0 = rest;
        Some((about, own))
    }
}

/// What a key is about, unless that is the command itself.
fn about(key: &str) -> Option<&str> {
    match key.split(' ').next()? {
        "flag" => flag_of(key),
        "ok" | "failure" | "text" | "error" | "exit" => Some(owner(key).unwrap_or(key)),
        _ => None,
    }
}

fn is_same(one: &[Line<'_>], other: &[Line<'_>]) -> bool {
    let is_equal =
        |(one, other): (&Line<'_>, &Line<'_>)| one.key == other.key && one.value == other.value;
    one.len() == other.len() && one.iter().zip(other).all(is_equal)
}

fn group(about: &str) -> Option<Group> {
    Group::ALL.into_iter().find(|group| group.as_str() == about)
}

fn failure_of(about: &str, line: &Line<'_>) -> Result<Failure, Error> {
    let read = about.split_once(' ').and_then(|(word, name)| failure(word, name));
    read.ok_or_else(|| bad(line, format!("{about:?} is not a failure")))
}

fn argument(argument: &mut Argument, rest: &[&str], value: Option<&str>) -> Option<()> {
    match (rest, value) {
        ([], Some(names)) => argument.names = read_values(names)?,
        ([], None) => {}
        (["required"], None) => argument.is_required = true,
        (["many"], None) => argument.is_many = true,
        (["choice", choice], None) => {
            argument.choices.insert(token::read(choice)?);
        }
        _ => return None,
    }
    Some(())
}

fn flag_name(line: &Line<'_>) -> Result<String, Error> {
    let name = flag_of(line.key).and_then(|key| key.strip_prefix("flag ")).and_then(token::read);
    name.ok_or_else(|| bad(line, "a flag without a name"))
}

fn flag(about: &str, lines: &[Line<'_>]) -> Result<Flag, Error> {
    let mut flag = Flag::default();
    for line in lines {
        let rest = line.rest(about);
        let mut read = || -> Option<()> {
            match (rest.split_once(' '), line.value) {
                (Some(("choice", it)), None) => drop(flag.choices.insert(token::read(it)?)),
                (Some(("env", it)), None) => drop(flag.variables.insert(token::read(it)?)),
                (Some(("short", it)), None) => drop(flag.shorts.insert(token::read(it)?)),
                (None, Some(value)) if rest == "default" => flag.defaults = read_values(value)?,
                (None, None) if rest == "required" => flag.is_required = true,
                (None, Some(value)) if rest.is_empty() => flag.takes = read_values(value)?,
                (None, None) if rest.is_empty() => {}
                _ => return None,
            }
            Some(())
        };
        read().ok_or_else(|| bad(line, format!("{:?} is not a fact about a flag", line.key)))?;
    }
    Ok(flag)
}

fn facts(about: &str, lines: &[Line<'_>]) -> Result<Facts, Error> {
    let mut facts = Facts::new();
    for line in lines {
        let rest = line.rest(about);
        if rest.is_empty() || rest.starts_with('.') {
            continue;
        }
        let unknown = || bad(line, format!("{rest:?} is not an attribute that this manila knows"));
        let attribute = rest.parse::<Attribute>().map_err(|_| unknown())?;
        let values = line.value.and_then(read_values);
        facts.insert(attribute, values.ok_or_else(|| bad(line, format!("{rest:?} has no value")))?);
    }
    Ok(facts)
}

/// The shape that the lines with a path describe. The choices of a path follow it.
fn body(about: &str, lines: &[Line<'_>]) -> Result<Shape, Error> {
    let mut shape = Shape::default();
    let mut last: Option<(&str, Node, &Line<'_>)> = None;
    let mut place = |(path, node, line): (&str, Node, &Line<'_>)| {
        shape.place(path, node).ok_or_else(|| bad(line, format!("{path:?} is not a path")))
    };
    for line in lines {
        let rest = line.rest(about);
        if !rest.starts_with('.') {
            continue;
        }
        let (path, choice) = match rest.split_once(' ') {
            Some((path, choice)) => (path, Some(choice)),
            None => (rest, None),
        };
        match (choice.map(|it| it.strip_prefix("one-of ")), line.value) {
            (None, Some(value)) => {
                let node = Node::parse(value).map_err(|message| bad(line, message))?;
                if let Some(before) = last.replace((path, node, line)) {
                    place(before)?;
                }
            }
            (Some(Some(choice)), None) => {
                let choice =
                    token::read(choice).ok_or_else(|| bad(line, "a choice with broken quotes"))?;
                let Some((_, node, _)) = last.as_mut().filter(|(before, ..)| *before == path)
                else {
                    return Err(bad(line, "a choice of a path without a type"));
                };
                node.choices.get_or_insert_default().insert(choice);
            }
            _ => return Err(bad(line, format!("{rest:?} is not a path with a type"))),
        }
    }
    last.map(place).transpose()?;
    Ok(shape)
}
