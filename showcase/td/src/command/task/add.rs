//! `add`: a new task.

use super::{due, labels, place};
use crate::context::Context;
use crate::error::Error;
use crate::priority::Priority;
use crate::store::{INBOX, Task};
use crate::view::task::{TaskCreated, TaskView};
use crate::words::Words;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// What is to be done
    content: Words,
    /// The project, if not the inbox
    #[arg(short, long)]
    project: Option<Words>,
    /// A section of the project
    #[arg(short, long)]
    section: Option<Words>,
    /// A label; several times for several
    #[arg(short, long)]
    label: Vec<Words>,
    /// p1 (urgent) to p4, or as in JSON 4 (urgent) to 1
    #[arg(long, value_name = "PRIORITY", default_value = "p4")]
    priority: Priority,
    /// today, tomorrow, a weekday, or a date such as 2026-12-31
    #[arg(long, value_name = "DATE")]
    due: Option<Words>,
    /// More about it
    #[arg(long, value_name = "TEXT")]
    description: Option<Words>,
    /// Be content with an open task of that content in that project, if there is one
    #[arg(long)]
    idempotent: bool,
}

impl Add {
    pub(crate) fn run(self, context: &Context) -> Result<TaskCreated, Error> {
        let content = String::from(self.content);
        let due = self.due.map(|text| due(&text, context)).transpose()?;
        context.change(|store| {
            let project = self.project.as_deref().unwrap_or(INBOX);
            let (project_id, section_id) = place(store, project, self.section.as_deref())?;
            let labels = labels(store, &self.label)?;
            let is_it = |task: &&Task| {
                task.is_open() && task.project_id == project_id && task.content == content
            };
            if self.idempotent
                && let Some(known) = store.tasks.iter().find(is_it)
            {
                let task = TaskView::of(store, known, context.today);
                return Ok(TaskCreated { task, created: false });
            }
            let (id, order) = store.give_id();
            let task = Task {
                id,
                content,
                description: self.description.map(String::from).unwrap_or_default(),
                project_id,
                section_id,
                labels,
                priority: self.priority,
                due,
                order,
                completed_at: None,
                created_at: context.now,
                updated_at: context.now,
            };
            let view = TaskView::of(store, &task, context.today);
            store.tasks.push(task);
            Ok(TaskCreated { task: view, created: true })
        })
    }
}
