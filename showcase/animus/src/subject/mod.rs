//! A subject: something that a project has to do or to fulfil.

mod collection;
mod id;
mod status;

pub(crate) use collection::{Draft, Duplicates, SubjectError, Subjects};
pub(crate) use id::{Id, Key};
pub(crate) use status::{Status, TransitionError};

use clap::ValueEnum;
use jiff::Timestamp;
use manila_clap::{Reply, Screen};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// One subject.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, Reply)]
#[reply(kind = "subject", show = show)]
// What this version does not know it must not lose, and the file is written whole.
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    #[schemars(with = "String")]
    pub(crate) id: Key,
    pub(crate) title: String,
    pub(crate) status: Status,
    pub(crate) priority: Priority,
    pub(crate) description: String,
    #[schemars(with = "String")]
    pub(crate) created_at: Timestamp,
    #[schemars(with = "String")]
    pub(crate) updated_at: Timestamp,
}

fn show(subject: &Subject, screen: &mut Screen) {
    screen.heading(format_args!("{}  {}", subject.id, subject.title));
    if !screen.is_rich() {
        screen.field("id", subject.id);
        screen.field("title", &subject.title);
    }
    screen.field("status", subject.status);
    screen.field("priority", subject.priority);
    screen.field("created", moment(subject.created_at));
    screen.field("updated", moment(subject.updated_at));
    if !subject.description.is_empty() {
        screen.field("description", &subject.description);
    }
}

/// A moment as people read it.
pub(crate) fn moment(time: Timestamp) -> impl Display {
    time.strftime("%Y-%m-%d %H:%M UTC")
}

/// What sort of subject it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Task,
    Requirement,
}

impl Kind {
    /// How the ids of its subjects begin.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Kind::Task => "TASK",
            Kind::Requirement => "REQ",
        }
    }
}

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Priority {
    Critical,
    High,
    Medium,
    Low,
}

/// The name of a value on the command line.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&name(self))
    }
}

impl Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&name(self))
    }
}
