//! What is done with one task, or with several at once.

mod add;
mod edit;
mod state;

pub(crate) use add::Add;
pub(crate) use edit::{Edit, Move};
pub(crate) use state::{Complete, Delete, Undo};

use crate::book::{Book, Id};
use crate::desk::Desk;
use crate::due::{self, Due};
use crate::find::{self, Among};
use crate::trouble::Trouble;
use crate::view::task::TaskView;
use crate::words::Words;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// An id, its beginning, or a part of the content
    task: Words,
}

impl Show {
    pub(crate) fn run(self, desk: &Desk) -> Result<TaskView, Trouble> {
        let book = desk.read()?;
        let at = find::task(&book, &self.task, Among::Open, |id| format!("td show {id}"))?;
        Ok(TaskView::of(&book, &book.tasks[at], desk.today))
    }
}

/// The project that is meant, and the section of it.
fn place(book: &Book, project: &str, section: Option<&str>) -> Result<(Id, Option<Id>), Trouble> {
    let project = find::project(book, project)?;
    let section = section.map(|query| find::section(book, Some(project), query)).transpose()?;
    Ok((project.id.clone(), section.map(|section| section.id.clone())))
}

/// The labels that are meant, by the names they were given, each once.
fn labels(book: &Book, queries: &[Words]) -> Result<Vec<String>, Trouble> {
    let mut labels = Vec::new();
    for query in queries {
        let name = &find::label(book, query)?.name;
        if !labels.contains(name) {
            labels.push(name.clone());
        }
    }
    Ok(labels)
}

/// The day that a text names.
fn due(text: &str, desk: &Desk) -> Result<Due, Trouble> {
    Due::parse(text, desk.today).ok_or_else(|| {
        Trouble::invalid(format!("'{text}' is no due date"), format!("pass {}", due::ALLOWED))
    })
}
