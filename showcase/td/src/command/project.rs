//! `projects`, `project add` and `project delete`.

use crate::book;
use crate::desk::Desk;
use crate::find::{self, same_name};
use crate::trouble::{Noun, Trouble};
use crate::view::named::{ProjectCreated, ProjectDeleted, ProjectList, ProjectView};
use crate::words::Words;
use clap::{Args, Subcommand};

pub(crate) fn list(desk: &Desk) -> Result<ProjectList, Trouble> {
    let book = desk.read()?;
    Ok(ProjectList(book.projects.iter().map(|project| ProjectView::of(&book, project)).collect()))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Project {
    /// Add a project
    Add(Add),
    /// Delete a project with its sections and tasks
    Delete(Delete),
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    name: Words,
    /// Be content with a project of that name, if there is one
    #[arg(long)]
    idempotent: bool,
}

impl Add {
    pub(crate) fn run(self, desk: &Desk) -> Result<ProjectCreated, Trouble> {
        let name = String::from(self.name);
        desk.change(|book| {
            if let Some(known) = book.projects.iter().find(|it| same_name(&it.name, &name)) {
                if !self.idempotent {
                    return Err(Trouble::known(Noun::Project, &known.name, &known.id));
                }
                return Ok(ProjectCreated {
                    project: ProjectView::of(book, known),
                    created: false,
                });
            }
            let (id, order) = book.give_id();
            let project = book::Project { id, name, order, created_at: Some(desk.now) };
            let view = ProjectView::of(book, &project);
            book.projects.push(project);
            Ok(ProjectCreated { project: view, created: true })
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// Its id or its name
    project: Words,
}

impl Delete {
    pub(crate) fn run(self, desk: &Desk) -> Result<ProjectDeleted, Trouble> {
        desk.change(|book| {
            let project = find::project(book, &self.project)?;
            if project.is_inbox() {
                let suggestion = "delete its tasks one by one with `td delete TASK`";
                return Err(Trouble::invalid("the inbox cannot be deleted", suggestion));
            }
            let (project_id, name) = (project.id.clone(), project.name.clone());
            let before = book.sections.len();
            let deleted_tasks = book.delete_tasks(|task| task.project_id == project_id);
            book.sections.retain(|section| section.project_id != project_id);
            book.projects.retain(|project| project.id != project_id);
            let deleted_sections = before - book.sections.len();
            Ok(ProjectDeleted { project_id, name, deleted_sections, deleted_tasks })
        })
    }
}
