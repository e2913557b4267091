//! What is done with one task, or with several at once.

mod add;
mod edit;
mod state;

pub(crate) use add::Add;
pub(crate) use edit::{Edit, Move};
pub(crate) use state::{Complete, Delete, Undo};

use crate::context::Context;
use crate::due::{self, Due};
use crate::error::Error;
use crate::find::{self, Among};
use crate::store::{Id, Store};
use crate::view::task::TaskView;
use crate::words::Words;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// An id, its beginning, or a part of the content
    task: Words,
}

impl Show {
    pub(crate) fn run(self, context: &Context) -> Result<TaskView, Error> {
        let store = context.read()?;
        let at = find::task(&store, &self.task, Among::Open, |id| format!("td show {id}"))?;
        Ok(TaskView::of(&store, &store.tasks[at], context.today))
    }
}

/// The project that is meant, and the section of it.
fn place(store: &Store, project: &str, section: Option<&str>) -> Result<(Id, Option<Id>), Error> {
    let project = find::project(store, project)?;
    let section = section.map(|query| find::section(store, Some(project), query)).transpose()?;
    Ok((project.id.clone(), section.map(|section| section.id.clone())))
}

/// The labels that are meant, by the names they were given, each once.
fn labels(store: &Store, queries: &[Words]) -> Result<Vec<String>, Error> {
    let mut labels = Vec::new();
    for query in queries {
        let name = &find::label(store, query)?.name;
        if !labels.contains(name) {
            labels.push(name.clone());
        }
    }
    Ok(labels)
}

/// The day that a text names.
fn due(text: &str, context: &Context) -> Result<Due, Error> {
    Due::parse(text, context.today).ok_or_else(|| {
        Error::invalid(format!("'{text}' is not a due date"), format!("pass {}", due::ALLOWED))
    })
}
