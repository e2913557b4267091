//! `projects`, `project add` and `project delete`.

use crate::context::Context;
use crate::error::{Error, Noun};
use crate::find::{self, same_name};
use crate::store;
use crate::view::named::{ProjectCreated, ProjectDeleted, ProjectList, ProjectView};
use crate::words::Words;
use clap::{Args, Subcommand};

pub(crate) fn list(context: &Context) -> Result<ProjectList, Error> {
    let store = context.read()?;
    Ok(ProjectList(store.projects.iter().map(|project| ProjectView::of(&store, project)).collect()))
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
    pub(crate) fn run(self, context: &Context) -> Result<ProjectCreated, Error> {
        let name = String::from(self.name);
        context.change(|store| {
            if let Some(known) = store.projects.iter().find(|it| same_name(&it.name, &name)) {
                if !self.idempotent {
                    return Err(Error::known(Noun::Project, &known.name, &known.id));
                }
                return Ok(ProjectCreated {
                    project: ProjectView::of(store, known),
                    created: false,
                });
            }
            let (id, order) = store.give_id();
            let project = store::Project { id, name, order, created_at: Some(context.now) };
            let view = ProjectView::of(store, &project);
            store.projects.push(project);
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
    pub(crate) fn run(self, context: &Context) -> Result<ProjectDeleted, Error> {
        context.change(|store| {
            let project = find::project(store, &self.project)?;
            if project.is_inbox() {
                let suggestion = "delete its tasks one by one with `td delete TASK`";
                return Err(Error::invalid("the inbox cannot be deleted", suggestion));
            }
            let (project_id, name) = (project.id.clone(), project.name.clone());
            let before = store.sections.len();
            let deleted_tasks = store.delete_tasks(|task| task.project_id == project_id);
            store.sections.retain(|section| section.project_id != project_id);
            store.projects.retain(|project| project.id != project_id);
            let deleted_sections = before - store.sections.len();
            Ok(ProjectDeleted { project_id, name, deleted_sections, deleted_tasks })
        })
    }
}
