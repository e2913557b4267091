//! `done`, `undo` and `delete`: what becomes of a task.

use crate::command::Answer;
use crate::context::Context;
use crate::error::Error;
use crate::find::{self, Among, quote};
use crate::store::Id;
use crate::view::task::{TaskDeleted, TaskDone, TaskName, TaskReopened, TasksDone};
use crate::words::Words;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Complete {
    /// An id, its beginning, or a part of the content
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<Words>,
}

impl Complete {
    pub(crate) fn run(self, context: &Context) -> Result<Answer, Error> {
        let mut done = context.change(|store| {
            // All are found before the first is changed: a text means what it meant at the start.
            let found = self
                .tasks
                .iter()
                .map(|query| find::task(store, query, Among::Open, |id| self.call_with(id, query)));
            let found = found.collect::<Result<Vec<_>, _>>()?;
            let mut done = Vec::new();
            for at in found {
                let task = &mut store.tasks[at];
                if task.is_open() {
                    task.completed_at = Some(context.now);
                    task.updated_at = context.now;
                }
                done.push(TaskName::from(&*task));
            }
            Ok(done)
        })?;
        Ok(match done.pop() {
            Some(only) if done.is_empty() => Answer::TaskDone(TaskDone(only)),
            last => Answer::TasksDone(TasksDone(done.into_iter().chain(last).collect())),
        })
    }

    /// The same call, with an id in the place of one of the texts.
    fn call_with(&self, id: &Id, replaced: &Words) -> String {
        let words =
            self.tasks.iter().map(|it| if it == replaced { (&*id.0).into() } else { quote(it) });
        format!("td done {}", words.collect::<Vec<_>>().join(" "))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// An id, its beginning, or a part of the content
    task: Words,
}

impl Undo {
    pub(crate) fn run(self, context: &Context) -> Result<TaskReopened, Error> {
        context.change(|store| {
            let call = |id: &Id| format!("td undo {id}");
            let at = find::task(store, &self.task, Among::Completed, call)?;
            let task = &mut store.tasks[at];
            if !task.is_open() {
                task.completed_at = None;
                task.updated_at = context.now;
            }
            Ok(TaskReopened(TaskName::from(&*task)))
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// An id, its beginning, or a part of the content
    task: Words,
}

impl Delete {
    pub(crate) fn run(self, context: &Context) -> Result<TaskDeleted, Error> {
        context.change(|store| {
            let call = |id: &Id| format!("td delete {id} --yes");
            let at = find::task(store, &self.task, Among::Open, call)?;
            let name = TaskName::from(&store.tasks[at]);
            let id = store.tasks[at].id.clone();
            store.delete_tasks(|task| task.id == id);
            Ok(TaskDeleted(name))
        })
    }
}
