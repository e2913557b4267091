//! What each command does, one file for each.

pub(crate) mod daemon;
pub(crate) mod subject;

use crate::daemon::protocol::Report;
use crate::subject as model;
use manila_clap::{Done, Reply};

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
