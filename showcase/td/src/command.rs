//! What each command does.

pub(crate) mod comment;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod project;
pub(crate) mod section;
pub(crate) mod task;

use crate::cli::{Cli, Command};
use crate::desk::Desk;
use crate::trouble::Trouble;
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

pub(crate) fn run(cli: Cli, desk: &Desk) -> Result<Answer, Trouble> {
    match cli.command.unwrap_or_else(|| Command::Ls(list::Ls::default())) {
        Command::Ls(ls) => ls.run(desk).map(Answer::TaskList),
        Command::Search(search) => search.run(desk).map(Answer::TaskList),
        Command::Add(add) => add.run(desk).map(Answer::TaskCreated),
        Command::Show(show) => show.run(desk).map(Answer::Task),
        Command::Edit(edit) => edit.run(desk).map(Answer::Task),
        Command::Done(complete) => complete.run(desk),
        Command::Undo(undo) => undo.run(desk).map(Answer::TaskReopened),
        Command::Move(to) => to.run(desk).map(Answer::TaskMoved),
        Command::Delete(delete) => delete.run(desk).map(Answer::TaskDeleted),
        Command::Projects => project::list(desk).map(Answer::ProjectList),
        Command::Project(project::Project::Add(add)) => add.run(desk).map(Answer::ProjectCreated),
        Command::Project(project::Project::Delete(delete)) => {
            delete.run(desk).map(Answer::ProjectDeleted)
        }
        Command::Sections(sections) => sections.run(desk).map(Answer::SectionList),
        Command::Section(section::Section::Add(add)) => add.run(desk).map(Answer::SectionCreated),
        Command::Labels => label::list(desk).map(Answer::LabelList),
        Command::Label(label::Label::Add(add)) => add.run(desk).map(Answer::LabelCreated),
        Command::Comments(comments) => comments.run(desk).map(Answer::CommentList),
        Command::Comment(comment) => comment.run(desk).map(Answer::CommentCreated),
    }
}
