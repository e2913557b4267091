//! The commands as callers type them, and the way from each to its answer.

use crate::command::{Answer, comment, label, list, project, section, task};
use crate::context::Context;
use crate::error::Error;
use clap::{Parser, Subcommand};

/// Keeps tasks, projects, sections, labels and comments
///
/// A TASK is an id, the beginning of an id, or text that the content of one open task contains.
/// Everything is kept in `$TD_FILE`, or else below `$XDG_DATA_HOME` or `~/.local/share`. Without a
/// command, the open tasks are listed.
#[derive(Debug, Parser)]
#[command(name = "td", bin_name = "td", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List tasks
    #[command(visible_alias = "list")]
    Ls(list::Ls),
    /// List the open tasks whose content or description contains a text
    Search(list::Search),
    /// Add a task
    Add(task::Add),
    /// Show one task
    Show(task::Show),
    /// Change a task
    Edit(task::Edit),
    /// Complete tasks, all of them or none
    Done(task::Complete),
    /// Open a completed task again
    Undo(task::Undo),
    /// Move a task to another project or section
    Move(task::Move),
    /// Delete a task and its comments
    Delete(task::Delete),
    /// List the projects
    Projects,
    /// Add or delete a project
    #[command(subcommand)]
    Project(project::Project),
    /// List sections
    Sections(section::Sections),
    /// Add a section
    #[command(subcommand)]
    Section(section::Section),
    /// List the labels
    Labels,
    /// Add a label
    #[command(subcommand)]
    Label(label::Label),
    /// List the comments of a task
    Comments(comment::Comments),
    /// Comment on a task
    Comment(comment::Comment),
}

/// Runs the command.
pub(crate) fn run(cli: Cli, context: &Context) -> Result<Answer, Error> {
    match cli.command.unwrap_or_else(|| Command::Ls(list::Ls::default())) {
        Command::Ls(ls) => ls.run(context).map(Answer::TaskList),
        Command::Search(search) => search.run(context).map(Answer::TaskList),
        Command::Add(add) => add.run(context).map(Answer::TaskCreated),
        Command::Show(show) => show.run(context).map(Answer::Task),
        Command::Edit(edit) => edit.run(context).map(Answer::Task),
        Command::Done(complete) => complete.run(context),
        Command::Undo(undo) => undo.run(context).map(Answer::TaskReopened),
        Command::Move(to) => to.run(context).map(Answer::TaskMoved),
        Command::Delete(delete) => delete.run(context).map(Answer::TaskDeleted),
        Command::Projects => project::list(context).map(Answer::ProjectList),
        Command::Project(project::Project::Add(add)) => {
            add.run(context).map(Answer::ProjectCreated)
        }
        Command::Project(project::Project::Delete(delete)) => {
            delete.run(context).map(Answer::ProjectDeleted)
        }
        Command::Sections(sections) => sections.run(context).map(Answer::SectionList),
        Command::Section(section::Section::Add(add)) => {
            add.run(context).map(Answer::SectionCreated)
        }
        Command::Labels => label::list(context).map(Answer::LabelList),
        Command::Label(label::Label::Add(add)) => add.run(context).map(Answer::LabelCreated),
        Command::Comments(comments) => comments.run(context).map(Answer::CommentList),
        Command::Comment(comment) => comment.run(context).map(Answer::CommentCreated),
    }
}
