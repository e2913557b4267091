//! `status`: counts what the worktree has.

use crate::directory::{self, PLUGINS, SKILLS};
use crate::error::Error;
use crate::session::{DEFAULT_DIRECTORY, Sessions};
use crate::site::{Site, Work};
use std::path::Path;

pub(super) fn run(_: &str, _: &Site<'_>) -> Result<Work, Error> {
    let sessions = Sessions::at(Path::new(DEFAULT_DIRECTORY)).ids()?.len();
    let plugins = directory::names(Path::new(PLUGINS), ".json")?.len();
    let skills = directory::names(Path::new(SKILLS), ".md")?.len();
    Ok(Work::done(format!("sessions: {sessions}, plugins: {plugins}, skills: {skills}")))
}
