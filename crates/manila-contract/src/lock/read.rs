//! A lock from its text, or the line that is wrong, why, and what to do.

use super::line::{EVERY, Line, command_words, failure, read_outcomes, read_values};
use super::model::{Answer, Argument, Attribute, Command, Facts, Failure, Flag, Group, Lock};
use super::write::{FOOTER, HEADER, flag_of, owner};
use crate::error::{Error, ErrorKind};
use crate::shape::{Node, Path, Shape};
use crate::token;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is said of a line that nothing repairs but a new lock.
const ANEW: &str = "undo the edit, or run `manila freeze` to write the lock anew";

impl Lock {
    /// Reads the text of a lock.
    pub fn read(text: &str) -> Result<Lock, Error> {
        let mut lines = lines(text)?;
        // Written locks are sorted, which makes this quick.
        lines.sort_by(|one, other| (one.command, one.key).cmp(&(other.command, other.key)));
        let mut kept: Vec<Line<'_>> = Vec::with_capacity(lines.len());
        for line in lines {
            match kept.last() {
                Some(last) if (last.command, last.key) == (line.command, line.key) => {
                    if last.value != line.value {
                        return Err(contradiction(last, &line));
                    }
                }
                _ => kept.push(line),
            }
        }
        let template = Template::new(kept.iter().filter(|line| line.command == EVERY))?;
        let mut lock = Lock::default();
        for own in kept.chunk_by(|one, other| one.command == other.command) {
            let first = &own[0];
            if first.command == EVERY {
                continue;
            }
            let words = command_words(first.command)
                .ok_or_else(|| bad(first, format!("{:?} is no command", first.command)))?;
            lock.commands.insert(words, template.command(own)?);
        }
        Ok(lock)
    }
}

fn contradiction(first: &Line<'_>, second: &Line<'_>) -> Error {
    let (above, below) =
        if first.number < second.number { (first, second) } else { (second, first) };
    let say = |line: &Line<'_>| line.value.unwrap_or("nothing").to_owned();
    let path = format!("{} {}", above.command, above.key);
    let message = format!(
        "two facts for {:?}: {:?} here, {:?} on line {}",
        path.trim_end(),
        say(below),
        say(above),
        above.number
    );
    Error::bad_lock(below.number, message)
        .suggest("keep the line that is right, or run `manila freeze` to find out by running")
}

fn bad(line: &Line<'_>, message: impl Into<String>) -> Error {
    Error::bad_lock(line.number, message).suggest(ANEW)
}

/// The lines between the first and the last.
fn lines(text: &str) -> Result<Vec<Line<'_>>, Error> {
    let mut numbered = (1..).zip(text.split_inclusive('\n'));
    header(numbered.next().map(|(_, line)| line.trim_end_matches('\n')))?;
    let mut lines = Vec::new();
    let mut is_ended = false;
    let mut last = 1;
    for (number, whole) in numbered {
        last = number;
        let Some(line) = whole.strip_suffix('\n') else {
            return Err(cut(number));
        };
        if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark)) {
            return Err(Error::bad_lock(number, "the mark of a merge conflict").suggest(
                "resolve the conflict: keep the lines of both sides that are right and remove the marks, or run \
                 `manila freeze`",
            ));
        }
        match line {
            "" => {}
            // Two branches may both have moved it.
            FOOTER => is_ended = true,
            _ => lines.push(
                Line::parse(number, line)
                    .map_err(|message| Error::bad_lock(number, message).suggest(ANEW))?,
            ),
        }
    }
    if is_ended { Ok(lines) } else { Err(cut(last + 1)) }
}

fn cut(line: usize) -> Error {
    Error::bad_lock(line, format!("the lock is cut: its last line is not {FOOTER:?}"))
        .suggest("restore the file, or run `manila freeze` to write it anew")
}

fn header(first: Option<&str>) -> Result<(), Error> {
    let first = first.unwrap_or_default();
    if first == HEADER {
        return Ok(());
    }
    match first.strip_prefix("manila.lock ").map(str::parse::<u32>) {
        Some(Ok(version)) if version > 1 => {
            let message = format!("the lock has format {version}, and this manila reads format 1");
            let error = Error::new(ErrorKind::NewerLock, message);
            Err(error.suggest("update manila, or run `manila freeze` with this one"))
        }
        _ => {
            let shown: String = first.chars().take(40).collect();
            Err(Error::bad_lock(1, format!("this is no lock: it begins with {shown:?}")).suggest(
                format!("a lock begins with {HEADER:?}; `manila freeze -- PROGRAM` writes one"),
            ))
        }
    }
}

/// Lines by the rest of their key.
type Section<'t> = BTreeMap<&'t str, Line<'t>>;

/// What most commands share, ready to be handed to each.
struct Template<'t> {
    sections: BTreeMap<&'t str, Section<'t>>,
    flags: BTreeMap<String, (Arc<Flag>, Section<'t>)>,
    answers: BTreeMap<Group, Arc<Answer>>,
    failures: BTreeMap<Failure, Arc<Facts>>,
}

/// A key in two: what it is about, and the rest.
fn parts(key: &str) -> Option<(&str, &str)> {
    let about = match key.split(' ').next()? {
        "flag" => flag_of(key)?,
        "ok" | "failure" | "text" | "error" | "exit" => owner(key).unwrap_or(key),
        _ => return None,
    };
    Some((about, key[about.len()..].trim_start_matches(' ')))
}

impl<'t> Template<'t> {
    fn new<'l>(lines: impl Iterator<Item = &'l Line<'t>>) -> Result<Template<'t>, Error>
    where
        't: 'l,
    {
        let mut sections: BTreeMap<&'t str, Section<'t>> = BTreeMap::new();
        for line in lines {
            let Some((about, rest)) = parts(line.key)
                .filter(|(about, rest)| !rest.is_empty() || about.starts_with("flag "))
            else {
                return Err(bad(line, "such a fact belongs to one command and not to all"));
            };
            sections.entry(about).or_default().insert(rest, *line);
        }
        let mut template = Template {
            sections: BTreeMap::new(),
            flags: BTreeMap::new(),
            answers: BTreeMap::new(),
            failures: BTreeMap::new(),
        };
        for (about, section) in sections {
            if about.starts_with("flag ") {
                let (name, flag) = flag(&section)?;
                template.flags.insert(name, (Arc::new(flag), section));
                continue;
            }
            if let Some(group) = group(about) {
                template.answers.insert(group, Arc::new(answer(&section)?));
            } else {
                let failure = failure_of(about, &section)?;
                template.failures.insert(failure, Arc::new(facts(&section)?));
            }
            template.sections.insert(about, section);
        }
        Ok(template)
    }

    /// A command from its own lines and from what is shared.
    fn command(&self, lines: &[Line<'t>]) -> Result<Command, Error> {
        let mut command = Command {
            flags: self
                .flags
                .iter()
                .map(|(name, (flag, _))| (name.clone(), flag.clone()))
                .collect(),
            ..Command::default()
        };
        let mut sections: BTreeMap<&str, Section<'t>> = BTreeMap::new();
        for line in lines {
            match parts(line.key) {
                Some((about, rest)) => {
                    sections.entry(about).or_default().insert(rest, *line);
                }
                None => plain(&mut command, line)?,
            }
        }
        for (about, own) in sections {
            if about.starts_with("flag ") {
                self.add_flag(&mut command, &own)?;
            } else if let Some(group) = group(about) {
                let answer = match (own.keys().all(|key| key.is_empty()), self.answers.get(&group))
                {
                    (true, Some(shared)) => shared.clone(),
                    _ => Arc::new(answer(&self.laid_over(about, own))?),
                };
                command.answers.insert(group, answer);
            } else {
                let failure = failure_of(about, &own)?;
                let facts =
                    match (own.keys().all(|key| key.is_empty()), self.failures.get(&failure)) {
                        (true, Some(shared)) => shared.clone(),
                        _ => Arc::new(facts(&self.laid_over(about, own))?),
                    };
                command.failures.insert(failure, facts);
            }
        }
        Ok(command)
    }

    fn add_flag(&self, command: &mut Command, own: &Section<'t>) -> Result<(), Error> {
        let Some(first) = own.values().next() else { return Ok(()) };
        let name = flag_name(first)?;
        if own.get("").is_some_and(Line::is_absent) {
            command.flags.remove(&name);
            return Ok(());
        }
        let mut section =
            self.flags.get(&name).map(|(_, shared)| shared.clone()).unwrap_or_default();
        section.extend(own.iter().map(|(key, line)| (*key, *line)));
        section.retain(|_, line| !line.is_absent());
        let (name, flag) = flag(&section)?;
        command.flags.insert(name, Arc::new(flag));
        Ok(())
    }

    /// What is shared with a command's own lines laid over it.
    fn laid_over(&self, about: &str, own: Section<'t>) -> Section<'t> {
        let mut section = self.sections.get(about).cloned().unwrap_or_default();
        section.extend(own);
        section.retain(|_, line| !line.is_absent());
        section
    }
}

fn group(about: &str) -> Option<Group> {
    Group::ALL.into_iter().find(|group| group.word() == about)
}

fn failure_of(about: &str, section: &Section<'_>) -> Result<Failure, Error> {
    let read = about.split_once(' ').and_then(|(word, name)| failure(word, name));
    let line = section.values().next();
    read.ok_or_else(|| match line {
        Some(line) => bad(line, format!("{about:?} is no failure")),
        None => Error::new(ErrorKind::BadLock, format!("{about:?} is no failure")),
    })
}

/// A fact about the command itself.
fn plain(command: &mut Command, line: &Line<'_>) -> Result<(), Error> {
    let unknown = || bad(line, format!("{:?} is no kind of fact that this manila knows", line.key));
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
            let outcomes = read_outcomes(value)
                .ok_or_else(|| bad(line, format!("{value:?} is no outcome of a call")))?;
            command.calls.insert(token::read(name).ok_or_else(unknown)?, outcomes);
        }
        ("arg", Some(place), rest, value) => {
            let place = place.parse().map_err(|_| unknown())?;
            argument(command.arguments.entry(place).or_default(), rest, value)
                .ok_or_else(unknown)?;
        }
        (word, None, [], Some(value)) => {
            let attribute = Attribute::from_word(word).ok_or_else(unknown)?;
            command.facts.insert(attribute, read_values(value).ok_or_else(unknown)?);
        }
        _ => return Err(unknown()),
    }
    Ok(())
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

fn flag(section: &Section<'_>) -> Result<(String, Flag), Error> {
    let mut flag = Flag::default();
    let mut name = String::new();
    for (rest, line) in section {
        name = flag_name(line)?;
        let read = || -> Option<()> {
            match (rest.split_once(' '), line.value) {
                (Some(("choice", it)), None) => drop(flag.choices.insert(token::read(it)?)),
                (Some(("env", it)), None) => drop(flag.variables.insert(token::read(it)?)),
                (Some(("short", it)), None) => drop(flag.shorts.insert(token::read(it)?)),
                (None, Some(value)) if *rest == "default" => flag.defaults = read_values(value)?,
                (None, None) if *rest == "required" => flag.is_required = true,
                (None, Some(value)) if rest.is_empty() => flag.takes = read_values(value)?,
                (None, None) if rest.is_empty() => {}
                _ => return None,
            }
            Some(())
        };
        let mut read = read;
        read().ok_or_else(|| bad(line, format!("{:?} is no fact about a flag", line.key)))?;
    }
    Ok((name, flag))
}

fn facts(section: &Section<'_>) -> Result<Facts, Error> {
    let mut facts = Facts::new();
    for (rest, line) in section.iter().filter(|(rest, _)| !rest.is_empty()) {
        let unknown = || bad(line, format!("{rest:?} is no attribute that this manila knows"));
        let attribute = Attribute::from_word(rest).ok_or_else(unknown)?;
        let values = line.value.and_then(read_values);
        facts.insert(attribute, values.ok_or_else(|| bad(line, format!("{rest:?} has no value")))?);
    }
    Ok(facts)
}

fn answer(section: &Section<'_>) -> Result<Answer, Error> {
    let mut plain = Section::new();
    let mut nodes: BTreeMap<Path, Node> = BTreeMap::new();
    let mut choices = Vec::new();
    for (rest, line) in section {
        if !rest.starts_with('.') {
            plain.insert(*rest, *line);
            continue;
        }
        let (path, choice) = match rest.split_once(" one-of ") {
            Some((path, choice)) => (path, Some(choice)),
            None => (*rest, None),
        };
        let read = Path::parse(path).ok_or_else(|| bad(line, format!("{path:?} is no path")))?;
        match (choice, line.value) {
            (Some(choice), None) => choices.push((read, choice, line)),
            (None, Some(value)) => {
                nodes.insert(read, Node::parse(value).map_err(|message| bad(line, message))?);
            }
            _ => return Err(bad(line, format!("{path:?} has no type"))),
        }
    }
    for (path, choice, line) in choices {
        let node =
            nodes.get_mut(&path).ok_or_else(|| bad(line, "a choice of a path without a type"))?;
        let choice = token::read(choice).ok_or_else(|| bad(line, "a choice with broken quotes"))?;
        node.choices.get_or_insert_default().insert(choice);
    }
    Ok(Answer { facts: facts(&plain)?, body: Shape::from_nodes(&nodes) })
}
