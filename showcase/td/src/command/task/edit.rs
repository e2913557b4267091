//! `edit` and `move`: a task that stays open, and changes.

use super::{due, labels, place};
use crate::context::Context;
use crate::error::Error;
use crate::find::{self, Among, quote};
use crate::priority::Priority;
use crate::store::{Id, Task};
use crate::view::task::{TaskMoved, TaskView};
use crate::words::Words;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// An id, its beginning, or a part of the content
    task: Words,
    #[command(flatten)]
    changes: Changes,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct Changes {
    /// What is to be done
    #[arg(long, value_name = "TEXT")]
    content: Option<Words>,
    /// More about it
    #[arg(long, value_name = "TEXT")]
    description: Option<Words>,
    /// Remove the description
    #[arg(long, conflicts_with = "description")]
    no_description: bool,
    /// p1 (urgent) to p4, or as in JSON 4 (urgent) to 1
    #[arg(long, value_name = "PRIORITY")]
    priority: Option<Priority>,
    /// today, tomorrow, a weekday, or a date such as 2026-12-31
    #[arg(long, value_name = "DATE")]
    due: Option<Words>,
    /// It is due at no particular time
    #[arg(long, conflicts_with = "due")]
    no_due: bool,
    /// A label, instead of those it has; several times for several
    #[arg(short, long)]
    label: Vec<Words>,
    /// It has no labels
    #[arg(long, conflicts_with = "label")]
    no_labels: bool,
}

impl Changes {
    /// The arguments that ask for them, each after a space.
    fn words(&self) -> String {
        let Changes { content, description, priority, due, label, .. } = self;
        let priority = priority.map(|it| format!(" --priority {it}"));
        let texts = [("content", content), ("description", description), ("due", due)];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?)));
        let texts = texts.chain(label.iter().map(|name| ("label", name)));
        let texts = texts.map(|(name, text)| format!(" --{name} {}", quote(text)));
        let cleared = [
            (self.no_description, " --no-description"),
            (self.no_due, " --no-due"),
            (self.no_labels, " --no-labels"),
        ];
        let cleared = cleared.into_iter().filter(|(is_set, _)| *is_set);
        let cleared = cleared.map(|(_, flag)| flag.to_owned());
        texts.chain(priority).chain(cleared).collect()
    }
}

impl Edit {
    pub(crate) fn run(self, context: &Context) -> Result<TaskView, Error> {
        context.change(|store| {
            let call = |id: &Id| format!("td edit {id}{}", self.changes.words());
            let at = find::task(store, &self.task, Among::Open, call)?;
            let changes = self.changes;
            let due = changes.due.map(|text| due(&text, context)).transpose()?;
            let labels = labels(store, &changes.label)?;
            let task = &mut store.tasks[at];
            if let Some(content) = changes.content {
                task.content = content.into();
            }
            if changes.no_description || changes.description.is_some() {
                task.description = changes.description.map(String::from).unwrap_or_default();
            }
            if let Some(priority) = changes.priority {
                task.priority = priority;
            }
            if changes.no_due || due.is_some() {
                task.due = due;
            }
            if changes.no_labels || !labels.is_empty() {
                task.labels = labels;
            }
            task.updated_at = context.now;
            Ok(TaskView::of(store, &store.tasks[at], context.today))
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct Move {
    /// An id, its beginning, or a part of the content
    task: Words,
    /// The project to move it to
    #[arg(short, long)]
    project: Words,
    /// A section of that project
    #[arg(short, long)]
    section: Option<Words>,
}

impl Move {
    pub(crate) fn run(self, context: &Context) -> Result<TaskMoved, Error> {
        context.change(|store| {
            let Move { task, project, section } = &self;
            let call = |id: &Id| {
                let section = section.as_ref().map(|name| format!(" -s {}", quote(name)));
                format!("td move {id} -p {}{}", quote(project), section.unwrap_or_default())
            };
            let at = find::task(store, task, Among::Open, call)?;
            let (project_id, section_id) = place(store, project, section.as_deref())?;
            let updated_at = context.now;
            store.tasks[at] =
                Task { project_id, section_id, updated_at, ..store.tasks[at].clone() };
            Ok(TaskView::of(store, &store.tasks[at], context.today).into())
        })
    }
}
