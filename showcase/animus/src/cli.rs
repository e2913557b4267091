//! The commands and their arguments.

use crate::command::{daemon, subject};
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Keeps the subjects of a project, and a daemon beside them
#[derive(Parser)]
#[command(name = "animus", version)]
pub(crate) struct Cli {
    /// The project's folder, if neither `PROJECT_ROOT` nor the nearest with .git or .animus is meant
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) project_root: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// What there is to do, and what is to be fulfilled
    #[command(subcommand)]
    Subject(Subject),
    /// The process that watches the subjects
    #[command(subcommand)]
    Daemon(Daemon),
}

#[derive(Subcommand)]
pub(crate) enum Subject {
    /// Create a subject
    Create(subject::create::Arguments),
    /// Show a subject
    Get(subject::Named),
    /// List the subjects
    List(subject::list::Arguments),
    /// Move a subject to another status
    Status(subject::status::Arguments),
}

#[derive(Subcommand)]
pub(crate) enum Daemon {
    /// Start the daemon, and wait until it is ready
    Start,
    /// Show whether the daemon runs, and what it sees
    Status,
    /// Stop the daemon, and wait for its end
    Stop(daemon::stop::Arguments),
    /// Be the daemon; `daemon start` calls it
    #[command(hide = true)]
    Serve,
}
