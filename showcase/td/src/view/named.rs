//! Projects, sections and labels as callers see them.

use super::{count, verb};
use crate::store::{Id, Label, Project, Section, Store, Task};
use manila_clap::{Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;

/// A project, and how much there is to do in it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProjectView {
    #[serde(flatten)]
    project: Project,
    is_inbox_project: bool,
    open_tasks: usize,
}

impl ProjectView {
    pub(crate) fn of(store: &Store, project: &Project) -> ProjectView {
        let is_open_in = |task: &&Task| task.is_open() && task.project_id == project.id;
        ProjectView {
            project: project.clone(),
            is_inbox_project: project.is_inbox(),
            open_tasks: store.tasks.iter().filter(is_open_in).count(),
        }
    }
}

/// The projects, in the order in which they were added.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "project_list", show = show_projects)]
pub(crate) struct ProjectList(pub(crate) Vec<ProjectView>);

fn show_projects(list: &ProjectList, screen: &mut Screen) {
    let row = |view: &ProjectView| {
        [view.project.id.to_string(), view.project.name.clone(), view.open_tasks.to_string()]
    };
    screen.table(["ID", "PROJECT", "OPEN"], list.0.iter().map(row));
}

/// A project that was asked for, and whether it is new.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "project_created", show = show_project_created)]
pub(crate) struct ProjectCreated {
    #[serde(flatten)]
    pub(crate) project: ProjectView,
    /// False if there was one already
    pub(crate) created: bool,
}

fn show_project_created(reply: &ProjectCreated, screen: &mut Screen) {
    let Project { id, name, .. } = &reply.project.project;
    let verb = verb(reply.created);
    screen.line(format_args!("{verb} project '{name}' ({id})"));
}

/// A project is gone, and with it its sections and tasks.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "project_deleted", show = show_project_deleted)]
pub(crate) struct ProjectDeleted {
    pub(crate) project_id: Id,
    pub(crate) name: String,
    pub(crate) deleted_sections: usize,
    pub(crate) deleted_tasks: usize,
}

fn show_project_deleted(reply: &ProjectDeleted, screen: &mut Screen) {
    let ProjectDeleted { project_id, name, deleted_sections, deleted_tasks } = reply;
    let (sections, tasks) = (count(*deleted_sections, "section"), count(*deleted_tasks, "task"));
    screen
        .line(format_args!("Deleted project '{name}' ({project_id}) with {sections} and {tasks}"));
}

/// A section, with the name of its project.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SectionView {
    #[serde(flatten)]
    section: Section,
    project_name: String,
}

impl SectionView {
    pub(crate) fn of(store: &Store, section: &Section) -> SectionView {
        let project_name = store.project_name(&section.project_id).to_owned();
        SectionView { section: section.clone(), project_name }
    }
}

/// Sections, in the order in which they were added.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "section_list", show = show_sections)]
pub(crate) struct SectionList(pub(crate) Vec<SectionView>);

fn show_sections(list: &SectionList, screen: &mut Screen) {
    if list.0.is_empty() && screen.is_rich() {
        return screen.line("No sections. `td section add NAME -p PROJECT` adds one.");
    }
    let row = |view: &SectionView| {
        [view.section.id.to_string(), view.section.name.clone(), view.project_name.clone()]
    };
    screen.table(["ID", "SECTION", "PROJECT"], list.0.iter().map(row));
}

/// A section that was asked for, and whether it is new.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "section_created", show = show_section_created)]
pub(crate) struct SectionCreated {
    #[serde(flatten)]
    pub(crate) section: SectionView,
    /// False if there was one already
    pub(crate) created: bool,
}

fn show_section_created(reply: &SectionCreated, screen: &mut Screen) {
    let SectionView { section: Section { id, name, .. }, project_name } = &reply.section;
    let verb = verb(reply.created);
    screen.line(format_args!("{verb} section '{name}' in {project_name} ({id})"));
}

/// The labels, in the order in which they were added.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "label_list", show = show_labels)]
pub(crate) struct LabelList(pub(crate) Vec<Label>);

fn show_labels(list: &LabelList, screen: &mut Screen) {
    if list.0.is_empty() && screen.is_rich() {
        return screen.line("No labels. `td label add NAME` adds one.");
    }
    let row = |label: &Label| [label.id.to_string(), label.name.clone()];
    screen.table(["ID", "LABEL"], list.0.iter().map(row));
}

/// A label that was asked for, and whether it is new.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "label_created", show = show_label_created)]
pub(crate) struct LabelCreated {
    #[serde(flatten)]
    pub(crate) label: Label,
    /// False if there was one already
    pub(crate) created: bool,
}

fn show_label_created(reply: &LabelCreated, screen: &mut Screen) {
    let Label { id, name, .. } = &reply.label;
    let verb = verb(reply.created);
    screen.line(format_args!("{verb} label '{name}' ({id})"));
}
