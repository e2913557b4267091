//! What each command does, and all that they answer.

pub(crate) mod comment;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod project;
pub(crate) mod section;
pub(crate) mod task;

use crate::view::comment::{CommentCreated, CommentList};
use crate::view::named::{
    LabelCreated, LabelList, ProjectCreated, ProjectDeleted, ProjectList, SectionCreated,
    SectionList,
};
use crate::view::task::{
    TaskCreated, TaskDeleted, TaskDone, TaskList, TaskMoved, TaskReopened, TaskView, TasksDone,
};
use manila_clap::Reply;

/// All that a command can answer.
#[derive(Debug, Reply)]
pub(crate) enum Answer {
    Task(TaskView),
    TaskList(TaskList),
    TaskCreated(TaskCreated),
    TaskDone(TaskDone),
    TasksDone(TasksDone),
    TaskReopened(TaskReopened),
    TaskMoved(TaskMoved),
    TaskDeleted(TaskDeleted),
    ProjectList(ProjectList),
    ProjectCreated(ProjectCreated),
    ProjectDeleted(ProjectDeleted),
    SectionList(SectionList),
    SectionCreated(SectionCreated),
    LabelList(LabelList),
    LabelCreated(LabelCreated),
    CommentList(CommentList),
    CommentCreated(CommentCreated),
}
