//! `daemon serve`: run as the daemon. Hidden, because only `daemon start` calls it.

use crate::daemon::server;
use crate::error::Error;
use crate::project::Project;
use manila_clap::{Call, Danger, Done, Spec};

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Done>()
        .fails(&["internal", "invalid_input", "not_found", "conflict"])
        .danger(Danger::Mutating)
        // Its answer is the last line of a log.
        .text_only()
        .example("animus daemon serve", "the daemon in the foreground")
}

pub(crate) fn run(project: &Project, call: &Call) -> Result<Done, Error> {
    let is_cancelled = || call.check_cancelled().is_err();
    server::serve(&project.daemon(), project.root(), project.subjects(), is_cancelled)?;
    Ok(Done::new("daemon stopped"))
}
