//! The commands as callers type them.

use crate::command::{comment, label, list, project, section, task};
use clap::{Parser, Subcommand};

/// Keeps tasks, projects, sections, labels and comments
///
/// A TASK is an id, the beginning of an id, or text that the content of one open task contains.
/// Everything is kept in `$TD_FILE`, or else below `$XDG_DATA_HOME` or `~/.local/share`. Without a
/// command, the open tasks are listed.
#[derive(Debug, Parser)]
#[command(name = "td", version)]
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
