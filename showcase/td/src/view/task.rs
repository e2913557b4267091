//! Tasks as callers see them.

use super::verb;
use crate::store::{Id, Store, Task};
use anstyle::{AnsiColor, Style};
use jiff::civil::Date;
use manila_clap::{Cell, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

const OVERDUE: Style = AnsiColor::Red.on_default().bold();

/// A task, with the names of where it is.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "task", show = show_task)]
pub(crate) struct TaskView {
    #[serde(flatten)]
    task: Task,
    project_name: String,
    section_name: Option<String>,
    #[serde(skip)]
    today: Date,
}

impl TaskView {
    pub(crate) fn of(store: &Store, task: &Task, today: Date) -> TaskView {
        Views::of(store, today).view(task)
    }

    fn is_overdue(&self) -> bool {
        let is_late = self.task.due.as_ref().is_some_and(|due| due.is_overdue(self.today));
        self.task.is_open() && is_late
    }

    /// Its project, and its section if it has one.
    fn place(&self) -> String {
        match &self.section_name {
            Some(section) => format!("{} / {section}", self.project_name),
            None => self.project_name.clone(),
        }
    }

    fn due_in_words(&self) -> String {
        match &self.task.due {
            Some(due) if self.task.is_open() => due.in_words(self.today),
            _ => self.due_date(),
        }
    }

    fn due_date(&self) -> String {
        self.task.due.as_ref().map_or_else(String::new, |due| due.date.to_string())
    }

    fn labels(&self) -> String {
        self.task.labels.join(", ")
    }
}

/// Makes views of many tasks, with every name looked up once.
struct Views<'b> {
    projects: HashMap<&'b Id, &'b str>,
    sections: HashMap<&'b Id, &'b str>,
    today: Date,
}

impl<'b> Views<'b> {
    fn of(store: &'b Store, today: Date) -> Views<'b> {
        let projects = store.projects.iter().map(|project| (&project.id, project.name.as_str()));
        let sections = store.sections.iter().map(|section| (&section.id, section.name.as_str()));
        Views { projects: projects.collect(), sections: sections.collect(), today }
    }

    fn view(&self, task: &Task) -> TaskView {
        let section = task.section_id.as_ref().and_then(|id| self.sections.get(id));
        TaskView {
            task: task.clone(),
            project_name: self.projects.get(&task.project_id).copied().unwrap_or_default().into(),
            section_name: section.map(|name| (*name).to_owned()),
            today: self.today,
        }
    }
}

fn show_task(view: &TaskView, screen: &mut Screen) {
    let task = &view.task;
    screen.heading(&task.content);
    if !screen.is_rich() {
        screen.field("content", &task.content);
    }
    screen.field("id", &task.id);
    screen.field("project", view.place());
    screen.field("priority", task.priority);
    let due = if screen.is_rich() { view.due_in_words() } else { view.due_date() };
    let optional =
        [("due", due), ("labels", view.labels()), ("description", task.description.clone())];
    for (name, value) in optional.into_iter().filter(|(_, value)| !value.is_empty()) {
        screen.field(name, value);
    }
    screen.field("created", task.created_at);
    if let Some(completed) = task.completed_at {
        screen.field("completed", completed);
    }
}

/// Tasks, the most urgent first. All of them: the envelope has no place to say that there are more.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[serde(transparent)]
#[reply(kind = "task_list", show = show_tasks)]
pub(crate) struct TaskList {
    tasks: Vec<TaskView>,
    /// What to say to people if there are none.
    #[serde(skip)]
    none: &'static str,
}

impl TaskList {
    pub(crate) fn of(
        store: &Store,
        today: Date,
        none: &'static str,
        fits: impl Fn(&Task) -> bool,
    ) -> TaskList {
        let views = Views::of(store, today);
        let fitting = store.tasks.iter().filter(|task| fits(task));
        let mut tasks: Vec<TaskView> = fitting.map(|task| views.view(task)).collect();
        tasks.sort_by_key(|view| {
            let task = &view.task;
            let due = task.due.as_ref().map_or(Date::MAX, |due| due.date);
            (!task.is_open(), Reverse(task.priority), due, task.order)
        });
        TaskList { tasks, none }
    }
}

fn show_tasks(list: &TaskList, screen: &mut Screen) {
    if !screen.is_rich() {
        return screen.table([""; 7], list.tasks.iter().map(plain_row));
    }
    if list.tasks.is_empty() {
        return screen.line(list.none);
    }
    screen
        .table(["ID", "PRI", "TASK", "PROJECT", "DUE", "LABELS"], list.tasks.iter().map(rich_row));
    let count = |fits: fn(&TaskView) -> bool| list.tasks.iter().filter(|view| fits(view)).count();
    let (open, overdue) = (count(|view| view.task.is_open()), count(TaskView::is_overdue));
    let counts = [(overdue, "overdue"), (list.tasks.len() - open, "completed")];
    let others = counts.iter().filter(|(number, _)| *number > 0);
    let others = others.map(|(number, word)| format!(", {number} {word}"));
    let total: String = std::iter::once(format!("{open} open")).chain(others).collect();
    screen.line("");
    screen.styled(if overdue > 0 { OVERDUE } else { Style::new() }, total);
}

fn rich_row(view: &TaskView) -> [Cell; 6] {
    let TaskView { task, .. } = view;
    let done = if task.is_open() { "" } else { "✓ " };
    let due = Cell::from(view.due_in_words());
    [
        task.id.to_string().into(),
        Cell::from(task.priority.to_string()).styled(task.priority.style()),
        format!("{done}{}", task.content).into(),
        view.place().into(),
        if view.is_overdue() { due.styled(OVERDUE) } else { due },
        view.labels().into(),
    ]
}

/// What grep and cut find: dates that sort, and when it was completed in a column of its own.
fn plain_row(view: &TaskView) -> [String; 7] {
    let TaskView { task, .. } = view;
    [
        task.id.to_string(),
        task.priority.to_string(),
        task.content.clone(),
        view.place(),
        view.due_date(),
        view.labels(),
        task.completed_at.map_or_else(String::new, |time| time.to_string()),
    ]
}

/// A task that was asked for, and whether it is new.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "task_created", show = show_created)]
pub(crate) struct TaskCreated {
    #[serde(flatten)]
    pub(crate) task: TaskView,
    /// False if there was one already
    pub(crate) created: bool,
}

fn show_created(TaskCreated { task: view, created }: &TaskCreated, screen: &mut Screen) {
    let (verb, task) = (verb(*created), &view.task);
    screen.line(format_args!("{verb} '{}' in {} ({})", task.content, view.place(), task.id));
}

/// A task, as answers name it that say what became of it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TaskName {
    task_id: Id,
    content: String,
}

impl From<&Task> for TaskName {
    fn from(task: &Task) -> TaskName {
        TaskName { task_id: task.id.clone(), content: task.content.clone() }
    }
}

impl TaskName {
    fn show(&self, what: &str, screen: &mut Screen) {
        screen.line(format_args!("{what} '{}' ({})", self.content, self.task_id));
    }
}

/// A task is completed.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "task_done", show = show_done)]
pub(crate) struct TaskDone(pub(crate) TaskName);

fn show_done(done: &TaskDone, screen: &mut Screen) {
    done.0.show("Completed", screen);
}

/// Several tasks are completed.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "task_done_list", show = show_all_done)]
pub(crate) struct TasksDone(pub(crate) Vec<TaskName>);

fn show_all_done(done: &TasksDone, screen: &mut Screen) {
    done.0.iter().for_each(|task| task.show("Completed", screen));
}

/// A task is open again.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "task_reopened", show = show_reopened)]
pub(crate) struct TaskReopened(pub(crate) TaskName);

fn show_reopened(reopened: &TaskReopened, screen: &mut Screen) {
    reopened.0.show("Reopened", screen);
}

/// A task is gone.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "task_deleted", show = show_deleted)]
pub(crate) struct TaskDeleted(pub(crate) TaskName);

fn show_deleted(deleted: &TaskDeleted, screen: &mut Screen) {
    deleted.0.show("Deleted", screen);
}

/// A task is where it should be.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "task_moved", show = show_moved)]
pub(crate) struct TaskMoved {
    #[serde(flatten)]
    task: TaskName,
    project_id: Id,
    project_name: String,
    section_id: Option<Id>,
    section_name: Option<String>,
}

impl From<TaskView> for TaskMoved {
    fn from(view: TaskView) -> TaskMoved {
        TaskMoved {
            task: TaskName::from(&view.task),
            project_id: view.task.project_id,
            project_name: view.project_name,
            section_id: view.task.section_id,
            section_name: view.section_name,
        }
    }
}

fn show_moved(moved: &TaskMoved, screen: &mut Screen) {
    let TaskMoved { task, project_name, section_name, .. } = moved;
    let section = section_name.as_ref().map_or_else(String::new, |name| format!(" / {name}"));
    screen.line(format_args!(
        "Moved '{}' to {project_name}{section} ({})",
        task.content, task.task_id
    ));
}
