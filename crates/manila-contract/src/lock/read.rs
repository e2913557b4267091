//! Parses the text of a lock, or reports the line that is wrong, why, and what to do.

use super::line::{ANEW, EVERY, Line, bad, command_words};
use super::model::Lock;
use super::template::Template;
use super::write::{FOOTER, HEADER};
use crate::error::{Error, ErrorKind};

impl Lock {
    /// Reads the text of a lock.
    pub fn read(text: &str) -> Result<Lock, Error> {
        let mut lines = lines(text)?;
        // Written locks are sorted, which makes this quick.
        lines.sort_by(|one, other| (one.command, one.key).cmp(&(other.command, other.key)));
        let mut clash = None;
        lines.dedup_by(|later, earlier| {
            let is_same = (later.command, later.key) == (earlier.command, earlier.key);
            if is_same && later.value != earlier.value {
                clash.get_or_insert_with(|| contradiction(earlier, later));
            }
            is_same
        });
        if let Some(error) = clash {
            return Err(error);
        }
        let shared = lines.partition_point(|line| line.command <= EVERY);
        let mut template = Template::new(&lines[..shared])?;
        let mut commands = Vec::new();
        for own in lines[shared..].chunk_by(|one, other| one.command == other.command) {
            let first = &own[0];
            let words = command_words(first.command)
                .ok_or_else(|| bad(first, format!("{:?} is not a command", first.command)))?;
            commands.push((words, template.command(own)?));
        }
        Ok(Lock { commands: commands.into_iter().collect() })
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

/// The lines between the first and the last.
fn lines(text: &str) -> Result<Vec<Line<'_>>, Error> {
    let mut numbered = (1..).zip(text.split_inclusive('\n'));
    header(numbered.next().map(|(_, line)| without_return(line.trim_end_matches('\n'))))?;
    let mut lines = Vec::new();
    let mut is_ended = false;
    let mut last = 1;
    for (number, whole) in numbered {
        last = number;
        let Some(line) = whole.strip_suffix('\n').map(without_return) else {
            return Err(cut(number));
        };
        match line {
            "" => {}
            // Two branches may both have moved it.
            FOOTER => is_ended = true,
            _ => lines.push(
                Line::parse(number, line).map_err(|message| unreadable(number, line, message))?,
            ),
        }
    }
    if is_ended { Ok(lines) } else { Err(cut(last + 1)) }
}

/// A line without the carriage return that git may add to it on Windows.
fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

fn unreadable(number: usize, line: &str, message: String) -> Error {
    if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark)) {
        return Error::bad_lock(number, "a merge conflict marker").suggest(
            "resolve the conflict: keep the lines of both sides that are right and remove the markers, or run \
             `manila freeze`",
        );
    }
    Error::bad_lock(number, message).suggest(ANEW)
}

fn cut(line: usize) -> Error {
    Error::bad_lock(line, format!("the lock is truncated: its last line is not {FOOTER:?}"))
        .suggest("restore the file, or run `manila freeze` to rewrite it")
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
            Err(Error::bad_lock(1, format!("this is not a lock: it begins with {shown:?}"))
                .suggest(format!(
                    "a lock begins with {HEADER:?}; `manila freeze -- PROGRAM` writes one"
                )))
        }
    }
}
