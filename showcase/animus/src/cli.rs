//! The commands and their arguments, and the way from each to its answer.

use crate::command::{Answer, daemon, subject};
use crate::error::Error;
use crate::project::Project;
use clap::{Parser, Subcommand};
use manila_clap::Call;
use std::path::PathBuf;

/// Keeps the subjects of a project, and a daemon beside them
#[derive(Parser)]
#[command(name = "animus", bin_name = "animus", version)]
pub(crate) struct Cli {
    /// The project's directory, if neither `PROJECT_ROOT` nor the nearest with .git or .animus is meant
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

/// Does what is asked.
pub(crate) fn run(cli: Cli, call: &Call) -> Result<Answer, Error> {
    let project = Project::find(cli.project_root)?;
    Ok(match cli.command {
        Command::Subject(command) => match command {
            Subject::Create(arguments) => {
                Answer::Subject(subject::create::run(arguments, &project, call)?)
            }
            Subject::Get(named) => Answer::Subject(subject::get::run(&named, &project)?),
            Subject::List(arguments) => Answer::Subjects(subject::list::run(&arguments, &project)?),
            Subject::Status(arguments) => {
                Answer::Done(subject::status::run(&arguments, &project, call)?)
            }
        },
        Command::Daemon(command) => match command {
            Daemon::Start => Answer::Started(daemon::start::run(&project, call)?),
            Daemon::Status => daemon::status::run(&project)?,
            Daemon::Stop(arguments) => {
                Answer::Stopped(daemon::stop::run(&arguments, &project, call)?)
            }
            Daemon::Serve => Answer::Done(daemon::serve::run(&project, call)?),
        },
    })
}
