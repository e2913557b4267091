//! `subject create`: a new subject, under the next free id of its kind.

use crate::error::Error;
use crate::project::Project;
use crate::subject::{Draft, Duplicates, Kind, Priority, Subject};
use clap::Args;
use jiff::Timestamp;
use manila_clap::{Call, Danger, Effect, Spec};

/// How many characters a title and a description may have.
const LONGEST_TITLE: usize = 200;
const LONGEST_DESCRIPTION: usize = 10_000;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The kind of the subject
    #[arg(long)]
    kind: Kind,

    /// What it is about, in one line
    #[arg(long, value_parser = title)]
    title: String,

    /// What more there is to say
    #[arg(long, default_value = "", hide_default_value = true, value_parser = description)]
    description: String,

    /// How much it matters
    #[arg(long, default_value = "medium")]
    priority: Priority,

    /// Create it even if another subject of the kind has the same title
    #[arg(long)]
    allow_duplicate: bool,
}

fn title(text: &str) -> Result<String, String> {
    let title = text.trim();
    if title.is_empty() {
        return Err("a title has at least one visible character".to_owned());
    }
    if title.chars().any(char::is_control) {
        return Err("a title is one line without control characters".to_owned());
    }
    at_most(LONGEST_TITLE, title)
}

fn description(text: &str) -> Result<String, String> {
    at_most(LONGEST_DESCRIPTION, text)
}

fn at_most(longest: usize, text: &str) -> Result<String, String> {
    match text.chars().count() {
        length if length > longest => {
            Err(format!("it has {length} characters, and {longest} are allowed"))
        }
        _ => Ok(text.to_owned()),
    }
}

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Subject>()
        .fails(&["internal", "invalid_input", "not_found", "conflict"])
        .danger(Danger::Mutating)
        .example(
            "animus subject create --kind task --title 'Fix login bug' --priority high",
            "a task that matters",
        )
}

pub(crate) fn run(arguments: Arguments, project: &Project, call: &Call) -> Result<Subject, Error> {
    let Arguments { kind, title, description, priority, allow_duplicate } = arguments;
    let draft = Draft { kind, title, description, priority };
    let duplicates = if allow_duplicate { Duplicates::Allowed } else { Duplicates::Refused };
    let created = project.subjects().change(|subjects| {
        subjects.create(draft, duplicates, Timestamp::now()).map_err(Error::from)
    })?;
    call.effect(Effect::Created);
    Ok(created)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_with_something_in_it() {
        assert_eq!(title("  Fix login bug "), Ok("Fix login bug".to_owned()));
        assert_eq!(title(&"é".repeat(LONGEST_TITLE)).map(|title| title.len()), Ok(400));
        for bad in ["", " \t", "two\nlines", "\u{1b}[31mred"] {
            assert!(title(bad).is_err(), "{bad:?}");
        }
        assert!(title(&"é".repeat(LONGEST_TITLE + 1)).is_err());
    }

    #[test]
    fn a_description_may_have_lines_but_not_without_end() {
        assert_eq!(description("two\nlines"), Ok("two\nlines".to_owned()));
        assert!(description(&"x".repeat(LONGEST_DESCRIPTION + 1)).is_err());
    }
}
