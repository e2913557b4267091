//! What each command does, one file for each.

pub(crate) mod daemon;
pub(crate) mod subject;

use crate::cli::{Cli, Command, Daemon, Subject};
use crate::daemon::protocol::Report;
use crate::error::Error;
use crate::project::Project;
use crate::subject as model;
use manila_clap::{Call, Done, Reply};

/// What the commands answer.
#[derive(Reply)]
pub(crate) enum Answer {
    Subject(model::Subject),
    Subjects(subject::list::Listed),
    Started(daemon::start::Started),
    Report(Report),
    NotRunning(daemon::status::NotRunning),
    Stopped(daemon::stop::Stopped),
    Done(Done),
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
