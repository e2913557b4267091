//! `ls` and `search`: tasks, chosen by where they are or what they say.

use crate::context::Context;
use crate::error::Error;
use crate::find;
use crate::priority::Priority;
use crate::store::Task;
use crate::view::task::TaskList;
use crate::words::Words;
use clap::Args;

#[derive(Debug, Default, Args)]
pub(crate) struct Ls {
    /// Only in this project
    #[arg(short, long)]
    project: Option<Words>,
    /// Only in this section
    #[arg(short, long)]
    section: Option<Words>,
    /// Only with this label; several times for several, all of which it must have
    #[arg(short, long)]
    label: Vec<Words>,
    /// Only with this priority: p1 (urgent) to p4, or as in JSON 4 (urgent) to 1
    #[arg(long, value_name = "PRIORITY")]
    priority: Option<Priority>,
    /// Completed tasks too
    #[arg(long)]
    all: bool,
}

impl Ls {
    pub(crate) fn run(self, context: &Context) -> Result<TaskList, Error> {
        let store = context.read()?;
        let project =
            self.project.as_deref().map(|query| find::project(&store, query)).transpose()?;
        let section = self.section.as_deref();
        let section = section.map(|query| find::section(&store, project, query)).transpose()?;
        let labels = self.label.iter().map(|query| find::label(&store, query));
        let labels = labels.collect::<Result<Vec<_>, _>>()?;
        let fits = |task: &Task| {
            (self.all || task.is_open())
                && project.is_none_or(|project| task.project_id == project.id)
                && section.is_none_or(|section| task.section_id.as_ref() == Some(&section.id))
                && labels.iter().all(|label| task.labels.contains(&label.name))
                && self.priority.is_none_or(|priority| task.priority == priority)
        };
        let none = if store.tasks.is_empty() {
            "No tasks yet. `td add 'Buy milk'` adds one."
        } else {
            "No such tasks. `td ls --all` lists all there are."
        };
        Ok(TaskList::of(&store, context.today, none, fits))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to look for, in capitals or not
    text: Words,
}

impl Search {
    pub(crate) fn run(self, context: &Context) -> Result<TaskList, Error> {
        let text = self.text.to_lowercase();
        let has = |words: &str| words.to_lowercase().contains(&text);
        let fits = |task: &Task| task.is_open() && (has(&task.content) || has(&task.description));
        let none = "No open task says so. `td ls` lists them.";
        Ok(TaskList::of(&context.read()?, context.today, none, fits))
    }
}
